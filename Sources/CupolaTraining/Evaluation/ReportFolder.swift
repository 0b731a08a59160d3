public import Cupola

/// Writes all that there is to say of an evaluation into a folder: `report.json`, `report.html`,
/// `report.txt` and tables.
public struct ReportFolder {
  /// Where the files go.
  public let path: String

  /// Makes the folder unless it is there; its parent must be.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  public init(_ path: String) throws(FileError) {
    self.path = path
    try Directory.create(path)
    try FileAccess.checkFolder(of: path + "/")
  }

  /// Writes every file beside its place and then renames it, the page last: no file is ever seen half
  /// written.
  ///
  /// - Parameter text: what people read in a terminal.
  /// - Throws: ``TrainingError/file(_:)``.
  public func write(_ page: ReportPage, text: String) async throws(TrainingError) {
    let report = page.report
    let json: [UInt8]
    do { json = try report.bytes() } catch { throw .brokenReport("\(error)") }
    try write(json, to: "report.json")
    for (name, table) in report.tables { try write(Array(table.csv.utf8), to: name + ".csv") }
    try write(Array((text + "\n").utf8), to: "report.txt")
    try write(Array(try await page.html().utf8), to: "report.html")
  }

  private func write(_ bytes: [UInt8], to name: String) throws(TrainingError) {
    try TrainingError.files { () throws(FileError) in
      try FileAccess.write(bytes, to: path + "/" + name)
    }
  }
}
