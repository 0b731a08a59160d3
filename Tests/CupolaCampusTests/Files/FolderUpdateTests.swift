import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Folder update") struct FolderUpdateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let files: [(name: String, bytes: [UInt8])] = [("a", [11]), ("b", [12]), ("c", [13])]

  @Test("All files change, others stay, and nothing is left")
  func together() throws {
    try folder.write([1], to: "a")
    try folder.write([9], to: "mine")
    try folder.write([9], to: ".git/config")
    try FolderUpdate.replace(files, in: folder.path)
    let all = try folder.contents().compactMapValues { Array($0) }.filter { $0.key != ".git" }
    #expect(all == ["a": [11], "b": [12], "c": [13], "mine": [9], ".git/config": [9]])
  }

  @Test("When one cannot take its place, all are as before", arguments: 0..<5)
  func failure(moves: Int) throws {
    try folder.write([1], to: "a")
    try folder.write([2], to: "b")
    let before = try folder.contents()
    var left = moves
    // It is told by the file that was to be written, whichever name could not be changed.
    let file = folder.path(["a", "a", "b", "b", "c"][moves])
    #expect(throws: FileError.cannotWrite(path: file, code: EIO)) {
      try FolderUpdate.replace(files, in: folder.path) { path, other throws(FileError) in
        left -= 1
        guard left != -1 else { throw FileError.cannotWrite(path: other, code: EIO) }
        try Directory.rename(path, to: other)
      }
    }
    #expect(try folder.contents() == before)
  }

  @Test("A file that cannot be written is told by its own name, not by that of where it waits")
  func unwritable() throws {
    let name = String(repeating: "n", count: 256)
    #expect(throws: FileError.cannotWrite(path: folder.path(name), code: ENAMETOOLONG)) {
      try FolderUpdate.replace([(name, [1])], in: folder.path)
    }
    // As on a disk that is full.
    let full = FolderUpdate.File("a") { _ throws(FileError) in
      throw FileError.cannotWrite(path: "elsewhere", code: ENOSPC)
    }
    #expect(throws: FileError.cannotWrite(path: folder.path("a"), code: ENOSPC)) {
      try FolderUpdate.replace([full], in: folder.path)
    }
    #expect(try folder.contents().isEmpty)
  }

  @Test("What is no file is refused, and nothing changes")
  func refused() throws {
    try folder.write([1], to: "a")
    try folder.touch("c/inner")
    let before = try folder.contents()
    #expect(throws: FileError.cannotWrite(path: folder.path("c"), code: EISDIR)) {
      try FolderUpdate.replace(files, in: folder.path)
    }
    #expect(try folder.contents() == before)
  }

  @Test("What a killed run left goes, and files that it had taken away come back")
  func killed() throws {
    try folder.write([1], to: "a")
    try folder.write([7], to: Self.stage + "old/a")
    try folder.write([8], to: Self.stage + "old/lost")
    try folder.write([9], to: Self.stage + "new/b")
    try age(3_600)
    try FolderUpdate.replace(files, in: folder.path)
    let all = try folder.contents().compactMapValues { Array($0) }
    #expect(all == ["a": [11], "b": [12], "c": [13], "lost": [8]])
  }

  @Test("A folder in which somebody works stays, and so does a new one, or one of another name")
  func alive() throws {
    let others = [".part-1/x", ".part-00000000000000zz/x", ".parts-0000000000000001/x"]
    for name in others + [Self.stage + "new/b"] { try folder.write([9], to: name) }
    try FolderUpdate.replace(files, in: folder.path)
    try age(3_600)
    let owner = unsafe open(folder.path(Self.stage), O_RDONLY | O_DIRECTORY)
    defer { _ = close(owner) }
    #expect(flock(owner, LOCK_EX) == 0)
    try FolderUpdate.replace(files, in: folder.path)
    let left = try folder.contents().keys.filter { $0.hasSuffix("/x") || $0.hasSuffix("/b") }
    #expect(left.sorted() == (others + [Self.stage + "new/b"]).sorted())
  }

  private static let stage = ".part-0123456789abcdef/"

  private func age(_ seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
      ofItemAtPath: folder.path(String(Self.stage.dropLast())))
  }
}
