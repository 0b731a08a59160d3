import ArgumentParser
import CupolaTraining

struct ReportOptions: ParsableArguments {
  @Option(
    help: "Folder for the report (HTML, JSON, text and CSV).",
    completion: .directory)
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Folder with history.csv; each run adds a row.", valueName: "folder"))
  var history: String?

  @Option(
    help: ArgumentHelp(
      "Another model's report.json to compare with. Repeatable.", valueName: "report.json"))
  var compare: [String] = []

  @Option(
    help: ArgumentHelp(
      "Threshold, such as top1=0.95 or ece=0.1; exit code 2 if it is not met. Repeatable.",
      valueName: "figure=value"))
  var require: [String] = []

  @Flag(
    help: "Skip the baseline, learning curve and photo check.")
  var noRefits = false

  @Option(
    help: ArgumentHelp(
      "Assumed fraction of visitors' photos that show unknown buildings. (default: 1/3)",
      valueName: "share"))
  var unknownVisits: Double?

  @OptionGroup var cacheOptions: CacheOptions

  func validate() throws {
    try PhotoArguments.checkPaths([report, history] + compare)
    if let unknownVisits, !(0...1).contains(unknownVisits) {
      throw ValidationError("--unknown-visits must be 0 to 1, not \(unknownVisits)")
    }
    for text in require where FigureRequirement(text) == nil {
      throw ValidationError(FigureRequirement.problem(with: text))
    }
  }

  var isEmpty: Bool {
    report == nil && history == nil && compare.isEmpty && require.isEmpty && unknownVisits == nil
      && !hasRefitOptions
  }

  private var hasRefitOptions: Bool {
    noRefits || cacheOptions.folder != nil || cacheOptions.noCache
  }

  func checkRefits(plot: Bool) throws {
    try ensure(
      report != nil || plot || !hasRefitOptions,
      "--no-refits, --cache and --no-cache require --report or --plot")
    try ensure(
      !noRefits || cacheOptions.folder == nil, "use --no-refits or --cache, not both")
  }

  func explain(_ report: EvaluationReport) {
    guard unknownVisits != nil, !report.knowsVisits else { return }
    Console.note(
      "note: --unknown-visits has no effect, because it requires results for both known and unknown buildings"
    )
  }

  func check(_ report: EvaluationReport) throws {
    let failures = require.compactMap { FigureRequirement($0)?.failure(in: report) }
    for failure in failures { Console.error(failure) }
    if !failures.isEmpty { throw ExitStatus.gateFailed }
  }
}
