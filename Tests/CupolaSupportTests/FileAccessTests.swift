import Cupola
import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaSupport

@Suite("File access") struct FileAccessTests {
  static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  // MARK: - Writing and reading

  @Test("Reads the bytes that were written", arguments: [0, 1, 4096, 100_003])
  func roundTrip(count: Int) throws {
    try withTemporaryFolder { folder in
      var generator = SplitMix64(seed: UInt64(count))
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let path = folder.appending(path: "file with blanks – ü").path
      try FileAccess.write(bytes, to: path)
      #expect(try FileAccess.read(path) == bytes)
      #expect(try Self.names(in: folder).count == 1)
    }
  }

  @Test("Reads a range of bytes within the file")
  func someBytes() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "file").path
      try FileAccess.write([1, 2, 3, 4, 5], to: path)
      #expect(try FileAccess.read(path, bytes: 1..<3) == [2, 3])
      #expect(try FileAccess.read(path, bytes: 5..<5) == [])
      #expect(try FileAccess.size(of: path) == 5)
      #expect(throws: FileError.cannotRead(path: path, code: EINVAL)) {
        try FileAccess.read(path, bytes: 4..<6)
      }
      #expect(throws: FileError.cannotRead(path: folder.path, code: EISDIR)) {
        try FileAccess.read(folder.path, bytes: 0..<1)
      }
    }
  }

  @Test("Replaces an existing file atomically")
  func replacement() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "file")
      try FileAccess.write([1, 2, 3, 4, 5], to: file.path)
      // Readers that have the old file open continue to read it.
      let reader = try FileHandle(forReadingFrom: file)
      try FileAccess.write([9], to: file.path)
      #expect(try FileAccess.read(file.path) == [9])
      #expect(try reader.readToEnd() == Data([1, 2, 3, 4, 5]))
      #expect(try Self.names(in: folder) == ["file"])
    }
  }

  @Test("A path is below a folder only at a slash")
  func below() {
    func isBelow(_ path: String, _ folder: String) -> Bool {
      FileAccess.isBelow(Array(path.utf8), folder: Array(folder.utf8))
    }
    #expect(isBelow("/a/b", "/a") && isBelow("/a/b/c", "/a") && isBelow("/a", "/"))
    #expect(!isBelow("/ab", "/a") && !isBelow("/a", "/a") && !isBelow("/a", "/a/b"))
  }

  // MARK: - Errors

  @Test("Fails if the folder is missing")
  func missingFolder() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "missing/file").path
      let parent = folder.appending(path: "missing").path
      #expect(throws: FileError.noFolder(path: path, folder: parent)) {
        try FileAccess.write([1], to: path)
      }
      let names = try Self.names(in: folder)
      #expect(names == [])
    }
  }

  @Test("Checks in advance whether a folder can be written")
  func early() throws {
    try withTemporaryFolder { folder in
      try FileAccess.checkFolder(of: folder.appending(path: "new").path)
      try FileAccess.checkFolder(of: "new")
      let path = folder.appending(path: "missing/file").path
      let parent = folder.appending(path: "missing").path
      let error = try #require(throws: FileError.self) { try FileAccess.checkFolder(of: path) }
      #expect(error == .noFolder(path: path, folder: parent))
      #expect(error.message == "\(path): the folder \(parent) does not exist; create it first")
      #expect(throws: FileError.noFolder(path: "missing/file", folder: "missing")) {
        try FileAccess.checkFolder(of: "missing/file")
      }
      let names = try Self.names(in: folder)
      #expect(names == [])
    }
  }

  @Test("Does not replace a folder with a file")
  func ontoFolder() throws {
    try withTemporaryFolder { folder in
      let target = folder.appending(path: "folder")
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
      try FileAccess.write([1], to: target.appending(path: "inner").path)
      #expect(throws: FileError.cannotWrite(path: target.path, code: EISDIR)) {
        try FileAccess.write([1], to: target.path)
      }
      #expect(throws: FileError.self) { try FileAccess.write([1], to: target.path + "/") }
      #expect(throws: FileError.self) { try FileAccess.write([1], to: "") }
      #expect(try Self.names(in: folder) == ["folder"])
      #expect(try Self.names(in: target) == ["inner"])
    }
  }

  @Test("Keeps the old file if it cannot be replaced")
  func untouched() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "file").path
      try FileAccess.write([1, 2], to: path)
      #expect(throws: FileError.self) { try FileAccess.write([3], to: path + "/below") }
      #expect(try FileAccess.read(path) == [1, 2])
      #expect(try Self.names(in: folder) == ["file"])
    }
  }

  @Test("Fails for a missing file, a folder and an empty path")
  func unreadable() throws {
    try withTemporaryFolder { folder in
      let missing = folder.appending(path: "missing").path
      for (path, code) in [(missing, ENOENT), (folder.path, EISDIR), ("", ENOENT)] {
        #expect(throws: FileError.cannotRead(path: path, code: code)) {
          try FileAccess.read(path)
        }
      }
    }
  }

  @Test("Rejects pipes and devices without blocking", .timeLimit(.minutes(10)))
  func pipes() throws {
    #expect(throws: FileError.notAFile(path: "/dev/null")) {
      try FileAccess.read("/dev/null")
    }
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "pipe").path
      let made = unsafe mkfifo(path, 0o600)
      try #require(made == 0)
      #expect(throws: FileError.notAFile(path: path)) {
        try FileAccess.read(path)
      }
    }
  }

  @Test("Rejects files larger than the limit")
  func limit() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "file").path
      try FileAccess.write([1, 2, 3], to: path)
      #expect(try FileAccess.read(path, limit: 3) == [1, 2, 3])
      #expect(throws: FileError.tooLarge(bytes: 3, limit: 2)) {
        try FileAccess.read(path, limit: 2)
      }
    }
  }

  @Test("Rejects a huge sparse file by default")
  func usualLimit() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "file").path
      try FileAccess.write([1], to: path)
      // A sparse file.
      let bytes = 8 << 40
      let status = unsafe truncate(path, off_t(bytes))
      try #require(status == 0)
      #expect(throws: FileError.tooLarge(bytes: bytes, limit: 2 << 30)) {
        try FileAccess.read(path)
      }
    }
  }
}
