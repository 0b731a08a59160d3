public import Cupola
internal import Mustache

// The page of a report: one HTML file without network.
// 1. Sections are made as values for the templates; 2. Mustache renders them.
// 3. HTMLEscaping makes every text safe; 4. PageScript is the only script that may run.

/// An evaluation as one page of HTML that needs nothing beside it and no network: its one script sorts and
/// filters tables, and all can be read without it.
public struct ReportPage: Sendable {
  /// What the templates are given: texts are escaped there, drawings are not.
  typealias View = [String: Any]

  let report: EvaluationReport
  let recognizer: Recognizer
  package var pictures = ReportPictures()
  package var origin: ReportOrigin?
  package var history: EvaluationHistory?

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
  /// - Throws: `TrainingError.brokenReport(_:)`, which no input brings about.
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
  static func section(
    _ id: String, name: String, heading: String, intro: String? = nil, drawings: [View] = [],
    tables: [View] = [], numbers: [View] = [], _ more: View = [:]
  ) -> View {
    var view: View = [
      "id": id, "name": name, "heading": heading, "drawings": drawings, "tables": tables,
      "numbers": numbers,
    ]
    if let intro { view["intro"] = intro }
    return view.merging(more) { $1 }
  }

  /// A drawing and what there is to say of it; a wide one has a size of its own.
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

/// Text that a browser shows as it stands, whatever it holds.
///
/// Mustache's own escaping looks at whole characters, and so leaves a quotation mark with an accent
/// on it as it is, which ends an attribute all the same. This looks at the scalars.
enum HTMLEscaping {
  /// Safe as the text of an element and inside of a quoted attribute, of HTML and of XML 1.0.
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
      // Control characters, those that turn the direction of what follows, and two that XML has no place for.
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}",
        "\u{FFFE}", "\u{FFFF}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  static let contentType = "CUPOLA_HTML"

  /// Makes the content type known to Mustache, once.
  static let isRegistered: Bool = {
    MustacheContentTypes.register(ContentType(), named: contentType)
    return true
  }()

  private struct ContentType: MustacheContentType {
    func escapeText(_ text: String) -> String { HTMLEscaping.escaped(text) }
  }
}

enum PageScript {
  static var text: String { String(decoding: PackageResources.report_js, as: UTF8.self) }

  /// What the page's policy calls it: the SHA-256 of its bytes in Base64.
  static var digest: String {
    var hash = SHA256()
    hash.update(Array(text.utf8))
    return "sha256-" + ReportPictures.base64(hash.digest())
  }
}

/// When and from what a page was made. It stands on the page only: figures and tables of the same photos
/// and model stay the same bytes.
package struct ReportOrigin: Sendable {
  let facts: [(name: String, value: String)]

  package init(date: UTCDate?, command: [String], photos: String, modelDigest: String) {
    facts =
      (date.map { [("made", $0.text)] } ?? [])
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
