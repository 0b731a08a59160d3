public import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes all that there is to say of an evaluation into a folder: `report.json`, `report.html`,
/// `report.txt` and tables.
public struct ReportFolder {
  /// Where the files go.
  public let path: String

  /// The file by which a report is known.
  private static let mark = "report.json"
  private static let (text, page) = ("report.txt", "report.html")

  /// Makes the folder unless it is there; its parent must be.
  ///
  /// - Throws: `FileError.cannotWrite(path:code:)`, also about a file of others that is called as one of a report.
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

  /// Bytes at either end of a report in which its schema is looked for: the answers of thousands of photos stand between.
  private static let searched = 4 << 20

  /// Whether a report is there; its schema is found in whatever layout its JSON has.
  private static func isReport(_ path: String) -> Bool {
    let schema = Array("\"cupola.evaluation/".utf8)
    return FolderUpdate.places(of: mark, in: path).contains { file in
      guard let size = try? FileAccess.size(of: file) else { return false }
      return [0..<min(size, searched), max(0, size - searched)..<size].contains { part in
        (try? FileAccess.read(file, bytes: part))?.firstRange(of: schema) != nil
      }
    }
  }

  /// Writes every file beside its place; then all take their places together, or none does. Other files in
  /// the folder stay.
  ///
  /// - Parameters:
  ///   - page: the page for browsers.
  ///   - text: what people read in a terminal.
  /// - Throws: ``TrainingError/file(_:)``.
  public func write(_ page: ReportPage, text: String) async throws(TrainingError) {
    let report = page.report
    let json: [UInt8]
    do { json = try report.bytes() } catch { throw .brokenReport("\(error)") }
    let html = Array(try await page.html().utf8)
    let tables = EvaluationReport.tables.map { name, table in
      FolderUpdate.File(name + ".csv", make: Self.csv(of: report, name, table))
    }
    let files = [
      FolderUpdate.File(Self.mark, json), FolderUpdate.File(Self.text, Array((text + "\n").utf8)),
      FolderUpdate.File(Self.page, html),
    ]
    try TrainingError.files { () throws(FileError) in
      try FolderUpdate.replace(files + tables, in: path)
    }
  }

  /// What writes a table; that of all answers is never in memory as a whole.
  private static func csv(
    of report: EvaluationReport, _ name: String,
    _ table: @escaping @Sendable (EvaluationReport) -> Table
  ) -> FolderUpdate.Maker {
    { add throws(FileError) in
      guard name == EvaluationReport.predictionTable else {
        return try add(Array(table(report).csv.utf8))
      }
      try Table.writeCSV(of: report.predictions, Prediction.columns, add)
    }
  }
}
