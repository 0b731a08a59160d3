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

  @Option(help: "A folder for report.json and report.txt.")
  var report: String?

  @Flag(help: "Ignore all positions and headings.")
  var noPlace = false

  @Flag(help: "Print the figures as JSON.")
  var json = false

  @OptionGroup var error: ErrorOption

  @OptionGroup var common: CommonOptions

  func run() async throws {
    Console.exitOnInterrupt()
    let trained = try await ExitStatus.reporting(about: model) { try Model(contentsOf: model) }
    try await ExitStatus.reporting {
      let (asked, skipped) = try material()
      var evaluator = Evaluator(trained, maximumError: error.maxError)
      error.explain(evaluator.recognizer.point)
      evaluator.recognizer.decoder = common.decoder
      evaluator.usesPlace = !noPlace
      evaluator.threads = common.threads
      let progress = Progress("evaluating", total: asked.count, quiet: common.quiet)
      let evaluation = await evaluator.evaluate(asked) { progress.update($0) }
      let figures = try JSON.text(EvaluationReport(evaluation), pretty: true)
      let text = EvaluationText(evaluation, width: Console.width).text
      Console.print(json ? figures : text)
      if let report { try write(figures, text, to: report) }
      for file in skipped + evaluation.errors { Console.error("\(file.name): \(file.message)") }
      if evaluation.errors.count == asked.count {
        throw TrainingError.noUsablePhotos(path: photos, failures: asked.count)
      }
      if !skipped.isEmpty || !evaluation.errors.isEmpty { throw ExitStatus.someFailed }
    }
  }

  private func material() throws -> (photos: [LabelledPhoto], skipped: [SkippedFile]) {
    let set = try PhotoSet(root: photos, splitFile: split)
    let others = try negatives.map { try PhotoSet(negatives: $0) }
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: photos) }
    let chosen = set.photos(for: part.splits) + (others?.photos(for: part.splits) ?? [])
    guard !chosen.isEmpty else { throw TrainingError.emptyPart(part.rawValue) }
    if !set.isDivided {
      Console.note("note: nothing divides \(photos); photos that trained the model flatter it")
    }
    return (chosen, set.skipped + (others?.skipped ?? []))
  }

  private func write(_ figures: String, _ text: String, to folder: String) throws {
    try Directory.create(folder)
    try FileAccess.write(Array((figures + "\n").utf8), to: folder + "/report.json")
    try FileAccess.write(Array((text + "\n").utf8), to: folder + "/report.txt")
    Console.note("report: \(folder)/report.json")
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
