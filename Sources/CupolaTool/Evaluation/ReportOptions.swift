import ArgumentParser
import CupolaTraining

struct ReportOptions: ParsableArguments {
  @Option(
    help: "A folder for report.html, report.json, report.txt and CSV tables.",
    completion: .directory)
  var report: String?

  @Option(
    help: ArgumentHelp(
      "A folder with a table history.csv, to which every run adds a row; the page shows how figures moved.",
      valueName: "folder"))
  var history: String?

  @Option(
    help: ArgumentHelp(
      "The report.json of another model: both side by side, with McNemar's test. Repeatable.",
      valueName: "report.json"))
  var compare: [String] = []

  @Option(
    help: ArgumentHelp(
      "A figure that is needed, such as top1=0.95 or ece=0.1; else exit code 2. Repeatable.",
      valueName: "figure=value"))
  var require: [String] = []

  @Flag(
    help: """
      In the report, leave out what takes long: hog baseline, learning curve and the check of the \
      photos.
      """)
  var noRefits = false

  @Option(
    help: ArgumentHelp(
      "The share of visits to buildings that did not train, 0 to 1 (default: one in three).",
      valueName: "share"))
  var unknownVisits: Double?

  @OptionGroup var cacheOptions: CacheOptions

  func validate() throws {
    try PhotoArguments.checkPaths([report, history] + compare)
    if let unknownVisits, !(0...1).contains(unknownVisits) {
      throw ValidationError("--unknown-visits must be from 0 to 1, not \(unknownVisits).")
    }
    for text in require where FigureRequirement(text) == nil {
      throw ValidationError(FigureRequirement.problem(with: text))
    }
  }

  /// Whether there is nothing to make, and nothing was said of what it counts or computes.
  var isEmpty: Bool {
    report == nil && history == nil && compare.isEmpty && require.isEmpty && unknownVisits == nil
      && !tellsOfRefits
  }

  private var tellsOfRefits: Bool {
    noRefits || cacheOptions.folder != nil || cacheOptions.noCache
  }

  /// Refuses what is about the refits of a report, where there are none.
  func checkRefits() throws {
    try ensure(
      report != nil || !tellsOfRefits,
      "--no-refits, --cache and --no-cache are about what a report computes: they go with --report."
    )
    try ensure(
      !noRefits || cacheOptions.folder == nil,
      "--no-refits computes nothing that is kept: leave out --cache.")
  }

  /// Says where a share of visits that was given changes nothing.
  func explain(_ report: EvaluationReport) {
    guard unknownVisits != nil, !report.knowsVisits else { return }
    Console.note(
      "note: --unknown-visits changes nothing here: neither photos nor the training tell of unknown buildings beside "
        + "known ones")
  }

  func check(_ report: EvaluationReport) throws {
    let failures = require.compactMap { FigureRequirement($0)?.failure(in: report) }
    for failure in failures { Console.error(failure) }
    if !failures.isEmpty { throw ExitStatus.gateFailed }
  }
}
