public import Cupola

/// Writes all that there is to say of an evaluation into a folder: `report.json`, `report.html`,
/// `report.txt` and tables.
public struct ReportFolder {
  /// Where the files go.
  public let path: String

  /// Makes the folder unless it is there; its parent must be.
  ///
  /// - Throws: `FileError.cannotWrite(path:code:)`.
  public init(_ path: String) throws(FileError) {
    self.path = path
    try Directory.create(path)
    try FileAccess.checkFolder(of: path + "/")
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
    let files =
      [("report.json", json)] + report.tables.map { ($0.name + ".csv", Array($0.table.csv.utf8)) }
      + [
        ("report.txt", Array((text + "\n").utf8)),
        ("report.html", Array(try await page.html().utf8)),
      ]
    try TrainingError.files { () throws(FileError) in
      try FolderUpdate.replace(files.map { (name: $0, bytes: $1) }, in: path)
    }
  }
}
