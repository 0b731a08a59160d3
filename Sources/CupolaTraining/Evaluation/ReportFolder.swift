internal import Cupola

/// Writes all that there is to say of an evaluation into a folder: `report.json`, `report.html`,
/// `report.txt` and tables.
public struct ReportFolder {
  /// Where the files go.
  public let path: String

  /// Makes the folder unless it is there; its parent must be.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  public init(_ path: String) throws {
    self.path = path
    try Directory.create(path)
    try FileAccess.checkFolder(of: path + "/")
  }

  /// Writes every file beside its place and then renames it, the page last: no file is ever seen half
  /// written.
  ///
  /// - Parameter text: what people read in a terminal.
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  public func write(_ page: ReportPage, text: String) async throws {
    let report = page.report
    try write(try report.bytes(), to: "report.json")
    for (name, table) in report.tables { try write(Array(table.csv.utf8), to: name + ".csv") }
    try write(Array((text + "\n").utf8), to: "report.txt")
    try write(Array(try await page.html().utf8), to: "report.html")
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try FileAccess.write(bytes, to: path + "/" + name)
  }
}
