import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola evaluate`.
struct Evaluate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures a model on photos whose answers are known.",
    discussion: """
      Uses the photos of the part named by --part where split.csv or folders divide them, else all \
      of them. Percentages come with their 95 % Wilson intervals.

      EXAMPLES
        cupola evaluate campus.safetensors photos
        cupola evaluate campus.safetensors photos --negatives streets --json > figures.json
        cupola evaluate campus.safetensors photos --report report
        cupola evaluate new.safetensors photos --compare report/report.json --require top1=0.95
      """)

  @Argument(help: "The model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(help: "The folder of photos, as for cupola train.", completion: .directory)
  var photos: String

  @Option(
    help: "A table path,label,split[,group] instead of PHOTOS/split.csv.",
    completion: .file(extensions: ["csv"]))
  var split: String?

  @Option(help: "Which part of divided photos: train, val or test.")
  var part = Part.test

  @Option(help: "A folder of photos of things that are no buildings.", completion: .directory)
  var negatives: String?

  @Flag(help: "Ignore all positions and headings.")
  var noPlace = false

  @Flag(help: "Print the whole confusion matrix, not only what is confused most.")
  var matrix = false

  @Flag(help: "Print the figures as JSON.")
  var json = false

  @OptionGroup var leaks: LeakOptions

  @OptionGroup var reports: ReportOptions

  @OptionGroup var error: ErrorOption

  @OptionGroup var tables: TableOptions

  @OptionGroup var common: CommonOptions

  func run() async throws {
    Console.exitOnInterrupt()
    let trained = try await ExitStatus.reporting(about: model) { try Model(contentsOf: model) }
    try await ExitStatus.reporting {
      let material = try material()
      try TrainingError.check(material.asked, in: photos, against: trained.labels.names)
      let folder = try reports.folder()
      let others = try reports.others()
      var history = try reports.runs()
      let digest = SHA256.hexadecimal(of: try FileAccess.read(model))
      var evaluator = evaluator(of: trained)
      evaluator.overlap = try await leaks.check(
        material.asked, in: photos, beside: material.training, against: trained, common)
      let progress = Progress("evaluating", total: material.asked.count, quiet: common.quiet)
      let evaluation = await evaluator.evaluate(material.asked) { progress.update($0) }
      var report = EvaluationReport(
        evaluation, unknownVisits: reports.unknownVisits ?? OperatingPoint.unknownVisits)
      report.card = EvaluationCard(
        evaluator.recognizer, named: Self.name(ofFile: model), evaluation: evaluation)
      report.comparisons = try others.map { other throws(TrainingError) in
        try ModelComparison(evaluation, with: other)
      }
      if folder != nil, !reports.noRefits {
        await addRefits(to: &report, material, of: trained)
      }
      if !evaluation.all.isEmpty {
        history?.add(report, date: Clock.now, modelDigest: digest)
        try history?.write()
      }
      var people = EvaluationText(report, width: Console.width)
      people.showsMatrix = matrix
      let text = people.text
      Console.print(json ? try JSONObject.text(report, pretty: true) : text)
      if let folder {
        var page = page(report, of: evaluator.recognizer, digest: digest)
        page.history = history
        try await folder.write(page, text: VisibleText.lines(text))
        Console.note("report: \(folder.path)/report.html")
      }
      try finish(material, evaluation, report)
    }
  }

  private func page(
    _ report: EvaluationReport, of recognizer: Recognizer, digest: String
  ) -> ReportPage {
    var page = ReportPage(report, of: recognizer)
    page.pictures.decoder = common.decoder
    page.pictures.threads = common.threads
    page.pictures.explain(by: recognizer.model)
    page.origin = ReportOrigin(
      date: Clock.now, command: ["cupola"] + CommandLine.arguments.dropFirst(), photos: photos,
      modelDigest: digest)
    return page
  }

  private func addRefits(
    to report: inout EvaluationReport, _ material: Material, of model: Model
  ) async {
    var refits = ReportRefits()
    refits.training = part == .test ? material.training : []
    refits.decoder = common.decoder
    refits.cache = reports.cacheOptions.cache()
    refits.threads = common.threads
    refits.progress = { [quiet = common.quiet] part, photos in
      let progress = Progress(part, total: photos, quiet: quiet)
      return { progress.update($0) }
    }
    let failures = [
      await refits.add(to: &report, asking: material.asked, model: model),
      await refits.check(
        material.set, campus: model.campus, hasNegatives: negatives != nil, for: &report),
    ]
    for failure in failures.compactMap(\.self) { Console.note("warning: \(failure)") }
  }

  private func evaluator(of model: Model) -> Evaluator {
    var evaluator = Evaluator(model, maximumError: error.maxError)
    error.explain(evaluator.recognizer.point)
    evaluator.recognizer.decoder = common.decoder
    evaluator.usesPlace = !noPlace
    evaluator.threads = common.threads
    return evaluator
  }

  /// What to ask about, and what training for a baseline may see.
  private struct Material {
    let asked: [LabeledPhoto]
    /// Photos of the parts that train, but for those asked about.
    let training: [LabeledPhoto]
    /// The photos of the folder, of all parts.
    let set: PhotoSet
    let skipped: [SkippedFile]
  }

  private func material() throws -> Material {
    let set = try PhotoSet(
      root: photos, splitFile: split, allowOutside: tables.allowOutside)
    let others = try negatives.map {
      try PhotoSet(negatives: $0, allowOutside: tables.allowOutside)
    }
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: photos) }
    let chosen = set.photos(for: part.splits) + (others?.photos(for: part.splits) ?? [])
    guard !chosen.isEmpty else { throw TrainingError.emptyPart(part.rawValue) }
    let sets = [set] + (others.map { [$0] } ?? [])
    return Material(
      asked: chosen,
      training: sets.filter(\.isDivided).flatMap { $0.photos(for: part.trainingSplits) },
      set: set,
      skipped: sets.flatMap(\.skipped))
  }

  /// Tells what failed, by messages and exit code; a missed gate weighs more than a lost photo.
  private func finish(
    _ material: Material, _ evaluation: Evaluation, _ report: EvaluationReport
  ) throws {
    for file in material.skipped + evaluation.errors {
      Console.error("\(file.name): \(file.message)")
    }
    if evaluation.errors.count == material.asked.count {
      throw TrainingError.noUsablePhotos(path: photos, failures: material.asked.count)
    }
    try reports.check(report)
    if !material.skipped.isEmpty || !evaluation.errors.isEmpty { throw ExitStatus.someFailed }
  }

  private static func name(ofFile path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// The parts that can be named with `--part`.
enum Part: String, ExpressibleByArgument, CaseIterable {
  case train, val, test

  /// What the part is made of: unknown buildings are asked about with the tests.
  var splits: Set<Split> {
    switch self {
    case .train: [.train]
    case .val: [.val]
    case .test: [.test, .testUnknown]
    }
  }

  /// The other parts that may have trained a model; none beside the training photos themselves.
  var trainingSplits: Set<Split> {
    switch self {
    case .train: []
    case .val: [.train]
    case .test: [.train, .val]
    }
  }
}
