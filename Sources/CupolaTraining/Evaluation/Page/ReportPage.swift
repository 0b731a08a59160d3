public import Cupola
internal import Mustache

/// An evaluation as one page of HTML that needs nothing beside it and no network: its one script sorts and
/// filters tables, and all can be read without it.
public struct ReportPage: Sendable {
  /// What the templates are given: texts are escaped there, drawings are not.
  typealias View = [String: Any]

  let report: EvaluationReport
  let recognizer: Recognizer
  /// Where pictures come from.
  public var pictures = ReportPictures()
  /// When and from what it was made; `nil` where nobody says.
  public var origin: ReportOrigin?
  /// This run and those before it; `nil` where nobody keeps them.
  public var history: EvaluationHistory?

  /// A page about an evaluation.
  ///
  /// - Parameters:
  ///   - report: what is to be shown.
  ///   - recognizer: what was evaluated.
  public init(_ report: EvaluationReport, of recognizer: Recognizer) {
    self.report = report
    self.recognizer = recognizer
  }

  /// The page.
  ///
  /// - Throws: ``TrainingError/brokenReport(_:)``, which no input brings about.
  public func html() async throws(TrainingError) -> String {
    var view = frame
    view["sections"] = [
      headline, answers, await PageConfusion(report, pictures).section, labels,
      await PageMistakes(report, recognizer, pictures).section,
      await PageFindings(report, pictures).section, measured, comparison, course, curves, rejection,
      slices, learning, latency, errors, card,
    ].compactMap(\.self)
    do {
      return try Self.templates().render(view, withTemplate: "report") ?? ""
    } catch {
      throw .brokenReport("\(error)")
    }
  }

  private static func templates() throws -> MustacheLibrary {
    precondition(HTMLEscaping.isRegistered, "no escaping")
    var library = MustacheLibrary()
    for (name, bytes) in [
      ("report", PackageResources.report_mustache), ("table", PackageResources.table_mustache),
      ("plot", PackageResources.plot_mustache), ("closed", PackageResources.closed_mustache),
      ("photo", PackageResources.photo_mustache),
    ] {
      try library.register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    return library
  }

  /// A section of the page; what it has besides is shown in the order of the template.
  ///
  /// - Parameters:
  ///   - name: what links to it are called.
  ///   - drawings: see ``plot(_:_:isWide:)``.
  ///   - numbers: tables that are closed at first, see ``closed(_:_:)``.
  static func section(
    _ id: String, name: String, heading: String, intro: String? = nil, drawings: [View] = [],
    tables: [View] = [], numbers: [View] = [], _ more: View = [:]
  ) -> View {
    var view = more
    if let intro { view["intro"] = intro }
    for (key, value) in [("id", id), ("name", name), ("heading", heading)] { view[key] = value }
    for (key, value) in [("drawings", drawings), ("tables", tables), ("numbers", numbers)] {
      view[key] = value
    }
    return view
  }

  /// A drawing and what there is to say of it.
  ///
  /// - Parameter isWide: whether it has a size of its own.
  static func plot(_ drawing: String, _ note: String = "", isWide: Bool = false) -> View {
    ["drawing": drawing, "plotNote": note, "isWide": isWide]
  }

  /// A table that is seen when somebody asks for it.
  static func closed(_ summary: String, _ table: View) -> View {
    table.merging(["summary": summary]) { $1 }
  }

  private var frame: View {
    let name = report.card?.model ?? "a model"
    let evaluation = report.evaluation
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
      "script": PageScript.text, "scriptDigest": PageScript.digest,
      "hasOrigin": origin != nil,
      "origin": (origin?.facts ?? []).map {
        ["name": $0.name, "value": VisibleText.line($0.value)]
      },
      "title": "Evaluation of \(name)", "model": name, "lead": lead + ".",
      "style": PageStyle.text, "version": cupolaVersion,
    ]
  }
}
