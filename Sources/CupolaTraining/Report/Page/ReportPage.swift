public import Cupola
internal import Mustache

// 1. Build the sections as values for the templates. 2. Render them with Mustache.
// 3. Escape all text (HTMLEscaping), and allow only one script (PageScript).

/// An evaluation as a single HTML page that requires no other files and no network.
///
/// Its only script sorts and filters tables; the page is readable without it.
public struct ReportPage: Sendable {
  /// The input of the templates, which escape text but not drawings.
  typealias View = [String: Any]

  let report: EvaluationReport
  let recognizer: Recognizer
  package var pictures = ReportPictures()
  package var origin: ReportOrigin?
  package var history: EvaluationHistory?

  /// Creates a page about an evaluation of a recognizer.
  public init(_ report: EvaluationReport, of recognizer: Recognizer) {
    self.report = report
    self.recognizer = recognizer
  }

  /// Renders the page.
  ///
  /// - Throws: `TrainingError.brokenReport(_:)` if a template is invalid, which no input causes.
  public func html() async throws(TrainingError) -> String {
    var view = frame
    let first =
      [headline, await PageMistakes(report, recognizer, pictures).section, answers]
      + (await PageConfusion(report, pictures).sections)
      + [labels, await PageFindings(report, pictures).section, errors, comparison, course]
    let statistics = [measured, curves, rejection, slices, learning, latency, card]
    view["sections"] = Self.joined(first.compactMap(\.self), statistics.compactMap(\.self))
    view["links"] = Self.links(first)
    view["statisticLinks"] = Self.links(statistics)
    return try Self.rendered(view, "report")
  }

  static func rendered(_ view: View, _ template: String) throws(TrainingError) -> String {
    do {
      return try templates().render(view, withTemplate: template) ?? ""
    } catch {
      throw .brokenReport("\(error)")
    }
  }

  /// Returns all sections; the template folds those from the first to the last of the statistics.
  private static func joined(_ first: [View], _ statistics: [View]) -> [View] {
    var sections = first + statistics
    guard !statistics.isEmpty else { return sections }
    sections[first.count]["opensStatistics"] = true
    sections[sections.count - 1]["closesStatistics"] = true
    return sections
  }

  private static func links(_ sections: [View?]) -> [View] {
    sections.compactMap { section in
      section.map { ["target": $0["id"] ?? "", "word": $0["name"] ?? ""] }
    }
  }

  private static func templates() throws -> MustacheLibrary {
    precondition(HTMLEscaping.isRegistered, "no escaping")
    var library = MustacheLibrary()
    for (name, bytes) in [
      ("report", PackageResources.report_mustache), ("gallery", PackageResources.gallery_mustache),
      ("head", PackageResources.head_mustache), ("table", PackageResources.table_mustache),
      ("plot", PackageResources.plot_mustache), ("closed", PackageResources.closed_mustache),
      ("photo", PackageResources.photo_mustache),
    ] {
      try library.register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    return library
  }

  /// A section of the page. The template determines where `more` is shown; `details` is initially closed.
  static func section(
    _ id: String, name: String, heading: String, intro: String? = nil, drawings: [View] = [],
    tables: [View] = [], numbers: [View] = [], details: View? = nil, _ more: View = [:]
  ) -> View {
    var view: View = [
      "id": id, "name": name, "heading": heading, "drawings": drawings, "tables": tables,
      "numbers": numbers,
    ]
    if let intro { view["intro"] = intro }
    if let details { view["details"] = details }
    return view.merging(more) { $1 }
  }

  static func plot(_ drawing: String, _ note: String = "", isWide: Bool = false) -> View {
    ["drawing": drawing, "plotNote": note, "isWide": isWide]
  }

  static func closed(_ summary: String, _ table: View) -> View {
    table.merging(["summary": summary]) { $1 }
  }

  /// The statistics in a section's closed "Details" element.
  static func details(
    _ paragraphs: [String] = [], drawings: [View] = [], tables: [View] = [], numbers: [View] = [],
    isPair: Bool = false
  ) -> View {
    [
      "paragraphs": paragraphs, "drawings": drawings, "tables": tables, "numbers": numbers,
      "isPair": isPair,
    ]
  }

  private var frame: View {
    let name = report.card?.model ?? "a model"
    let evaluation = report.evaluation
    let known = evaluation.known.count
    let buildings = FigureText.count(evaluation.byBuilding.count, "building")
    var lead = "\(FigureText.count(known, "test photo")) of \(buildings)"
    if !evaluation.background.isEmpty {
      lead +=
        ", \(FigureText.count(evaluation.background.count, "non-building photo"))"
        + evaluation.ofOtherBuildings
    }
    if !evaluation.unknown.isEmpty {
      lead += ", \(evaluation.unknown.count) photos of unknown buildings"
    }
    return [
      "script": PageScript.report.text, "scriptDigest": PageScript.report.digest,
      "hasOrigin": origin != nil,
      "origin": (origin?.facts ?? []).map {
        ["name": $0.name, "value": VisibleText.line($0.value)]
      },
      "title": "Evaluation of \(name)", "model": name, "lead": lead + ".",
      "style": PageStyle.text, "version": cupolaVersion,
    ]
  }
}

/// Escapes text for HTML and XML.
///
/// Mustache's own escaping processes characters, so it misses a quotation mark that is combined with an accent and
/// still ends an attribute. This function processes Unicode scalars.
enum HTMLEscaping {
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      case "`": result.append(contentsOf: "&#96;".unicodeScalars)
      case "\t", "\n": result.append(scalar)
      // Control characters, direction controls, and two noncharacters that XML forbids.
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}",
        "\u{FFFE}", "\u{FFFF}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  static let contentType = "CUPOLA_HTML"

  static let isRegistered: Bool = {
    MustacheContentTypes.register(ContentType(), named: contentType)
    return true
  }()

  private struct ContentType: MustacheContentType {
    func escapeText(_ text: String) -> String { HTMLEscaping.escaped(text) }
  }
}

struct PageScript {
  let text: String
  static var report: PageScript { PageScript(PackageResources.report_js) }
  static var gallery: PageScript { PageScript(PackageResources.gallery_js) }

  private init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

  /// The script's hash in the content security policy: SHA-256 in Base64.
  var digest: String {
    var hash = SHA256()
    hash.update(Array(text.utf8))
    return "sha256-" + ReportPictures.base64(hash.digest())
  }
}

/// The date, the command and the inputs. Only the page contains them; all other files are reproducible.
package struct ReportOrigin: Sendable {
  let facts: [(name: String, value: String)]

  package init(date: UTCDate?, command: [String], photos: String, modelDigest: String) {
    facts =
      (date.map { [("date", $0.text)] } ?? [])
      + [
        ("command", command.map(ShellWord.quoted).joined(separator: " ")), ("photos", photos),
        ("SHA-256 of the model", modelDigest),
      ]
  }
}

package enum ShellWord {
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0)
          || "-_./=,:+@%".unicodeScalars.contains($0)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
