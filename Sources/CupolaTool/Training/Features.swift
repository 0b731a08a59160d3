import ArgumentParser
import Cupola
import CupolaTraining

// 1. List the photos.
// 2. Read the mixture, or learn it and write it.
// 3. Describe the photos of this part and write the shard.

struct Features: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "features",
    abstract: "Describes photos for a training on another machine: one shard of many.",
    discussion: """
      Many machines each describe a part of the photos, and cupola train --features makes the model of all \
      parts: the same, byte for byte, as one machine makes of the photos, whatever the number of shards. \
      What the features learn from some of the photos must be the same for all: where every machine sees all of \
      PHOTOS it is, elsewhere --mixture brings it along.

      EXAMPLES
        cupola features photos --shard 3/8 -o shards
        cupola features photos --mixture mixture.safetensors
        cupola features . --split part.csv --mixture mixture.safetensors \\
          --name part-3 -o shards
        cupola train --features shards -o campus.safetensors
      """)

  @Argument(help: "The folder of photos, as for cupola train.", completion: .directory)
  var photos: String

  @OptionGroup var shards: ShardOptions

  @Option(
    help: ArgumentHelp(
      "What the features learned: read from this file, or learned from PHOTOS and written there.",
      valueName: "file"),
    completion: .file(extensions: ["safetensors"]))
  var mixture: String?

  @Option(help: "A folder of photos of things that are no buildings.", completion: .directory)
  var negatives: String?

  @Flag(help: "PHOTOS are things that are no buildings.")
  var asNegatives = false

  @Option(
    help: "A table path,label,split[,group] instead of PHOTOS/split.csv.",
    completion: .file(extensions: ["csv"]))
  var split: String?

  @Option(
    name: .customLong("features"),
    help: "fisher (the default), or hog: smaller and faster, but only for one viewpoint.")
  var kind: FeatureKind?

  @Option(help: "Of fisher: fast, balanced (the default) or best.")
  var preset: Preset?

  @Option(help: "Seed of everything random (default: 0).")
  var seed: UInt64?

  @Flag(help: "End with code 1 when a photo was skipped.")
  var strict = false

  @Flag(help: "Print the summary as JSON.")
  var json = false

  @OptionGroup var cacheOptions: CacheOptions
  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, mixture, negatives, split])
    try OutputFile.checkIsNoStream(mixture, as: "--mixture", for: "mixtures")
    try ensure(
      shards.output != nil || mixture != nil,
      "Name the folder for the shard with --output, or --mixture.")
    try refuse(
      if: shards.output == nil
        && (json || asNegatives || shards.shard != nil || shards.name != nil),
      "--shard, --name, --as-negatives and --json are about a shard: name its folder with --output."
    )
    try refuse(
      if: asNegatives && negatives != nil,
      "--as-negatives takes PHOTOS for negatives: leave out --negatives.")
    try Preset.check(preset, of: kind)
    try refuse(
      if: (asNegatives || shards.name != nil) && mixture == nil,
      "A part of the photos cannot teach the features: give --mixture, made from all of them.")
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
    let listed = try listed()
    try checkPlaces()
    let plan = try await plan(for: listed)
    guard let path = try shards.path(besides: mixture) else {
      ShardOptions.tell(listed.skipped)
      if strict, !listed.skipped.isEmpty { throw ExitStatus.someFailed }
      return
    }
    var describer = ShardDescriber(plan: plan)
    (describer.cache, describer.threads) = (cacheOptions.cache(), common.threads)
    let count = listed.photos.count + listed.negatives.count
    let progress = Progress(
      "describing", total: shards.part?.count(of: count) ?? count, quiet: common.quiet)
    let summary = try await describer.write(
      listed.photos, negatives: listed.negatives, part: shards.part, to: path
    ) { progress.update($0) }
    CacheOptions.tellFailure(of: describer.cache)
    let skipped = listed.skipped + summary.skipped
    try ShardOptions.tell(
      path, photos: summary.photos, skipped: skipped,
      figures: ["features_reused": summary.reused], asJSON: json)
    // The other parts need the shard; but a machine that cannot read any photo must not pass for one that did its part.
    let isInVain = summary.photos == 0 && !summary.skipped.isEmpty
    if isInVain {
      let failure = TrainingError.noneUsable(ofListed: path, photos: summary.skipped.count)
      Console.error("\(failure)")
    }
    if isInVain || strict && !skipped.isEmpty { throw ExitStatus.someFailed }
  }

  /// Refuses places that cannot be written before minutes are spent on what would go there.
  private func checkPlaces() throws {
    if let output = shards.output { try Directory.checkCreation(of: output) }
    if let mixture, canTeach, !Directory.exists(mixture) {
      try FileAccess.checkFolder(of: mixture)
    }
  }

  /// Whether the photos may teach the features: those that are not all may not.
  private var canTeach: Bool { shards.name == nil && !asNegatives }

  // MARK: - Photos

  private struct Listed {
    var photos: [LabeledPhoto] = []
    var negatives: [LabeledPhoto] = []
    /// What is there and is no photo of a label.
    var skipped: [SkippedFile] = []
  }

  private func listed() throws -> Listed {
    let parts: Set<Split> = [.train, .val]
    var listed = Listed()
    if asNegatives {
      let set = try PhotoSet(
        negatives: photos, splitFile: split, allowOutside: tables.allowOutside)
      (listed.negatives, listed.skipped) = (set.photos(for: parts), set.skipped)
    } else {
      let (set, others) = try tables.sets(in: photos, split: split, negatives: negatives)
      listed.photos = set.photos(for: parts)
      listed.negatives = others?.photos(for: parts) ?? []
      listed.skipped = set.skipped + (others?.skipped ?? [])
    }
    guard !(listed.photos + listed.negatives).isEmpty else {
      ShardOptions.tell(listed.skipped)
      throw TrainingError.noPhotos(path: split ?? photos)
    }
    return listed
  }

  // MARK: - Mixture

  private func plan(for listed: Listed) async throws -> FeaturePlan {
    if let mixture, Directory.exists(mixture) {
      try ensure(
        kind == nil && preset == nil && seed == nil,
        "\(mixture) is there and says how: leave out --features, --preset and --seed.")
      let plan = try FeaturePlan(contentsOf: mixture)
      // Else photos would be skipped with the advice to accept them so.
      try ensure(
        plan.lenient || !common.lenient,
        "\(mixture) was made without --lenient: make it anew with it, or leave it out here.")
      if shards.output == nil {
        Console.note("mixture \(VisibleText.line(mixture)) was there, and stays as it is")
      }
      return plan
    }
    guard canTeach else { return try FeaturePlan(contentsOf: mixture ?? "") }
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
