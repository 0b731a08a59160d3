import CupolaTestSupport
import Testing

@testable import CupolaCampus

@Suite("Directory") struct DirectoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.touch("b", ".a", "c/d", ".e/f", "Thumbs.db")
  }

  @Test("All entries are those of the folder, hidden or not, and neither it nor the one above")
  func allEntries() throws {
    let all = try Directory.allEntries(of: folder.path)
    #expect(all.map(\.name) == [".a", ".e", "Thumbs.db", "b", "c"])
    #expect(all.map(\.isDirectory) == [false, true, false, false, true])
  }

  @Test("Entries are without hidden names and what systems put there")
  func entries() throws {
    #expect(try Directory.entries(of: folder.path).map(\.name) == ["b", "c"])
    #expect(Directory.hiddenFolders(in: folder.path) == [".e"])
    #expect(Directory.hiddenFolders(in: folder.path("nowhere")).isEmpty)
  }

  @Test("A folder that is not there is an error")
  func missing() {
    let path = folder.path("nowhere")
    #expect(throws: FileError.self) { try Directory.allEntries(of: path) }
  }

  @Test("A folder is made unless it is there, and where a file stands that is told")
  func create() throws {
    for _ in 0..<2 {
      try Directory.create(folder.path("c"))
      try Directory.createAll(folder.path("x/y/z"))
    }
    #expect(Directory.isDirectory(folder.path("x/y/z")))
    for name in ["b", "b/x"] {
      let error = #expect(throws: FileError.self) {
        try Directory.createAll(folder.path(name))
      }
      let message = try #require(error).message
      #expect(message.hasPrefix(folder.path(name) + ": cannot write it: "))
      #expect(message.hasSuffix("; name another folder"))
    }
  }
}
