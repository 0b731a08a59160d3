import CupolaCampus
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("The folder of a report")
struct ReportFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file with a hole before its last bytes.
  private func write(_ end: String, after hole: UInt64) throws {
    let path = try folder.write([] as [UInt8], to: "report/report.json")
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seek(toOffset: hole)
    try file.write(contentsOf: Data(end.utf8))
    try file.close()
  }

  @Test("a report of any size is known as one, and a file of others is not")
  func isReport() throws {
    let schema = #""schema" : "cupola.evaluation/1"}"#
    for hole in [0, 1 << 30] as [UInt64] {
      try write(schema, after: hole)
      #expect(try ReportFolder(folder.path("report")).path == folder.path("report"))
      try write("{}", after: hole)
      #expect(throws: FileError.self) { try ReportFolder(folder.path("report")) }
    }
  }
}
