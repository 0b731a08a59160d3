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

  @Argument(help: "The model file.")
  var model: String

  @Argument(help: "The folder of photos, as for cupola train.")
  var photos: String

  @Option(help: "A table path,label,split[,group] instead of PHOTOS/split.csv.")
  var split: String?

  @Option(help: "Which part of divided photos: train, val or test.")
  var part = Part.test

  @Option(help: "A folder of photos of things that are no buildings.")
  var negatives: String?

  @Flag(help: "Ignore all positions and headings.")
  var noPlace = false

  @Flag(help: "Print the figures as JSON.")
  var json = false

  @OptionGroup var leaks: LeakOptions

  @OptionGroup var reports: ReportOptions

  @OptionGroup var error: ErrorOption

  @OptionGroup var common: CommonOptions

  func run() async throws {
    Console.exitOnInterrupt()
    let trained = try await ExitStatus.reporting(about: model) { try Model(contentsOf: model) }
    try await ExitStatus.reporting {
      let material = try material()
      let folder = try reports.folder()
      let other = try reports.other()
      let overlap = try await leaks.check(material.asked, in: photos, against: trained, common)
      let evaluator = evaluator(of: trained)
      let progress = Progress("evaluating", total: material.asked.count, quiet: common.quiet)
      let evaluation = await evaluator.evaluate(material.asked) { progress.update($0) }
      var figures = EvaluationReport(evaluation, overlap: overlap)
      figures.card = EvaluationCard(
        evaluator.recognizer, named: Self.name(ofFile: model), evaluation: evaluation)
      figures.comparison = other.map { ModelComparison(evaluation, with: $0) }
      if folder != nil, !reports.noRefits {
        let refits = ReportRefits(
          training: material.training, cache: reports.cacheOptions.cache(), common: common)
        await refits.add(to: &figures, of: evaluation, asking: material.asked, model: trained)
        await refits.check(
          photos, split: split, campus: trained.campus, photos: material.found,
          hasNegatives: negatives != nil, for: &figures)
      }
      let text =
        EvaluationText(evaluation, figures, width: Console.width).text
        + leaks.text(overlap, evaluation)
      Console.print(json ? try JSON.text(figures, pretty: true) : text)
      if let folder {
        var page = ReportPage(figures, evaluation, of: evaluator.recognizer)
        page.pictures.decoder = common.decoder
        page.pictures.threads = common.threads
        page.pictures.explain(by: trained)
        try await folder.write(page, figures, evaluation, text: text)
        Console.note("report: \(folder.path)/report.html")
      }
      try finish(material, evaluation, figures)
    }
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
    let asked: [LabelledPhoto]
    let training: [LabelledPhoto]
    /// Photos in the folder, of all parts.
    let found: Int
    let skipped: [SkippedFile]
  }

  private func material() throws -> Material {
    let set = try PhotoSet(root: photos, splitFile: split)
    let others = try negatives.map { try PhotoSet(negatives: $0) }
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: photos) }
    let chosen = set.photos(for: part.splits) + (others?.photos(for: part.splits) ?? [])
    guard !chosen.isEmpty else { throw TrainingError.emptyPart(part.rawValue) }
    let sets = [set] + (others.map { [$0] } ?? [])
    return Material(
      asked: chosen,
      training: part == .test
        ? sets.filter(\.isDivided).flatMap { $0.photos(for: [.train, .val]) } : [],
      found: set.photos.count,
      skipped: sets.flatMap(\.skipped))
  }

  /// Tells what failed, by messages and exit code; a missed gate weighs more than a lost photo.
  private func finish(
    _ material: Material, _ evaluation: Evaluation, _ figures: EvaluationReport
  ) throws {
    for file in material.skipped + evaluation.errors {
      Console.error("\(file.name): \(file.message)")
    }
    if evaluation.errors.count == material.asked.count {
      throw TrainingError.noUsablePhotos(path: photos, failures: material.asked.count)
    }
    try reports.check(figures)
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
}
