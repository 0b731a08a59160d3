public import ArgumentParser
public import Cupola
import CupolaTraining
import Synchronization

// 1. Read the photos or shards, the map, and the model to update.
// 2. Train, and display the progress of each step.
// 3. Write the model, and print the summary and warnings.

struct Train: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a model on a folder of photos.",
    discussion: """
      PHOTOS contains one folder of JPEG photos for each building, train, val and test folders with one folder for \
      each building, or a split.csv (path,label,split[,group]). Folders whose names begin with _ contain non-building \
      photos. Cross-validation, which chooses the settings, keeps the photos of a session together, as cupola split \
      does. Cupola adds rendered images as non-building photos (_drawn, _drawn_landscape). If PHOTOS has test \
      photos, a fifth of --negatives is also set aside for cupola evaluate, unless that folder has a split.csv.

      EXAMPLES
        cupola train photos -o campus.safetensors
        cupola train photos -o campus.safetensors --campus campus.geojson \\
          --negatives streets
        cupola train photos --update campus.safetensors -o campus.safetensors \\
          --negatives streets
        cupola train --features shards -o campus.safetensors --campus campus.geojson
      """)

  @Argument(help: "Photo folder.", completion: .directory)
  var photos: String?

  @Option(
    name: .shortAndLong, help: "Model file to write.",
    completion: .file(extensions: ["safetensors"]))
  var output: String

  @Option(
    help: "Campus map (GeoJSON or CSV) with fence and buildings.",
    completion: .file(extensions: ["geojson", "json", "csv"]))
  var campus: String?

  @Option(help: "Folder of non-building photos.", completion: .directory)
  var negatives: String?

  @Option(
    help: "Split table to use instead of PHOTOS/split.csv.",
    completion: .file(extensions: ["csv"]))
  var split: String?

  @Option(
    help: ArgumentHelp(
      "Model to update; keeps its features, map and seed, and processes only new photos.",
      valueName: "model"))
  var update: String?

  @Flag(
    help: "With --update of a retrieval model, keep its stored photos that are not in PHOTOS."
  )
  var add = false

  @Option(
    help: ArgumentHelp(
      "Kind of features: fisher, or hog (small and fast, but for a single viewpoint). Or, instead of PHOTOS, a "
        + "folder of shards from cupola features. (default: fisher)", valueName: "kind or folder"))
  var features: String?

  @Option(help: "Size of the fisher features. (default: balanced)")
  var preset: Preset?

  @Option(
    help: ArgumentHelp(
      "Kind of classifier; retrieval stores photos, for hundreds of buildings. (default: by number of buildings)",
      valueName: "kind"))
  var classifier: ClassifierKind?

  @Option(help: "Storage format of the weights. (default: float32)")
  var weights: WeightFormat?

  @Option(help: "Random seed. (default: 0)")
  var seed: UInt64?

  @Option(
    name: [.long, .customLong("regularisation")],
    help: "Inverse of the regularization strength. (default: by cross-validation)")
  var regularization: Double?

  @Flag(help: "Do not add rendered non-building images.")
  var noDrawnNegatives = false

  @Option(
    help: ArgumentHelp(
      "Expected fraction of visitors' photos that show unknown buildings; with a higher value, the model names fewer. "
        + "(default: 1/3)", valueName: "fraction"))
  var unknownVisits: Double?

  @Flag(help: "Do not store what detects unknown buildings (26 kB per building).")
  var noNoveltyDetector = false

  @Flag(name: .shortAndLong, help: "Also show all labels and how the settings were chosen.")
  var verbose = false

  @Flag(help: "Exit with code 1 if a photo was skipped.")
  var strict = false

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var tracks: TrackOptions
  @OptionGroup var cacheOptions: CacheOptions
  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, output, campus, negatives, split, update, features])
    try OutputFile.checkIsFile(output, for: "models")
    if let regularization, !(1e-12...1e12).contains(regularization) {
      throw ValidationError("--regularization must be 1e-12 to 1e12, not \(regularization)")
    }
    if let unknownVisits, !(unknownVisits > 0 && unknownVisits < 1) {
      throw ValidationError("--unknown-visits must be between 0 and 1, not \(unknownVisits)")
    }
    if classifier == .retrieval, regularization != nil || weights.map({ $0 != .float16 }) ?? false {
      throw ValidationError(
        "--classifier retrieval has no regularization and stores float16 weights; leave out --regularization and "
          + "--weights")
    }
    try reject(if: add && update == nil, "--add requires --update")
    try reject(
      if: add && classifier == .softmax, "--add requires a retrieval classifier; leave out --add")
    try reject(
      if: update != nil && (features != nil || preset != nil || noDrawnNegatives),
      "--update keeps the features of the model; leave out --features, --preset and --no-drawn-negatives"
    )
    try Preset.check(preset, of: kind)
    if photos != nil, let features, kind == nil {
      throw ValidationError(
        "--features must be fisher or hog, not \(features); to use a folder of shards, leave out PHOTOS"
      )
    }
    if photos == nil { try checkShards() }
  }

  func run() async throws {
    let base = try await ExitStatus.reporting(about: update) {
      let base = try update.map(Self.baseModel)
      try checkOptions(with: base)
      return base
    }
    try FileAccess.checkFolder(of: output)
    try OutputFile.check(output, isNotAmong: namedInputs)
    let newCache = cacheOptions.newFolder
    let positions = try tracks.positions()
    var trainer = try trainer(from: base)
    trainer.decoder = trainer.decoder.locating(by: positions)
    let progress = TrainingSteps(quiet: common.quiet, rendered: trainer.describedDrawings)
    let (result, material) = try await result(of: trainer) { progress.update($0) }
    let bytes = try result.model.bytes()
    // Check that the model can be read before it replaces an existing file.
    _ = try Model(bytes: bytes)
    try FileAccess.write(bytes, to: output)
    let summary = TrainingSummary(
      result, material: material, from: photos ?? shards ?? "",
      update: base.map { UpdateSummary(of: $0, path: update ?? "", by: result) },
      path: output, size: bytes.count,
      digest: SHA256.hexadecimal(of: bytes))
    if json {
      try Console.print(json: summary.json)
    } else {
      Console.print(summary.text(verbose: verbose))
    }
    CacheOptions.warnOfFailure(of: trainer.cache)
    if let newCache, !common.quiet {
      Console.note("note: features are cached in \(newCache); cupola cache shows and clears them")
    }
    if let positions { Console.note(positions.summary) }
    if let note = MapMessages.note(result.labelMatching) { Console.note(note) }
    for warning in summary.warnings { Console.note("warning: " + warning) }
    guard !summary.skipped.isEmpty else { return }
    let skipped = FigureText.count(summary.skipped.count, "photo")
    Console.note(
      "skipped: \(skipped)" + (strict ? "" : " (use --strict to exit with an error)"))
    if strict { throw ExitStatus.someFailed }
  }

  private func result(
    of trainer: Trainer, progress: @escaping @Sendable (TrainingProgress) -> Void
  ) async throws -> (TrainingResult, TrainingMaterial) {
    guard let photos else {
      let shards = try FeatureShards(folder: shards ?? "")
      let result = try await namingMap { try await trainer.train(on: shards, progress: progress) }
      return (result, TrainingMaterial())
    }
    let material = try await material(in: photos)
    let result = try await namingMap {
      do {
        return try await trainer.train(on: material.photos, progress: progress)
      } catch TrainingError.noUsablePhotos {
        throw TrainingError.noUsablePhotos(path: photos, failures: material.photos.count)
      }
    }
    return (result, material)
  }

  private func namingMap<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch TrainingError.badCampus(let error) {
      throw MapFile.Failure(path: campus ?? update ?? photos ?? "", error: error)
    }
  }

  var kind: FeatureKind? { features.flatMap(FeatureKind.init) }

  var shards: String? { kind == nil ? features : nil }

  /// The input files except photos, and except the model to update, which may be overwritten.
  private var namedInputs: [String?] {
    [campus] + OutputFile.tables(split, in: [photos, negatives]) + OutputFile.files(in: shards)
  }

  private static func baseModel(_ path: String) throws -> Model {
    let model = try Model(contentsOf: path)
    model.noteDigest(path: path)
    guard !model.provenance.photoDigests.isEmpty else {
      throw CupolaError.badModel(
        .inconsistent("it does not list its training photos; train once without --update"))
    }
    return model
  }

  private func trainer(from base: Model?) throws -> Trainer {
    var trainer = base.map(Trainer.init(updating:)) ?? Trainer()
    trainer.keepsOthers = add
    // An updated model keeps its features and rendered images.
    if base == nil {
      trainer.describe(by: kind, preset)
      if noDrawnNegatives { trainer.addsDrawnNegatives = false }
    }
    if let campus { trainer.campus = try MapFile.optionalCampus(campus) }
    if let seed { trainer.seed = seed }
    if let weights { trainer.weightFormat = weights }
    let asked = Self.askedClassifier(classifier, regularization: regularization, weights: weights)
    if let asked { trainer.classifier = asked }
    if let regularization { trainer.regularization = regularization }
    if noNoveltyDetector { trainer.detectsNovelty = false }
    if let unknownVisits { trainer.unknownVisits = unknownVisits }
    trainer.use(common, cacheOptions)
    return trainer
  }

  private func material(in photos: String) async throws -> TrainingMaterial {
    let (set, others) = try await tables.trainingSets(
      in: photos, split: split, negatives: negatives, common)
    let sets = [set] + (others.map { [$0] } ?? [])
    guard !set.photos.isEmpty else { throw set.noPhotos(in: photos) }
    TableOptions.warnOfLayout(set)
    try OutputFile.check(output, isNotAmong: sets.flatMap(\.photos).map { $0.path })
    let chosen = sets.flatMap { $0.photos(for: [.train, .val]) }
    guard !chosen.isEmpty else { throw TrainingError.emptyPart("train") }
    return TrainingMaterial(
      photos: chosen,
      setAside: sets.flatMap(\.photos).filter { [.test, .testUnknown].contains($0.split) },
      testOptions: testOptions(for: set, others),
      canSplit: split == nil && update == nil && !set.isDivided,
      skipped: sets.flatMap(\.skipped), onlyTested: set.onlyTested,
      ignored: sets.reduce(into: IgnoredFiles()) { $0.add($1.ignoredFiles) })
  }

  private func testOptions(for set: PhotoSet, _ others: PhotoSet?) -> [String]? {
    func holdsBack(_ set: PhotoSet) -> Bool {
      set.photos(for: [.train, .val]).count < set.photos.count
    }
    guard holdsBack(set) else { return nil }
    var options: [String] = []
    if let split { options += ["--split", split] }
    if let negatives, let others, holdsBack(others) { options += ["--negatives", negatives] }
    options += tracks.track.flatMap { ["--track", $0] }
    if let zone = tracks.trackZone { options += ["--track-zone", zone] }
    if tables.allowOutside { options.append("--allow-outside") }
    return options
  }
}

enum FeatureKind: String, ExpressibleByArgument, CaseIterable {
  case fisher, hog
}

enum Preset: String, ExpressibleByArgument, CaseIterable {
  case fast, balanced, best

  var settings: FisherSettings {
    switch self {
    case .fast: .fast
    case .balanced: .balanced
    case .best: .best
    }
  }

  static func check(_ preset: Preset?, of kind: FeatureKind?) throws {
    try ensure(
      preset == nil || kind != .hog,
      "--preset applies to fisher features; leave it out with --features hog")
  }
}

extension Train {
  /// Returns the requested classifier, or softmax if other options apply only to softmax.
  static func askedClassifier(
    _ named: ClassifierKind?, regularization: Double?, weights: WeightFormat?
  ) -> ClassifierKind? {
    let isOfSoftmax = regularization != nil || weights.map { $0 != .float16 } ?? false
    return named ?? (isOfSoftmax ? .softmax : nil)
  }

  func checkShards() throws {
    try ensure(shards != nil, "missing PHOTOS, or a folder of shards with --features")
    try reject(
      if: preset != nil || seed != nil || split != nil || negatives != nil || common.lenient
        || tables.allowOutside || !tracks.track.isEmpty,
      "shards determine the photos, features and seed; leave out --preset, --seed, --split, --negatives, "
        + "--allow-outside, --track and --lenient")
  }

  func checkOptions(with base: Model?) throws {
    try reject(
      if: add && base?.classifierKind != .retrieval,
      "--add requires a retrieval model, not a softmax model; leave out --add and give all photos")
    guard base?.classifierKind == .retrieval, classifier != .softmax else { return }
    if regularization != nil || seed != nil || weights.map({ $0 != .float16 }) ?? false {
      throw ValidationError(
        "a retrieval model keeps its seed, has no regularization and stores float16 weights; leave out "
          + "--regularization, --seed and --weights")
    }
  }
}

struct TrainingMaterial {
  var photos: [LabeledPhoto] = []
  /// The test photos.
  var setAside: [LabeledPhoto] = []
  /// The options for evaluating with the test photos; `nil` if the folder has no test photos.
  var testOptions: [String]?
  /// Whether `cupola split` can set photos aside, because the photo folder has neither a table nor parts. An updated
  /// model can have trained on all photos before.
  var canSplit = false
  var skipped: [SkippedFile] = []
  var onlyTested: [String] = []
  var ignored = IgnoredFiles()
}

extension Trainer {
  mutating func describe(by kind: FeatureKind?, _ preset: Preset?) {
    if let preset { recipe = .fisher(preset.settings) }
    if kind == .hog { recipe = .hog }
  }

  mutating func use(_ common: CommonOptions, _ cacheOptions: CacheOptions) {
    (decoder, threads, cache) = (common.decoder, common.threads, cacheOptions.cache())
  }
}

final class TrainingSteps: Sendable {
  private let isQuiet: Bool
  /// The number of rendered images, which are counted like photos.
  private let rendered: Int
  private let current = Mutex<(step: TrainingProgress.Step, progress: Progress)?>(nil)

  init(quiet: Bool, rendered: Int) { (isQuiet, self.rendered) = (quiet, rendered) }

  func update(_ news: TrainingProgress) {
    let progress = current.withLock { current in
      if let current, current.step == news.step { return current.progress }
      let progress = Progress(title(of: news.step), total: news.total, quiet: isQuiet)
      current = (news.step, progress)
      return progress
    }
    progress.update(news.done)
  }

  private func title(of step: TrainingProgress.Step) -> String {
    switch step {
    case .learningFeatures: "learning features"
    case .describingPhotos:
      rendered > 0
        ? "computing features (also of \(rendered) rendered images)" : "computing features"
    case .choosingSettings: "choosing settings"
    case .scoringUnknownBuildings: "holding out buildings"
    case .fitting: "fitting"
    }
  }
}

extension ClassifierKind: ExpressibleByArgument {}

extension WeightFormat: ExpressibleByArgument {}
