import ArgumentParser
import Cupola
import CupolaTraining

// Options of commands that train or measure:
// 1. `TableOptions` reads a folder of photos and its split table, and the non-building photos.
// 2. `ErrorOption` and `LiveErrorOption` read the error to promise and explain what cannot be kept.
// 3. `CacheOptions` opens the feature cache.
// 4. `ShardOptions` names a shard and reports it when it is written.

struct TableOptions: ParsableArguments {
  @Flag(help: "Accept a split.csv that lists photos outside of its folder.")
  var allowOutside = false

  /// The photos of a folder, and those of a folder of `--negatives`; tells what is left out of them.
  func sets(
    in folder: String, split: String?, negatives: String?
  ) throws -> (photos: PhotoSet, negatives: PhotoSet?) {
    let all = try PhotoSet(root: folder, splitFile: split, allowOutside: allowOutside)
    if split == nil { tellUnlisted(of: all, but: negatives) }
    guard let negatives else { return (all, nil) }
    var others = try self.negatives(in: negatives)
    let set = all.without(photosIn: negatives)
    let left = all.photos.count - set.photos.count
    try ensure(
      left == 0 || !set.photos.isEmpty, "All photos of \(folder) lie in --negatives \(negatives).")
    if left > 0 {
      // Else test photos would train because they are no buildings.
      others = others.divided(as: all)
      Console.note(
        "note: \(FigureText.count(left, "photo")) of \(folder) in \(negatives) count as negatives only"
      )
    }
    return (set, others)
  }

  private func negatives(in folder: String) throws -> PhotoSet {
    let set = try PhotoSet(negatives: folder, allowOutside: allowOutside)
    guard !(set.photos.isEmpty && set.skipped.isEmpty) else {
      throw TrainingError.noPhotos(path: folder)
    }
    return set
  }

  private static let flag = "--allow-outside"

  /// A table that was written once does not know what came later.
  private func tellUnlisted(of set: PhotoSet, but negatives: String?) {
    let table = set.root + "/split.csv"
    guard Directory.exists(table) else { return }
    let photos = set.unlisted(but: negatives)
    guard !photos.isEmpty else { return }
    let folders = Set(photos.map { $0.name.split(separator: "/").dropLast() }).count
    let words = [set.root, "-o", table].map(ShellWord.quoted) + (allowOutside ? [Self.flag] : [])
    // What somebody wrote by hand, cupola split would only replace by force, and deal anew.
    let cure =
      SplitTable.mayReplace(table)
      ? "cupola split \(words.joined(separator: " ")) takes them in" : "add a row for each"
    Console.note(
      "warning: \(FigureText.count(photos.count, "photo")) of \(FigureText.count(folders, "folder")) "
        + "\(photos.count == 1 ? "is" : "are") not in \(table), which rules here; \(cure)")
  }

  static func onlyTested(_ label: String, _ model: Model) -> String {
    let start = "\(label) has only test photos: "
    guard let other = meant(by: label, model) else {
      return start + "it counts as an unknown building"
    }
    return start
      + "cupola evaluate takes it for a misspelled \(other), unless they have the split test_unknown"
  }

  /// The building that ``TrainingError/check(_:in:against:)`` takes a label for.
  static func meant(by label: String, _ model: Model) -> String? {
    let buildings = model.labels.buildings.map { model.labels.names[$0] }
    return MisspelledLabel.all(of: [label], known: buildings).first?.meant
  }
}

struct ErrorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The share of wrong answers to promise, such as 0.02; given, it also holds for what is no building or did not "
        + "train (default: 0.05, of wrong names only).", valueName: "share"))
  var maxError: Double?

  func validate() throws { try Self.check(maxError) }

  static func check(_ maxError: Double?) throws {
    if let maxError, !(maxError > 0 && maxError < 1) {
      throw ValidationError("--max-error must be between 0 and 1, such as 0.02, not \(maxError).")
    }
  }

  /// Says where no photo gets a name, and what of an asked for promise cannot be kept.
  func explain(_ point: OperatingPoint) {
    if let lack = point.lackOfNames {
      Console.note(
        "note: no photo gets a name: \(lack); a larger --max-error allows more wrong ones")
    }
    guard maxError != nil else { return }
    for shortfall in point.shortfalls {
      Console.note("note: " + shortfall.text(point.maximumError, isAsked: true))
    }
  }
}

/// `--max-error` of what answers frames: several together get a name, which no promise about single photos holds for.
struct LiveErrorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The share of photos of buildings left out in training by which the line against such is drawn: the smaller, the "
        + "fewer names. Nothing is promised of frames (default: 0.05).", valueName: "share"))
  var maxError: Double?

  func validate() throws { try ErrorOption.check(maxError) }

  /// Says where an error that was asked for changes nothing, or takes more photos than were left out.
  func explain(_ point: OperatingPoint) { Self.explain(maxError, point) }

  static func explain(
    _ maxError: Double?, _ point: OperatingPoint, changed: String = "nothing"
  ) {
    guard let maxError else { return }
    guard point.unknownNamed != nil else {
      return Console.note(
        "note: --max-error changes \(changed) here: no building was left out when the model was "
          + "trained")
    }
    for shortfall in point.shortfalls where shortfall.kind == .unknownBuildings {
      let photos = FigureText.count(shortfall.photos, "photo")
      Console.note(
        "note: an error of \(FigureText.smallPercent(maxError)) takes \(shortfall.needed) photos of buildings left "
          + "out in training, and there were \(photos): the line is drawn above all of them")
    }
  }
}

extension OperatingPoint.Shortfall {
  /// A plain statement of what cannot be promised.
  ///
  /// - Parameter isAsked: whether the error is asked for, which then refuses what it cannot tell; the usual one does so
  ///   between buildings only.
  func text(_ error: Double, isAsked: Bool) -> String {
    let held =
      switch kind {
      case .buildings: "of buildings"
      case .notBuildings: "of no buildings"
      case .unknownBuildings: "of buildings left out"
      }
    let start = "an error of \(FigureText.smallPercent(error)) cannot be promised: "
    guard photos > 0 else {
      return start + "no photos \(held) were held out in training, \(needed) are needed"
    }
    let condition = isAsked || kind == .buildings ? "" : "with --max-error "
    let few = FigureText.count(photos, "held-out photo") + " \(held) \(photos == 1 ? "is" : "are")"
    return start + "\(few) too few, \(needed) are needed; "
      + "\(condition)only what is surer than every error seen is answered"
  }
}

struct CacheOptions: ParsableArguments {
  @Option(
    name: .customLong("cache"),
    help: ArgumentHelp(
      "Where features are kept for the next training (default: ~/.cache/cupola).",
      valueName: "folder"))
  var folder: String?

  @Flag(help: "Compute all features anew and keep none.")
  var noCache = false

  // Else the current folder would be filled.
  func validate() throws { try PhotoArguments.checkPaths([folder]) }

  /// The cache asked for; `nil` when none is wanted or there is no place for one.
  ///
  /// A folder that cannot be written is no reason to fail: it is told, and what is there is used.
  func cache() -> FeatureCache? {
    guard !noCache, let folder = folder ?? Self.usualFolder else { return nil }
    let cache = FeatureCache(folder: folder)
    do {
      try cache.prepare()
    } catch {
      Console.note("warning: no features are kept: \(error)")
    }
    return cache
  }

  /// Tells that not all features were kept, as where a disk is full, once the work is done.
  static func tellFailure(of cache: FeatureCache?) {
    // What could not even be begun was told then.
    guard let cache, let failure = cache.failure, (try? cache.prepare()) != nil else { return }
    Console.note("warning: not all features are kept in \(cache.folder): \(failure.problem)")
  }

  /// By the XDG base directory specification, which has relative paths ignored.
  private static var usualFolder: String? {
    func folder(_ name: String) -> String? {
      Console.environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return folder("XDG_CACHE_HOME").map { $0 + "/cupola" }
      ?? folder("HOME").map { $0 + "/.cache/cupola" }
  }
}

struct ShardOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: "The folder that the shard is written to.", completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp("Which part of how many, such as 3/8 (default: 1/1).", valueName: "i/n"),
    transform: ShardOptions.part)
  var shard: ShardPart?

  @Option(
    help: ArgumentHelp(
      "The shard's name, where --split lists a part of the photos that somebody else chose.",
      valueName: "name"))
  var name: String?

  func validate() throws {
    try PhotoArguments.checkPaths([output])
    try refuse(
      if: name != nil && shard != nil,
      "A shard has a --name or is a part by --shard: leave one out.")
    if let name, name.isEmpty || name.hasPrefix(".") || name.contains("/") {
      throw ValidationError("--name must be the name of a file, without folder and ending.")
    }
  }

  var isEmpty: Bool { output == nil && shard == nil && name == nil }

  /// `nil` when somebody else divided the photos.
  var part: ShardPart? { name == nil ? shard ?? ShardPart(1, of: 1) : nil }

  /// The file to write, in a folder that is made; `nil` when nothing is to be written.
  func path(besides input: String?) throws -> String? {
    guard let output else { return nil }
    try Directory.createAll(output)
    try FileAccess.checkFolder(of: output + "/")
    let path = (output.hasSuffix("/") ? output : output + "/") + fileName
    try OutputFile.check(path, as: "the shard", isNoneOf: [input])
    return path
  }

  /// With as many digits each, so that names sort.
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
    else { throw ValidationError("\(text) is no part; the third of eight is 3/8.") }
    return part
  }

  static func tell(
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
    tell(skipped)
  }

  static func tell(_ skipped: [SkippedFile]) {
    for photo in skipped {
      Console.note(VisibleText.line("skipped: \(photo.name): \(photo.message)"))
    }
  }
}
