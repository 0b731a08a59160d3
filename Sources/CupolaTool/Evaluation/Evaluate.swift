import ArgumentParser
import Cupola
import CupolaTraining

// 1. List a part's photos, or read the shards that other machines wrote.
// 2. Recognize the photos. Then write a shard, or detect leaks and compute the metrics.
// 3. Print the metrics, write the report, and check the --require thresholds.

struct Evaluate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure a model's accuracy on labeled photos.",
    discussion: """
      Prints the answers in about ten lines; --verbose prints all metrics, and --report writes a page with the photos. \
      If split.csv or folders split the photos into parts, only the part selected by --part is used. Photos \
      that were used for training, and copies and crops of them, are skipped; if most photos are, the command fails. \
      Percentages have 95% Wilson intervals. To divide the work among \
      machines, let each one write the predictions for one part of the photos (--shard, --output), then combine the \
      parts in one report (--predictions).

      EXAMPLES
        cupola evaluate campus.safetensors photos
        cupola evaluate campus.safetensors photos --negatives streets --json \\
          > figures.json
        cupola evaluate campus.safetensors photos --report report
        cupola evaluate new.safetensors photos --compare report/report.json \\
          --require top1=0.95
        cupola evaluate campus.safetensors photos --shard 3/8 -o predictions
        cupola evaluate campus.safetensors --predictions predictions
        cupola evaluate campus.safetensors --sequences walks
        cupola evaluate campus.safetensors photos --plot
      """)

  @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(
    help:
      "Photo folder, as for cupola train. With --predictions, only adds images and refits to the report.",
    completion: .directory)
  var photos: String?

  @Option(
    help: "Split table to use instead of PHOTOS/split.csv.",
    completion: .file(extensions: ["csv"]))
  var split: String?

  @Option(help: "Part to evaluate, if the photos are split into parts.")
  var part = Part.test

  @Option(help: "Folder of non-building photos.", completion: .directory)
  var negatives: String?

  @Option(
    help: "Folder of shards to use instead of photos.",
    completion: .directory)
  var predictions: String?

  @Option(
    help:
      "Session from cupola watch --record with \"truth\" added to its frames, or a folder of sessions.",
    completion: .directory)
  var sequences: String?

  @OptionGroup var shards: ShardOptions

  @Flag(help: "Ignore positions and headings.")
  var noPlace = false

  @Flag(name: .shortAndLong, help: "Print all metrics, model parts and buildings.")
  var verbose = false

  @Flag(help: "Print the whole confusion matrix.")
  var matrix = false

  @Flag(help: "Print the learning curve and the confused pairs as plots.")
  var plot = false

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Allow training photos and report their effect.")
  var allowLeaks = false

  @OptionGroup var tracks: TrackOptions
  @OptionGroup var reports: ReportOptions
  @OptionGroup var error: ErrorOption
  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([model, photos, split, negatives, predictions, sequences])
    if sequences != nil { return try checkSequences() }
    try ensure(!plot || !json, "use --plot or --json, not both")
    try ensure(
      photos != nil || predictions != nil, "Missing expected argument '<photos>', or --predictions")
    if photos == nil { try checkPredictions() }
    try ensure(
      predictions == nil || tracks.track.isEmpty,
      "the predictions contain the positions; use --track when you compute them with --output")
    guard shards.output != nil else {
      try ensure(
        shards.shard == nil && shards.name == nil, "--shard and --name require --output")
      return try reports.checkRefits(plot: plot)
    }
    try ensure(
      predictions == nil && reports.isEmpty && !matrix && !verbose && !plot && !noPlace
        && error.maxError == nil
        && !allowLeaks,
      "--output only writes predictions; use report options when you combine the shards with --predictions"
    )
  }

  func run() async throws {
    let trained = try await ExitStatus.reporting(about: model) { try Model(contentsOf: model) }
    trained.noteDigest(path: model)
    if let sequences {
      return try SequenceReport(self, trained).print(of: sequences)
    }
    let digest = SHA256.hexadecimal(of: try FileAccess.read(model))
    let positions = try tracks.positions()
    let decoder = common.decoder.locating(by: positions)
    defer { if let positions { Console.note(positions.summary) } }
    if let path = try shards.path(besides: model) {
      let material = try EvaluationMaterial(self, of: trained, digest)
      try await write(to: path, material, evaluator(of: trained, decoder), digest)
    } else {
      try await report(on: trained, digest, decoder)
    }
  }

  private func write(
    to path: String, _ material: EvaluationMaterial, _ evaluator: Evaluator, _ digest: String
  ) async throws {
    let total = material.listed.count
    let progress = Progress(
      "evaluating", total: shards.part?.count(of: total) ?? total, quiet: common.quiet)
    let seen = try await evaluator.write(
      material.photos, negatives: material.negatives, part: shards.part, digest: digest, to: path
    ) { progress.update($0) }
    let skipped = material.skipped + seen.skipped
    try ShardOptions.report(path, photos: seen.listed.count, skipped: skipped, asJSON: json)
    if !skipped.isEmpty { throw ExitStatus.someFailed }
  }

  private func report(
    on trained: Model, _ digest: String, _ decoder: PhotoDecoder
  ) async throws {
    var evaluator = evaluator(of: trained, decoder)
    try OutputFile.check(
      folder: reports.report, as: "--report", isOutside: [photos, negatives])
    let material = try EvaluationMaterial(self, of: trained, digest)
    try TrainingError.check(material.listed, in: material.path, against: trained.labels.names)
    // Create the folder and read the files before the long computation, so that errors are found early.
    let folder = try reports.report.map { try ReportFolder($0) }
    let others = try reports.compare.map { try OtherReport(contentsOf: $0) }
    var history = try reports.history.map { try EvaluationHistory(folder: $0) }
    let refits = folder == nil || reports.noRefits ? nil : self.refits(material, decoder)
    if let refits, let set = material.set {
      evaluator.preparation = await refits.preparation(of: set, beside: trained)
    }
    var seen = await seen(of: material, by: evaluator)
    evaluator.overlap = try await checkLeaks(
      &seen, in: material.path, beside: material.training, against: trained)
    error.explain(evaluator.recognizer.point)
    let evaluation = await evaluator.evaluate(seen)
    var report = EvaluationReport(evaluation, unknownVisits: reports.unknownVisits)
    reports.explain(report)
    report.leftOut = material.skipped
    report.card = EvaluationCard(
      evaluator.recognizer, named: Model.name(ofFile: model), evaluation: evaluation)
    report.comparisons = try others.map { other throws(TrainingError) in
      try ModelComparison(evaluation, with: other)
    }
    if let refits, let look = evaluator.preparation {
      await add(refits, after: look, to: &report, on: material, seen, of: trained)
    } else if plot, !reports.noRefits {
      await self.refits(material, decoder).addLearningCurve(to: &report, of: trained)
    }
    if !evaluation.all.isEmpty {
      history?.add(report, date: Clock.now, modelDigest: digest)
      try history?.write()
    }
    var people = EvaluationText(report, width: Console.width)
    (people.showsMatrix, people.showsPlots) = (matrix, plot)
    people.hasPage = folder != nil && !evaluation.all.isEmpty
    if json {
      try Console.print(json: report)
    } else {
      Console.print(verbose ? people.text : people.brief)
    }
    // Do not replace a report with an empty one.
    if let folder, !evaluation.all.isEmpty {
      var page = page(report, of: evaluator.recognizer, material.path, digest)
      page.history = history
      try await folder.write(page, text: VisibleText.lines(people.text))
      let lack = material.set == nil ? ", without images; give PHOTOS to include them" : ""
      Console.note("report: \(folder.path)/report.html" + lack)
    }
    try finish(material, seen, report)
  }

  private func checkLeaks(
    _ seen: inout ScoredPhotos, in path: String, beside training: [LabeledPhoto],
    against model: Model
  ) async throws -> TrainingOverlap {
    if let label = Self.trainedLabel(in: seen, model) {
      Console.note(
        "note: photos of \(label) are listed as test_unknown, but the model was trained on this building; train again"
      )
    }
    let progress = Progress(
      "searching for leaks", total: training.count, quiet: common.quiet || training.isEmpty)
    var overlap = await TrainingOverlap(
      of: seen, beside: training, with: model, decoder: common.decoder,
      threads: common.threads
    ) { progress.update($0) }
    if !overlap.isKnown {
      Console.note(
        "note: the model does not list its training photos; the results are inflated if any of them are evaluated"
      )
    } else if !overlap.hasHashes {
      let scope =
        training.isEmpty ? "not detected" : "detected only for training photos in \(path)"
      Console.note(
        "note: the model has no image hashes of its training photos; copies and crops, which inflate the results, are "
          + scope)
    }
    if !allowLeaks {
      let all = seen
      seen = overlap.setAsideBackground(from: all)
      Self.noteUnused(all, seen)
    }
    guard let example = overlap.example, !allowLeaks else { return overlap }
    let (leaks, asked) = (overlap.found.count, overlap.asked)
    guard !overlap.areMost else {
      throw TrainingError.leaks(path: path, photos: leaks, asked: asked, example: example)
    }
    seen = overlap.setAside(from: seen)
    Console.note(
      "note: skipped \(leaks) of \(FigureText.count(asked, "photo")): training photos of the model, or copies or crops of "
        + "them, such as \(example); use --allow-leaks to include them")
    return overlap
  }

  /// Reports how many non-building photos are not evaluated because they were used for training.
  private static func noteUnused(_ all: ScoredPhotos, _ kept: ScoredPhotos) {
    let unused = all.count - kept.count
    guard unused > 0 else { return }
    let total = all.listed.count { Labels.isBackground($0.label) }
    Console.note(
      "note: \(unused) of \(FigureText.count(total, "non-building photo")) were used for training and are not evaluated"
        + (unused < total ? "" : "; add others to see whether the model rejects them"))
  }

  /// Returns a building of the model whose photos are listed as those of an unknown building.
  private static func trainedLabel(in seen: ScoredPhotos, _ model: Model) -> String? {
    seen.listed.first {
      $0.split == .testUnknown && model.labels.names.contains($0.label)
    }?.label
  }

  private func seen(of material: EvaluationMaterial, by evaluator: Evaluator) async -> ScoredPhotos
  {
    if let known = material.known { return known }
    let progress = Progress("evaluating", total: material.listed.count, quiet: common.quiet)
    return await evaluator.look(at: material.listed) { progress.update($0) }
  }

  private func page(
    _ report: EvaluationReport, of recognizer: Recognizer, _ path: String, _ digest: String
  ) -> ReportPage {
    var page = ReportPage(report, of: recognizer)
    page.pictures.decoder = common.decoder
    page.pictures.threads = common.threads
    page.pictures.explain(by: recognizer.model)
    page.origin = ReportOrigin(
      date: Clock.now, command: ["cupola"] + CommandLine.arguments.dropFirst(), photos: path,
      modelDigest: digest)
    return page
  }

  private func refits(_ material: EvaluationMaterial, _ decoder: PhotoDecoder) -> ReportRefits {
    var refits = ReportRefits()
    refits.training = part == .test ? material.training : []
    refits.asked = material.listed
    refits.decoder = decoder
    refits.cache = reports.cacheOptions.cache()
    refits.threads = common.threads
    refits.progress = { [quiet = common.quiet] part, photos in
      let progress = Progress(part, total: photos, quiet: quiet)
      return { progress.update($0) }
    }
    return refits
  }

  private func add(
    _ refits: ReportRefits, after look: ReportPreparation, to report: inout EvaluationReport,
    on material: EvaluationMaterial, _ seen: ScoredPhotos, of model: Model
  ) async {
    guard let set = material.set else { return }
    let failures = [
      await refits.add(to: &report, of: seen, look, model: model),
      await refits.check(
        set, campus: model.campus,
        hasNegatives: negatives != nil || model.labels.hasNonBuildingPhotos, of: seen, look,
        for: &report),
    ]
    CacheOptions.warnOfFailure(of: refits.cache)
    for failure in failures.compactMap(\.self) { Console.note("warning: \(failure)") }
  }

  private func evaluator(of model: Model, _ decoder: PhotoDecoder) -> Evaluator {
    var evaluator = Evaluator(model, maximumError: error.maxError)
    evaluator.recognizer.decoder = decoder
    evaluator.usesPlace = !noPlace
    evaluator.threads = common.threads
    return evaluator
  }

  /// Prints failures and throws the exit code. The code for a missed threshold takes precedence over that for skipped
  /// photos.
  private func finish(
    _ material: EvaluationMaterial, _ seen: ScoredPhotos, _ report: EvaluationReport
  ) throws {
    let failed = material.skipped + seen.skipped
    for file in failed { Console.error("\(file.name): \(file.message)") }
    if seen.listed.isEmpty {
      throw material.set == nil
        ? TrainingError.noneUsable(ofListed: material.path, photos: seen.count)
        : .noUsablePhotos(path: material.path, failures: seen.count)
    }
    try reports.check(report)
    if !failed.isEmpty { throw ExitStatus.someFailed }
  }

  private var hasNoPhotoOptions: Bool {
    split == nil && negatives == nil && part == .test && !tables.allowOutside
      && tracks.track.isEmpty
  }

  /// Rejects options that do not apply to recorded sessions, whose frames are processed one at a time.
  func checkSequences() throws {
    try ensure(
      photos == nil && predictions == nil && shards.isEmpty && reports.isEmpty && hasNoPhotoOptions
        && !allowLeaks && !matrix && !verbose && !plot && common.requestedThreads == nil,
      "--sequences cannot be combined with PHOTOS, --threads, --matrix, --verbose, --plot, or options for parts, tracks, shards, leaks or reports"
    )
  }

  func checkPredictions() throws {
    try ensure(
      hasNoPhotoOptions && !common.lenient && reports.cacheOptions.folder == nil,
      "--split, --part, --negatives, --track, --allow-outside, --lenient and --cache require PHOTOS"
    )
  }
}

/// The photos to evaluate, and the photos that can be used to train a baseline.
struct EvaluationMaterial {
  let path: String
  var photos: [LabeledPhoto] = []
  var negatives: [LabeledPhoto] = []
  /// The photos in the training parts, except the photos to evaluate.
  var training: [LabeledPhoto] = []
  var set: PhotoSet?
  var skipped: [SkippedFile] = []
  var known: ScoredPhotos?

  var listed: [LabeledPhoto] { known?.listed ?? photos + negatives }

  init(_ command: Evaluate, of model: Model, _ digest: String) throws {
    let shards = try command.predictions.map {
      try PredictionShards(folder: $0, of: model, digest: digest)
    }
    path = command.photos ?? command.predictions ?? ""
    guard let photos = command.photos else {
      known = shards?.seen
      return
    }
    try list(photos, command, model)
    known = try shards?.seen(of: self.photos + negatives)
  }

  private mutating func list(_ path: String, _ command: Evaluate, _ model: Model) throws {
    let part = command.part
    let (set, others) = try command.tables.sets(
      in: path, split: command.split, negatives: command.negatives)
    guard !set.photos.isEmpty else { throw set.noPhotos(in: path) }
    TableOptions.warnOfLayout(set)
    photos = set.photos(for: part.splits)
    negatives = others?.photos(for: part.splits) ?? []
    guard !(photos + negatives).isEmpty else { throw TrainingError.emptyPart(part.rawValue) }
    // `TrainingError.check` rejects labels that look misspelled.
    for label in set.onlyTested
    where !model.labels.names.contains(label)
      && TableOptions.similarBuilding(to: label, model) == nil
    {
      Console.note("warning: " + TableOptions.onlyTested(label, model))
    }
    let sets = [set] + (others.map { [$0] } ?? [])
    training = sets.filter(\.isDivided).flatMap { $0.photos(for: part.trainingSplits) }
    skipped = sets.flatMap(\.skipped)
    self.set = set
  }
}

enum Part: String, ExpressibleByArgument, CaseIterable {
  case train, val, test

  /// The splits in this part. The test part includes unknown buildings.
  var splits: Set<Split> {
    switch self {
    case .train: [.train]
    case .val: [.val]
    case .test: [.test, .testUnknown]
    }
  }

  /// The splits that may have been used to train a model that is evaluated on this part.
  var trainingSplits: Set<Split> {
    switch self {
    case .train: []
    case .val: [.train]
    case .test: [.train, .val]
    }
  }
}
