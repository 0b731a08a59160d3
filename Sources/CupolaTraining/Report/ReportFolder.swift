#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

public import Cupola

// 1. Create the folder, or recognize an existing report by its schema.
// 2. Write all files under temporary names, then rename them. 3. Write the raw answers one at a time to limit memory.

/// Writes an evaluation into a folder: `report.json`, `report.html`, `report.txt` and CSV tables.
public struct ReportFolder {
  package let path: String
  private static let mark = "report.json"
  private static let (text, page) = ("report.txt", "report.html")

  /// Creates the folder if it is missing; its parent must exist.
  ///
  /// - Throws: `FileError.cannotWrite(path:code:)`, including if a file with one of the output names is not part of a
  ///   report.
  public init(_ path: String) throws(FileError) {
    self.path = path
    try Directory.create(path)
    try FileAccess.checkFolder(of: path + "/")
    let names =
      [Self.mark, Self.text, Self.page] + EvaluationReport.tables.map { $0.name + ".csv" }
    let files = names.map { path + "/" + $0 }
    if let first = files.first(where: { Directory.exists($0) }), !Self.isReport(path) {
      throw .cannotWrite(path: first, code: EEXIST)
    }
  }

  /// The number of bytes to search for the schema at both ends of a report; the answers in between may be large.
  private static let searched = 4 << 20

  private static func isReport(_ path: String) -> Bool {
    let schema = Array("\"cupola.evaluation/".utf8)
    let file = path + "/" + mark
    guard let size = try? FileAccess.size(of: file) else { return false }
    return [0..<min(size, searched), max(0, size - searched)..<size].contains { part in
      (try? FileAccess.read(file, bytes: part))?.firstRange(of: schema) != nil
    }
  }

  /// Writes all files; replaces old files only after every new file is on disk, and keeps all other files.
  ///
  /// - Throws: ``TrainingError/file(_:)``.
  public func write(_ page: ReportPage, text: String) async throws(TrainingError) {
    let report = page.report
    let json: [UInt8]
    do { json = try report.bytes() } catch { throw .brokenReport("\(error)") }
    let html = Array(try await page.html().utf8)
    let tables = EvaluationReport.tables.map { name, table in
      FileAccess.NewFile(name + ".csv", make: Self.csv(of: report, name, table))
    }
    let files = [
      FileAccess.NewFile(Self.mark, json), FileAccess.NewFile(Self.text, Array((text + "\n").utf8)),
      FileAccess.NewFile(Self.page, html),
    ]
    try TrainingError.files { () throws(FileError) in
      try FileAccess.write(files + tables, in: path)
    }
  }

  /// Returns a function that writes a table; the table of answers is never entirely in memory.
  private static func csv(
    of report: EvaluationReport, _ name: String,
    _ table: @escaping @Sendable (EvaluationReport) -> Table
  ) -> (FileAccess.Adder) throws(FileError) -> Void {
    { add throws(FileError) in
      guard name == EvaluationReport.predictionTable else {
        return try add(Array(table(report).csv.utf8))
      }
      try Table.writeCSV(of: report.predictions, Prediction.columns, add)
    }
  }
}

/// The raw answer for one photo, from which every metric can be recomputed.
struct Prediction: Sendable {
  private let answer: Evaluation.Answer
  private let kind: String
  private let session: String
  private let image: [Double]
  private let fused: [Double]
  private let hogAnswer: String?

  static let columns: [Column<Prediction>] = [
    .text("photo") { $0.answer.photo.name }, .text("digest") { $0.answer.facts.digest },
    .text("label") { $0.answer.photo.label }, .text("kind") { $0.kind },
    .text("split") { $0.answer.photo.split?.rawValue }, .text("session") { $0.session },
    .text("group") { $0.answer.photo.group },
    .text("time") { $0.answer.facts.captureTime }, .count("width") { $0.answer.facts.width },
    .count("height") { $0.answer.facts.height },
    .decimal("distance_m") { $0.answer.facts.distance },
    .decimal("heading_deg") { $0.answer.facts.heading?.degrees },
    .text("verdict") { $0.answer.verdict.rawValue },
    .text("answer") { $0.answer.candidates.first?.label },
    .share("image_probability") { $0.image.max() },
    .text("fused_answer") { $0.isOffCampus ? nil : $0.answer.answered },
    .share("fused_probability") { $0.isOffCampus ? nil : $0.fusedProbability },
    .share("familiarity") { $0.answer.familiarity < 1 ? $0.answer.familiarity : nil },
    .decimal("odds") { $0.answer.odds },
    .decimal("logit") { $0.answer.candidates.isEmpty ? nil : $0.answer.largestLogit },
    .text("hog_answer") { $0.hogAnswer }, .text("leak") { $0.answer.facts.leak?.rawValue },
    .numbers("image") { $0.hasAll ? $0.image : nil },
    .numbers("fused") { $0.hasAll && $0.fused != $0.image ? $0.fused : nil },
    .texts("parts") { $0.parts },
    .texts("attributes") { $0.answer.photo.attributes },
  ]

  private var parts: [String: String] {
    Dictionary(
      uniqueKeysWithValues: answer.parts.map { part, said in
        (
          part.rawValue,
          "\(said.verdict.rawValue) \(said.confidence)" + (said.label.map { " " + $0 } ?? "")
        )
      })
  }

  private var hasAll: Bool { answer.figuresOfAll == nil }
  private var fusedProbability: Double? { answer.figuresOfAll?.probability ?? fused.max() }
  private var isOffCampus: Bool { answer.verdict == .notOnCampus }

  init(
    _ answer: Evaluation.Answer, kind: String, session: String, labels: [String],
    hogAnswer: String?
  ) {
    (self.answer, self.kind, self.session) = (answer, kind, session)
    self.hogAnswer = hogAnswer
    let candidates = Dictionary(answer.candidates.map { ($0.label, $0) }) { first, _ in first }
    let labels = answer.figuresOfAll == nil ? labels : answer.candidates.map(\.label)
    image = labels.map { candidates[$0]?.imageProbability ?? 0 }
    fused = labels.map { candidates[$0]?.probability ?? 0 }
  }
}

extension EvaluationReport {
  var predictions: some Sequence<Prediction> {
    let kinds = [
      ("building", evaluation.known), ("background", evaluation.background),
      ("unknown_building", evaluation.unknown),
    ]
    let answers = kinds.flatMap { kind, answers in
      zip(answers, answers.sessionNames).map { (kind, $0, $1) }
    }
    return answers.lazy.map { kind, answer, session in
      Prediction(
        answer, kind: kind, session: session, labels: evaluation.confusion.labels,
        hogAnswer: baseline?.answers[answer.photo.file])
    }
  }

  /// The metrics and the raw answers as one JSON object with sorted keys.
  ///
  /// Answers are encoded one per line; encoding thousands together would take hundreds of megabytes.
  func bytes() throws -> [UInt8] {
    let frame = json.adding(["predictions": [String]()])
    let figures = try JSONObject.text(frame, pretty: true)
    // JSON strings contain no line feeds, so this match is the top-level member.
    guard let mark = figures.firstRange(of: "\n  \"predictions\" : [") else { return [] }
    var bytes = Array(figures[..<mark.upperBound].utf8)
    for (index, prediction) in predictions.enumerated() {
      bytes += Array((index == 0 ? "\n    " : ",\n    ").utf8)
      bytes += try JSONObject.bytes(Table([prediction], Prediction.columns).json[0])
    }
    let rest = figures[mark.upperBound...].drop { $0 == "\n" || $0 == " " }
    return bytes + Array("\n  \(rest)\n".utf8)
  }
}
