public import ArgumentParser
public import Cupola
import CupolaTraining
import Synchronization

// 1. Read the photos or shards, the map, and the model to go on from.
// 2. Train, and show the progress of each step.
// 3. Write the model, and print the summary and warnings.

struct Train: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Learns the buildings in a folder of photos.",
    discussion: """
      PHOTOS has a folder for each building with its JPEG photos in it or below, or train, val and test \
      folders of such folders, or a split.csv (path,label,split[,group]). Folders whose names begin \
      with _ hold things that are no buildings. Photos of one group, burst or viewpoint stay together \
      when settings are chosen by cross-validation. Cupola adds drawn pictures of no buildings (_drawn, _drawn_landscape).

      EXAMPLES
        cupola train photos -o campus.safetensors
        cupola train photos -o campus.safetensors --campus campus.geojson \\
          --negatives streets
        cupola train photos --update campus.safetensors -o campus.safetensors \\
          --negatives streets
        cupola train --features shards -o campus.safetensors --campus campus.geojson
      """)

  @Argument(help: "The folder of photos.", completion: .directory)
  var photos: String?

  @Option(
    name: .shortAndLong, help: "The model file to write.",
    completion: .file(extensions: ["safetensors"]))
  var output: String

  @Option(
    help: "The map of the grounds, GeoJSON: geofence and catalog.",
    completion: .file(extensions: ["geojson", "json"]))
  var campus: String?

  @Option(help: "A folder of photos of things that are no buildings.", completion: .directory)
  var negatives: String?

  @Option(
    help: "A table path,label,split[,group] instead of PHOTOS/split.csv.",
    completion: .file(extensions: ["csv"]))
  var split: String?

  @Option(
    help: ArgumentHelp(
      "A model to go on from: its features, map and seed are kept, and only new photos described.",
      valueName: "model"))
  var update: String?

  @Flag(
    help: "With --update of a retrieval model: what it remembers and PHOTOS have not stays.")
  var add = false

  @Option(
    help: ArgumentHelp(
      "fisher (the default), or hog: smaller and faster, but only for one viewpoint. Or instead of PHOTOS a "
        + "folder of shards that cupola features made.", valueName: "kind or folder"))
  var features: String?

  @Option(help: "Of fisher: fast, balanced (the default) or best.")
  var preset: Preset?

  @Option(
    help: ArgumentHelp(
      "softmax, or retrieval, which remembers photos: for hundreds of buildings and more (default: by their number).",
      valueName: "kind"))
  var classifier: ClassifierKind?

  @Option(help: "How the model stores its weights: float32 (the default), or smaller.")
  var weights: WeightFormat?

  @Option(help: "Seed of everything random (default: 0).")
  var seed: UInt64?

  @Option(
    name: [.long, .customLong("regularisation")],
    help: "Inverse strength of regularization (default: chosen by cross-validation).")
  var regularization: Double?

  @Flag(help: "Do not add the drawn pictures of no buildings that Cupola brings.")
  var noDrawnNegatives = false

  @Flag(name: .shortAndLong, help: "Also show how the settings were chosen.")
  var verbose = false

  @Flag(help: "End with code 1 when a photo was skipped.")
  var strict = false

  @Flag(help: "Print the summary as JSON.")
  var json = false

  @OptionGroup var cacheOptions: CacheOptions
  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, output, campus, negatives, split, update, features])
    try OutputFile.checkIsNoStream(output, for: "models")
    if let regularization, !(1e-12...1e12).contains(regularization) {
      throw ValidationError(
        "--regularization must be from 1e-12 to 1e12, not \(regularization).")
    }
    if classifier == .retrieval, regularization != nil || weights.map({ $0 != .float16 }) ?? false {
      throw ValidationError(
        "A retrieval classifier has no regularization and stores halves: leave out --regularization and --weights."
      )
    }
    try refuse(if: add && update == nil, "--add goes with --update.")
    try refuse(
      if: add && classifier == .softmax,
      "Only a retrieval classifier can be added to: leave out --add.")
    try refuse(
      if: update != nil && (features != nil || preset != nil || noDrawnNegatives),
      "--update keeps the model's features: leave out --features and --preset, and --no-drawn-negatives."
    )
    try Preset.check(preset, of: kind)
    if photos != nil, let features, kind == nil {
      throw ValidationError(
        "--features is fisher or hog, not \(features); for a folder of shards leave out PHOTOS.")
    }
    if photos == nil { try checkShards() }
  }

  func run() async throws {
    let base = try await ExitStatus.reporting(about: update) {
      let base = try update.map(Self.baseModel)
      try checkOptions(beside: base)
      return base
    }
    try FileAccess.checkFolder(of: output)
    try OutputFile.check(output, isNoneOf: namedInputs)
    let trainer = try trainer(from: base)
    let progress = TrainingSteps(quiet: common.quiet)
    let (result, material) = try await result(of: trainer) { progress.update($0) }
    let bytes = try result.model.bytes()
    // What could not be read must not replace what can.
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
    CacheOptions.tellFailure(of: trainer.cache)
    if let note = MapMessages.note(result.labelMatching) { Console.note(note) }
    for warning in summary.warnings { Console.note("warning: " + warning) }
    guard !summary.skipped.isEmpty else { return }
    let skipped = FigureText.count(summary.skipped.count, "photo")
    Console.note(
      "skipped: \(skipped); the rest trained" + (strict ? "" : " (--strict: an error)"))
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
    let material = try material(in: photos)
    let result = try await namingMap {
      do {
        return try await trainer.train(on: material.photos, progress: progress)
      } catch TrainingError.noUsablePhotos {
        throw TrainingError.noUsablePhotos(path: photos, failures: material.photos.count)
      }
    }
    return (result, material)
  }

  /// The trainer knows a map, but not where it comes from.
  private func namingMap<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch TrainingError.badCampus(let error) {
      throw MapFile.Failure(path: campus ?? update ?? photos ?? "", error: error)
    }
  }

  /// The features that are named; `nil` when none are, or a folder of shards.
  var kind: FeatureKind? { features.flatMap(FeatureKind.init) }

  /// The folder of shards; `nil` without one.
  var shards: String? { kind == nil ? features : nil }

  /// What is read beside photos, but for the model to go on from, which the new one may replace.
  private var namedInputs: [String?] {
    [campus] + OutputFile.tables(split, in: [photos, negatives]) + OutputFile.files(in: shards)
  }

  private static func baseModel(_ path: String) throws -> Model {
    let model = try Model(contentsOf: path)
    model.noteDigest(path: path)
    guard !model.provenance.photoDigests.isEmpty else {
      throw CupolaError.badModel(
        .inconsistent("it does not say which photos trained it; train it once without --update"))
    }
    return model
  }

  private func trainer(from base: Model?) throws -> Trainer {
    var trainer = base.map(Trainer.init(updating:)) ?? Trainer()
    trainer.keepsOthers = add
    // An updated model keeps what it had.
    if base == nil {
      trainer.describe(by: kind, preset)
      if noDrawnNegatives { trainer.addsDrawnNegatives = false }
    }
    if let campus { trainer.campus = try MapFile.campus(campus) }
    if let seed { trainer.seed = seed }
    if let weights { trainer.weightFormat = weights }
    let asked = Self.askedClassifier(classifier, regularization: regularization, weights: weights)
    if let asked { trainer.classifier = asked }
    if let regularization { trainer.regularization = regularization }
    trainer.use(common, cacheOptions)
    return trainer
  }

  private func material(in photos: String) throws -> TrainingMaterial {
    let (set, others) = try tables.sets(in: photos, split: split, negatives: negatives)
    let sets = [set] + (others.map { [$0] } ?? [])
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: photos) }
    try OutputFile.check(output, isNoneOf: sets.flatMap(\.photos).map { $0.path })
    let chosen = sets.flatMap { $0.photos(for: [.train, .val]) }
    guard !chosen.isEmpty else { throw TrainingError.emptyPart("train") }
    return TrainingMaterial(
      photos: chosen, heldBack: sets.reduce(0) { $0 + $1.photos.count } - chosen.count,
      testOptions: testOptions(for: set, others),
      skipped: sets.flatMap(\.skipped), onlyTested: set.onlyTested,
      ignored: sets.reduce(into: IgnoredFiles()) { $0.add($1.ignoredFiles) })
  }

  /// See ``TrainingMaterial/testOptions``; those that trained may not be measured with.
  private func testOptions(for set: PhotoSet, _ others: PhotoSet?) -> [String]? {
    func holdsBack(_ set: PhotoSet) -> Bool {
      set.photos(for: [.train, .val]).count < set.photos.count
    }
    guard holdsBack(set) else { return nil }
    var options: [String] = []
    if let split { options += ["--split", split] }
    if let negatives, let others, holdsBack(others) { options += ["--negatives", negatives] }
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

  /// Refuses a size of features that have none, rather than to pass it over.
  static func check(_ preset: Preset?, of kind: FeatureKind?) throws {
    try ensure(
      preset == nil || kind != .hog, "--preset is of fisher: leave it out with --features hog.")
  }
}

extension Train {
  /// The kind that is named, or that alone has what else is asked for: chosen by the number of buildings, the other one would
  /// pass it over.
  static func askedClassifier(
    _ named: ClassifierKind?, regularization: Double?, weights: WeightFormat?
  ) -> ClassifierKind? {
    let isOfSoftmax = regularization != nil || weights.map { $0 != .float16 } ?? false
    return named ?? (isOfSoftmax ? .softmax : nil)
  }

  /// Refuses a training without photos and shards, and what says nothing to shards.
  func checkShards() throws {
    try ensure(shards != nil, "Name the folder of photos, or that of shards with --features.")
    try refuse(
      if: preset != nil || seed != nil || split != nil || negatives != nil || common.lenient
        || tables.allowOutside,
      "Shards have their photos, recipe and seed: leave out --preset, --seed, --split, --negatives, "
        + "--allow-outside and --lenient.")
  }

  /// Refuses options that say nothing to the model that is gone on from, which is known only once it is read.
  func checkOptions(beside base: Model?) throws {
    try refuse(
      if: add && base?.classifierKind != .retrieval,
      "a softmax classifier cannot be added to, only a retrieval one; leave out --add and give all "
        + "photos")
    guard base?.classifierKind == .retrieval, classifier != .softmax else { return }
    if regularization != nil || seed != nil || weights.map({ $0 != .float16 }) ?? false {
      throw ValidationError(
        "a retrieval model is only added to and stores halves; leave out --regularization, --seed and --weights"
      )
    }
  }
}

struct TrainingMaterial {
  var photos: [LabeledPhoto] = []
  var heldBack = 0
  /// What `cupola evaluate` needs beside the folder to ask about those that are held back; `nil` where none of the folder
  /// itself is.
  var testOptions: [String]?
  var skipped: [SkippedFile] = []
  /// Buildings that do not train, but for the test.
  var onlyTested: [String] = []
  var ignored = IgnoredFiles()
}

extension Trainer {
  /// Sets which features it computes, where that is asked for.
  mutating func describe(by kind: FeatureKind?, _ preset: Preset?) {
    if let preset { recipe = .fisher(preset.settings) }
    if kind == .hog { recipe = .hog }
  }

  mutating func use(_ common: CommonOptions, _ cacheOptions: CacheOptions) {
    (decoder, threads, cache) = (common.decoder, common.threads, cacheOptions.cache())
  }
}

/// Tells on stderr which step of a training is under way, and how far it is.
final class TrainingSteps: Sendable {
  private let isQuiet: Bool
  private let current = Mutex<(step: TrainingProgress.Step, progress: Progress)?>(nil)

  init(quiet: Bool) { isQuiet = quiet }

  func update(_ news: TrainingProgress) {
    let progress = current.withLock { current in
      if let current, current.step == news.step { return current.progress }
      let title = "step \(news.number) of \(news.count), \(Self.title(of: news.step))"
      let progress = Progress(title, total: news.total, quiet: isQuiet)
      current = (news.step, progress)
      return progress
    }
    progress.update(news.done)
  }

  private static func title(of step: TrainingProgress.Step) -> String {
    switch step {
    case .learningFeatures: "learning features"
    case .describingPhotos: "describing photos"
    case .choosingSettings: "choosing settings"
    case .leavingBuildingsOut: "leaving buildings out"
    case .fitting: "fitting"
    }
  }
}

extension ClassifierKind: ExpressibleByArgument {}

extension WeightFormat: ExpressibleByArgument {}
