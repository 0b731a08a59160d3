import CupolaTestSupport
import Foundation
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

  @Test("Whether a folder could be made is told early, and none is made")
  func checkCreation() throws {
    for name in ["c", "c/", "c/new", "new/below/", "new"] {
      try Directory.checkCreation(of: folder.path(name))
    }
    for path in ["not_there", "not_there/below"] { try Directory.checkCreation(of: path) }
    #expect(!Directory.exists(folder.path("new")) && !Directory.exists(folder.path("c/new")))
    for name in ["b", "b/x", "b/x/y"] {
      #expect(throws: FileError.cannotWrite(path: folder.path(name), code: ENOTDIR)) {
        try Directory.checkCreation(of: folder.path(name))
      }
    }
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
