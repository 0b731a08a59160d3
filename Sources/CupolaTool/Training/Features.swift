import ArgumentParser
import Cupola
import CupolaTraining

// 1. List the photos.
// 2. Read the mixture. If there is none, learn it and write it.
// 3. Compute features for the photos in this part, and write the shard.

struct Features: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "features",
    abstract: "Compute the features for one part of the photos.",
    discussion: """
      To train on many machines, let each one process one part (shard) of the photos. cupola train --features \
      combines the shards. The model is byte for byte the same as one trained on a single machine, for any number of \
      shards. The features have parameters that are learned from a sample of the photos (the mixture), and all \
      machines must use the same ones. If every machine has all of PHOTOS, each learns the same mixture. Otherwise, \
      distribute one with --mixture.

      EXAMPLES
        cupola features photos --shard 3/8 -o shards
        cupola features photos --mixture mixture.safetensors
        cupola features . --split part.csv --mixture mixture.safetensors \\
          --name part-3 -o shards
        cupola train --features shards -o campus.safetensors
      """)

  @Argument(help: "Photo folder, as for cupola train.", completion: .directory)
  var photos: String

  @OptionGroup var shards: ShardOptions

  @Option(
    help: ArgumentHelp(
      "Mixture file; if missing, learned from PHOTOS and written.", valueName: "file"),
    completion: .file(extensions: ["safetensors"]))
  var mixture: String?

  @Option(help: "Folder of non-building photos.", completion: .directory)
  var negatives: String?

  @Flag(help: "Treat PHOTOS as non-building photos.")
  var asNegatives = false

  @Option(
    help: "Split table to use instead of PHOTOS/split.csv.",
    completion: .file(extensions: ["csv"]))
  var split: String?

  @Option(
    name: .customLong("features"),
    help: "Kind of features; hog is small and fast, but for a single viewpoint. (default: fisher)")
  var kind: FeatureKind?

  @Option(help: "Size of the fisher features. (default: balanced)")
  var preset: Preset?

  @Option(help: "Random seed. (default: 0)")
  var seed: UInt64?

  @Flag(help: "Exit with code 1 if a photo was skipped.")
  var strict = false

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var tracks: TrackOptions
  @OptionGroup var cacheOptions: CacheOptions
  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, mixture, negatives, split])
    try OutputFile.checkIsFile(mixture, as: "--mixture", for: "mixtures")
    try ensure(
      shards.output != nil || mixture != nil,
      "missing --output (shard folder) or --mixture")
    try reject(
      if: shards.output == nil
        && (json || asNegatives || shards.shard != nil || shards.name != nil
          || !tracks.track.isEmpty),
      "--shard, --name, --as-negatives, --track and --json require --output (shard folder)")
    try reject(
      if: asNegatives && negatives != nil, "use --as-negatives or --negatives, not both")
    try Preset.check(preset, of: kind)
    try reject(
      if: (asNegatives || shards.name != nil) && mixture == nil,
      "--name and --as-negatives require --mixture, learned from all photos")
  }

  func run() async throws {
    do {
      try await describe()
    } catch TrainingError.noUsablePhotos(_, let failures) {
      throw split.map { TrainingError.noneUsable(ofListed: $0, photos: failures) }
        ?? .noUsablePhotos(path: photos, failures: failures)
    }
  }

  private func describe() async throws {
    let positions = try tracks.positions()
    let listed = try await listed()
    try checkOutputs()
    let plan = try await plan(for: listed)
    guard let path = try shards.path(besides: mixture) else {
      ShardOptions.report(listed.skipped)
      if strict, !listed.skipped.isEmpty { throw ExitStatus.someFailed }
      return
    }
    var describer = ShardDescriber(plan: plan)
    (describer.cache, describer.threads) = (cacheOptions.cache(), common.threads)
    describer.locate = common.decoder.locating(by: positions).locate
    let count = listed.photos.count + listed.negatives.count
    let progress = Progress(
      "computing features", total: shards.part?.count(of: count) ?? count, quiet: common.quiet)
    let summary = try await describer.write(
      listed.photos, negatives: listed.negatives, part: shards.part, to: path
    ) { progress.update($0) }
    CacheOptions.warnOfFailure(of: describer.cache)
    let skipped = listed.skipped + summary.skipped
    try ShardOptions.report(
      path, photos: summary.photos, skipped: skipped,
      figures: ["features_reused": summary.reused], asJSON: json)
    if let positions { Console.note(positions.summary) }
    // Training needs the shard even if it is empty, but report a machine that cannot read any photo.
    let isEmpty = summary.photos == 0 && !summary.skipped.isEmpty
    if isEmpty {
      let failure = TrainingError.noneUsable(ofListed: path, photos: summary.skipped.count)
      Console.error("\(failure)")
    }
    if isEmpty || strict && !skipped.isEmpty { throw ExitStatus.someFailed }
  }

  private func checkOutputs() throws {
    if let output = shards.output { try Directory.checkCreation(of: output) }
    if let mixture, canLearnMixture, !Directory.exists(mixture) {
      try FileAccess.checkFolder(of: mixture)
    }
  }

  /// Whether PHOTOS contains all photos. Only then can a mixture be learned from them.
  private var canLearnMixture: Bool { shards.name == nil && !asNegatives }

  // MARK: - Photos

  private struct Listed {
    var photos: [LabeledPhoto] = []
    var negatives: [LabeledPhoto] = []
    var skipped: [SkippedFile] = []
  }

  private func listed() async throws -> Listed {
    let parts: Set<Split> = [.train, .val]
    var listed = Listed()
    if asNegatives {
      let set = try PhotoSet(
        negatives: photos, splitFile: split, allowOutside: tables.allowOutside)
      (listed.negatives, listed.skipped) = (set.photos(for: parts), set.skipped)
    } else {
      let (set, others) = try await tables.trainingSets(
        in: photos, split: split, negatives: negatives,
        isShard: shards.part.map { $0.of > 1 } ?? false, common)
      TableOptions.warnOfLayout(set)
      listed.photos = set.photos(for: parts)
      listed.negatives = others?.photos(for: parts) ?? []
      listed.skipped = set.skipped + (others?.skipped ?? [])
    }
    guard !(listed.photos + listed.negatives).isEmpty else {
      ShardOptions.report(listed.skipped)
      throw TrainingError.noPhotos(path: split ?? photos)
    }
    return listed
  }

  // MARK: - Mixture

  private func plan(for listed: Listed) async throws -> FeaturePlan {
    if let mixture, Directory.exists(mixture) {
      try ensure(
        kind == nil && preset == nil && seed == nil,
        "\(mixture) exists and determines the features; leave out --features, --preset and --seed")
      let plan = try FeaturePlan(contentsOf: mixture)
      // Otherwise, messages about damaged photos would suggest --lenient although it was given.
      try ensure(
        plan.lenient || !common.lenient,
        "\(mixture) was created without --lenient; create it again with --lenient, or omit --lenient"
      )
      if shards.output == nil {
        Console.note("mixture \(VisibleText.line(mixture)) exists and was not changed")
      }
      return plan
    }
    guard canLearnMixture else { return try FeaturePlan(contentsOf: mixture ?? "") }
    var trainer = Trainer()
    trainer.describe(by: kind, preset)
    if let seed { trainer.seed = seed }
    trainer.use(common, cacheOptions)
    let plan = try await trainer.plan(for: listed.photos + listed.negatives)
    if let mixture {
      try plan.write(to: mixture)
      Console.note("mixture \(VisibleText.line(mixture))")
    }
    return plan
  }
}
