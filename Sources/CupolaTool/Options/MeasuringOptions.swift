import ArgumentParser
import Cupola
import CupolaTraining

// Options of commands that train or evaluate:
// 1. Read a photo folder, its split table, and the non-building photos (`TableOptions`).
// 2. Parse the target error rate, and report if it cannot be guaranteed (`ErrorOption`, `LiveErrorOption`).
// 3. Open the feature cache (`CacheOptions`).
// 4. Choose a shard's name, and report that it was written (`ShardOptions`).

struct TableOptions: ParsableArguments {
  @Flag(help: "Allow split.csv to list photos outside its folder.")
  var allowOutside = false

  /// Returns the photos in a folder and in the `--negatives` folder.
  func sets(
    in folder: String, split: String?, negatives: String?
  ) throws -> (photos: PhotoSet, negatives: PhotoSet?) {
    let all = try PhotoSet(root: folder, splitFile: split, allowOutside: allowOutside)
    if split == nil { warnOfUnlisted(in: all, except: negatives) }
    guard let negatives else { return (all, nil) }
    var others = try self.negatives(in: negatives)
    let set = all.without(photosIn: negatives)
    let left = all.photos.count - set.photos.count
    try ensure(
      left == 0 || !set.photos.isEmpty,
      "all photos of \(folder) are also in --negatives \(negatives); choose another folder")
    if left > 0 {
      // This keeps the folder's test photos out of training.
      others = others.divided(as: all)
      Console.note(
        "note: \(FigureText.count(left, "photo")) of \(folder) \(left == 1 ? "is" : "are") also in \(negatives); "
          + "used as non-building photos only")
    }
    return (set, others)
  }

  /// Returns the photos for training; if some photos are test photos, also holds back some non-building photos.
  func trainingSets(
    in folder: String, split: String?, negatives: String?, isShard: Bool = false,
    _ common: CommonOptions
  ) async throws -> (photos: PhotoSet, negatives: PhotoSet?) {
    let (set, others) = try sets(in: folder, split: split, negatives: negatives)
    let hasTests = set.photos(for: [.train, .val]).count < set.photos.count
    guard hasTests, let others, !others.isDivided else { return (set, others) }
    if isShard {
      Console.note(
        "note: each shard reads all photos of \(others.root) to hold some back for testing; to read them only once, "
          + "create \(others.root)/split.csv with cupola split --negatives")
    }
    let progress = Progress(
      "comparing non-building photos", total: others.photos.count, quiet: common.quiet)
    let divided = await others.holdingBackTests(
      decoder: common.decoder, threads: common.threads, progress: { progress.update($0) })
    return (set, divided)
  }

  private func negatives(in folder: String) throws -> PhotoSet {
    let set = try PhotoSet(negatives: folder, allowOutside: allowOutside)
    guard !(set.photos.isEmpty && set.skipped.isEmpty) else {
      throw TrainingError.noPhotos(path: folder)
    }
    return set
  }

  static func warnOfLayout(_ set: PhotoSet) {
    guard let fault = set.layoutFault else { return }
    Console.note("warning: \(set.root): \(fault.message); \(fault.advice)")
  }

  private static let flag = "--allow-outside"
  /// The maximum number of unlisted photos to read; more are probably a new folder.
  private static let mostRead = 100

  private func warnOfUnlisted(in set: PhotoSet, except negatives: String?) {
    let table = set.root + "/split.csv"
    guard Directory.exists(table) else { return }
    let all = set.unlisted(but: negatives)
    // cupola split cannot add unreadable photos, so it is no remedy for them.
    let broken = PhotoSet.unreadable(
      Array(all.prefix(Self.mostRead)), decoder: PhotoDecoder())
    if let first = broken.first {
      let more = broken.count > 1 ? " (and \(broken.count - 1) more)" : ""
      Console.note(
        "warning: \(set.root)/\(first.name) is not used\(more): \(first.message)")
    }
    let names = Set(broken.map(\.name))
    let photos = all.filter { !names.contains($0.name) }
    guard !photos.isEmpty else { return }
    let folders = Set(photos.map { $0.name.split(separator: "/").dropLast() }).count
    let words = [set.root, "-o", table].map(ShellWord.quoted) + (allowOutside ? [Self.flag] : [])
    Console.note(
      "warning: \(FigureText.count(photos.count, "photo")) in \(FigureText.count(folders, "folder")) "
        + "\(photos.count == 1 ? "is" : "are") not listed in \(table) and not used; add them with: "
        + "cupola split \(words.joined(separator: " "))")
  }

  static func onlyTested(_ label: String, _ model: Model) -> String {
    let start = "\(label) has only test photos"
    guard let other = similarBuilding(to: label, model) else {
      return start + " and counts as an unknown building"
    }
    return start
      + " and looks like a misspelled \(other); correct it, or set the split of its photos to test_unknown"
  }

  /// Returns the building whose name is similar to a misspelled label.
  static func similarBuilding(to label: String, _ model: Model) -> String? {
    let buildings = model.labels.buildings.map { model.labels.names[$0] }
    return MisspelledLabel.all(of: [label], known: buildings).first?.meant
  }
}

struct ErrorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Limit wrong names, and names for unknown buildings and non-building photos, to this fraction each, such as 0.02. "
        + "Without it, only wrong names are limited (to 0.05), so 0.05 is stricter than the default.",
      valueName: "share"))
  var maxError: Double?

  func validate() throws { try Self.check(maxError) }

  static func check(_ maxError: Double?) throws {
    if let maxError, !(maxError > 0 && maxError < 1) {
      throw ValidationError("--max-error must be between 0 and 1, such as 0.02, not \(maxError)")
    }
  }

  func explain(_ point: Thresholds) {
    if let lack = point.reasonForNoNames {
      Console.note(
        "note: no photo gets a name: \(lack); use a larger --max-error to allow more wrong names")
    }
    guard let maxError else { return }
    if point.rejectsHighProbabilities {
      Console.note(
        "note: with --max-error \(maxError), photos that would get a name with 100.0% can be too uncertain, because photos "
          + "that show none of the buildings also reach such percentages")
    }
    for shortfall in point.shortfalls {
      Console.note("note: " + shortfall.text(point.maximumError))
    }
  }

  /// Warns of unreliable percentages if a model is not calibrated.
  func noteCalibration(of model: Model) {
    guard let note = model.calibrationNote else { return }
    Console.note(
      "note: \(note); photograph every building in one more session, if possible on another day, and train again"
    )
  }
}

/// `--max-error` for video. The guarantees for single photos do not apply to video.
struct LiveErrorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Maximum fraction of single photos of unknown buildings that get a name. A lower value means fewer names. "
        + "(default: 0.05)", valueName: "share"))
  var maxError: Double?

  func validate() throws { try ErrorOption.check(maxError) }

  func explain(_ point: Thresholds) { Self.explain(maxError, point) }

  static func explain(
    _ maxError: Double?, _ point: Thresholds, effect: String = "has no effect"
  ) {
    guard let maxError else { return }
    guard point.unknownNamed != nil else {
      return Console.note("note: --max-error \(effect): training did not hold out any buildings")
    }
    for shortfall in point.shortfalls where shortfall.kind == .unknownBuildings {
      let photos = FigureText.count(shortfall.photos, "photo")
      let sessions = shortfall.sessions.map { " of " + FigureText.count($0, "session") } ?? ""
      let needed = shortfall.sessions == nil ? "photos" : "sessions with photos"
      Console.note(
        "note: an error rate of \(FigureText.smallPercent(maxError)) requires \(shortfall.needed) \(needed) whose "
          + "building was left out, but training had \(photos)\(sessions); the threshold is above all of their scores"
      )
    }
  }
}

extension Thresholds.Shortfall {
  /// Returns why an error rate cannot be guaranteed.
  func text(_ error: Double) -> String {
    let (subject, plural) =
      switch kind {
      case .buildings: ("photo of a known building", "photos of known buildings")
      case .notBuildings: ("non-building photo", "non-building photos")
      // Each building is left out in turn, so its own photos show how the model treats an unknown building.
      case .unknownBuildings:
        ("photo whose building was left out", "photos whose building was left out")
      }
    let start =
      "an error rate of \(FigureText.smallPercent(error)) cannot be guaranteed: training held out "
    let least = "but at least \(needed) sessions in total are required"
    guard photos > 0 else { return start + "no \(plural), \(least)" }
    let held = "only \(photos) \(photos == 1 ? subject : plural)"
    let from = FigureText.count(sessions ?? photos, "session")
    return start + "\(held) from \(from), \(least)"
  }
}

struct CacheOptions: ParsableArguments {
  @Option(
    name: .customLong("cache"),
    help: ArgumentHelp(
      "Feature cache folder; see cupola cache. (default: ~/.cache/cupola)", valueName: "folder"))
  var folder: String?

  @Flag(help: "Do not read or write the feature cache.")
  var noCache = false

  // An empty path would refer to the current folder.
  func validate() throws { try PhotoArguments.checkPaths([folder]) }

  /// Opens the cache; returns `nil` if it is disabled. A folder that is not writable is used for reading only.
  func cache() -> FeatureCache? {
    guard !noCache, let folder = folder ?? Self.usualFolder else { return nil }
    let cache = FeatureCache(folder: folder)
    do {
      try cache.prepare()
    } catch {
      Console.note("warning: cannot write to the feature cache: \(error)")
    }
    return cache
  }

  /// The default folder, if it is used and does not exist yet.
  var newFolder: String? {
    guard !noCache, folder == nil, let usual = Self.usualFolder else { return nil }
    return Directory.exists(usual) ? nil : usual
  }

  static func warnOfFailure(of cache: FeatureCache?) {
    guard let cache, let failure = cache.failure, (try? cache.prepare()) != nil else { return }
    Console.note("warning: some features were not stored in \(cache.folder): \(failure.problem)")
  }

  /// The cache folder according to the XDG Base Directory specification, which ignores relative paths.
  static var usualFolder: String? {
    func folder(_ name: String) -> String? {
      Console.environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return folder("XDG_CACHE_HOME").map { $0 + "/cupola" }
      ?? folder("HOME").map { $0 + "/.cache/cupola" }
  }
}

struct ShardOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: "Folder to write the shard to.", completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp("Part to process, such as 3/8. (default: 1/1)", valueName: "i/n"),
    transform: ShardOptions.part)
  var shard: ShardPart?

  @Option(
    help: ArgumentHelp(
      "Shard name, if --split lists only a part.", valueName: "name"))
  var name: String?

  func validate() throws {
    try PhotoArguments.checkPaths([output])
    try reject(if: name != nil && shard != nil, "use --name or --shard, not both")
    if let name, name.isEmpty || name.hasPrefix(".") || name.contains("/") {
      throw ValidationError("--name must be a file name without folder or extension")
    }
  }

  var isEmpty: Bool { output == nil && shard == nil && name == nil }

  /// The part to process; `nil` if the shard has a name and therefore contains all listed photos.
  var part: ShardPart? { name == nil ? shard ?? ShardPart(1, of: 1) : nil }

  func path(besides input: String?) throws -> String? {
    guard let output else { return nil }
    try Directory.createAll(output)
    try FileAccess.checkFolder(of: output + "/")
    let path = (output.hasSuffix("/") ? output : output + "/") + fileName
    try OutputFile.check(path, as: "the shard", isNotAmong: [input])
    return path
  }

  private var fileName: String {
    if let name { return name + ".safetensors" }
    guard let part else { return "shard.safetensors" }
    let number = Digits.padded(part.number, to: "\(part.of)".count)
    return "shard-\(number)-of-\(part.of).safetensors"
  }

  private static func part(_ text: String) throws -> ShardPart {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let of = numbers[1], of <= 100_000,
      let part = ShardPart(number, of: of)
    else {
      throw ValidationError("\(text) is not a part; write the third of eight parts as 3/8")
    }
    return part
  }

  static func report(
    _ path: String, photos: Int, skipped: [SkippedFile], figures: JSONObject = [:],
    asJSON: Bool
  ) throws {
    if asJSON {
      let object: JSONObject = [
        "schema": "cupola.shard/1", "shard": path, "photos": photos,
        "skipped": SkippedFile.table(of: skipped).json,
      ]
      try Console.print(json: object.adding(figures))
    } else {
      Console.print("shard \(VisibleText.line(path)), \(FigureText.count(photos, "photo"))")
    }
    report(skipped)
  }

  static func report(_ skipped: [SkippedFile]) {
    for photo in skipped {
      Console.note(VisibleText.line("skipped: \(photo.name): \(photo.message)"))
    }
  }
}
