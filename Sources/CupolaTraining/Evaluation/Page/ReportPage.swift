public import Cupola
internal import Mustache

/// An evaluation as one page of HTML that needs nothing beside it: no network, no script.
public struct ReportPage: Sendable {
  /// What the templates are given: texts are escaped there, drawings are not.
  typealias View = [String: Any]

  let report: EvaluationReport
  let evaluation: Evaluation
  let recognizer: Recognizer
  /// Where pictures come from.
  public var pictures = ReportPictures()

  /// A page about an evaluation.
  ///
  /// - Parameter recognizer: what was evaluated.
  public init(_ report: EvaluationReport, _ evaluation: Evaluation, of recognizer: Recognizer) {
    self.report = report
    self.evaluation = evaluation
    self.recognizer = recognizer
  }

  /// The page.
  ///
  /// - Throws: when the templates are broken, which no input makes them.
  public func html() async throws -> String {
    let mistakes = PageMistakes(evaluation, recognizer, pictures)
    let confusion = PageConfusion(evaluation, pictures)
    var view = frame
    for part in [
      headline, comparison, answers, await confusion.view, labels, await mistakes.view, curves,
      rejection, slices, learning, photos, latency, errors, card,
    ] {
      view.merge(part) { $1 }
    }
    view["sections"] = Self.sections(view)
    return try Self.templates().render(view, withTemplate: "report") ?? ""
  }

  private static func templates() throws -> MustacheLibrary {
    precondition(HTMLEscaping.isRegistered, "no escaping")
    var library = MustacheLibrary()
    try library.register(
      String(decoding: PackageResources.report_mustache, as: UTF8.self), named: "report")
    try library.register(
      String(decoding: PackageResources.table_mustache, as: UTF8.self), named: "table")
    return library
  }

  private var frame: View {
    let name = report.card?.model ?? "a model"
    let known = evaluation.known.count
    let buildings = FigureText.count(evaluation.confusion.labels.count, "building")
    var lead = "\(FigureText.count(known, "photo")) of \(buildings)"
    if !evaluation.background.isEmpty {
      lead += ", \(evaluation.background.count) of anything else"
    }
    if !evaluation.unknown.isEmpty {
      lead += ", \(evaluation.unknown.count) of buildings that the model does not know"
    }
    return [
      "title": "Evaluation of \(name)", "model": name, "lead": lead + ".",
      "style": PageStyle.text, "version": cupolaVersion,
    ]
  }

  /// What there is to go to.
  private static func sections(_ view: View) -> [View] {
    let all: [(id: String, name: String, needs: String?)] = [
      ("headline", "Headline", nil), ("compare", "Comparison", "compare"),
      ("answers", "Answers", nil), ("confusion", "Confusion", "hasConfusion"),
      ("buildings", "Buildings", "hasConfusion"), ("mistakes", "Mistakes", nil),
      ("calibration", "Probabilities", "hasCurves"), ("rejection", "Rejection", "rocPlot"),
      ("slices", "Slices", "hasSlices"), ("learning", "Learning curve", "learningPlot"),
      ("photos", "Photos", "photosText"), ("latency", "Time", "hasLatency"),
      ("errors", "Unreadable", "hasErrors"),
      ("card", "Model card", nil),
    ]
    return all.filter { section in
      guard let needed = section.needs.flatMap({ view[$0] }) else { return section.needs == nil }
      return needed as? Bool != false
    }.map { ["id": $0.id, "name": $0.name] }
  }

  /// A table with a caption; the first column names the row.
  ///
  /// - Parameter isProse: whether the other columns hold text, not numbers.
  static func table(
    _ caption: String, _ header: [String], _ rows: [[String]], isProse: Bool = false
  ) -> View {
    [
      "caption": caption, "header": header, "isProse": isProse,
      "lines": rows.map { ["first": $0.first ?? "", "others": Array($0.dropFirst())] as View },
    ]
  }
}
