import CupolaTestSupport
import Foundation
import Testing

@Suite("The folder of a journal") struct JournalFolderTests {
  @Test("All of its files are for nobody else, the name of its device among them")
  func modes() throws {
    let folder = try TemporaryFolder()
    expectSuccess(try Tool.run(["journal", "add", "visit", "--text", "one"], in: folder))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("visit"))
    #expect(names.contains("own-device"))
    for name in names {
      #expect(try folder.mode("visit/" + name) == 0o600, "\(name)")
    }
  }
}
