import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Directory") struct DirectoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.touch("b", ".a", "c/d", ".e/f", "Thumbs.db")
  }

  @Test("Lists all entries except \".\" and \"..\"")
  func allEntries() throws {
    let all = try Directory.allEntries(of: folder.path)
    #expect(all.map(\.name) == [".a", ".e", "Thumbs.db", "b", "c"])
    #expect(all.map(\.isDirectory) == [false, true, false, false, true])
  }

  @Test("Lists entries without hidden and system files")
  func entries() throws {
    #expect(try Directory.entries(of: folder.path).map(\.name) == ["b", "c"])
  }

  @Test("Exchanges two folders in one step, if the file system can")
  func exchange() throws {
    try folder.write([1], to: "new/file")
    let isExchanged = try Directory.exchange(folder.path("new"), with: folder.path("c"))
    #expect(Directory.exists(folder.path(isExchanged ? "c/file" : "new/file")))
    #expect(Directory.exists(folder.path(isExchanged ? "new/d" : "c/d")))
    #expect(throws: FileError.cannotWrite(path: folder.path("nowhere"), code: ENOENT)) {
      guard try Directory.exchange(folder.path("new"), with: folder.path("nowhere")) else {
        throw FileError.cannotWrite(path: folder.path("nowhere"), code: ENOENT)
      }
    }
    #expect(try #require(Directory.freeBytes(in: folder.path)) > 0)
    #expect(Directory.freeBytes(in: folder.path("nowhere")) == nil)
  }

  @Test("A released lock is free, even if another program inherited the file")
  func releasedLock() throws {
    let lock = try #require(try FolderLock(folder.path))
    // A copy of the file shares its lock, as in a program that was started meanwhile.
    let copies = (3..<256).compactMap { file -> Int32? in
      isFolder(file) ? dup(file) : nil
    }
    defer { for copy in copies { close(copy) } }
    #expect(!copies.isEmpty)
    #expect(try FolderLock(folder.path) == nil)
    lock.release()
    let again = try FolderLock(folder.path)
    #expect(again != nil)
    again?.release()
  }

  private func isFolder(_ file: Int32) -> Bool {
    var (opened, own) = (stat(), stat())
    return unsafe fstat(file, &opened) == 0 && stat(folder.path, &own) == 0
      && opened.st_ino == own.st_ino && opened.st_dev == own.st_dev
  }

  @Test(
    "A path is split at its last slash, also before a combining character",
    arguments: [("a/b.jpg", "a/", "b.jpg"), ("b.jpg", ".", "b.jpg"), ("a/", "a/", "")]
      + [("a/\u{301}b", "a/", "\u{301}b")])
  func parts(path: String, folder: String, name: String) {
    #expect(Array(FileAccess.folder(of: path).utf8) == Array(folder.utf8))
    #expect(Array(FileAccess.name(of: path).utf8) == Array(name.utf8))
  }

  @Test("Filled folders of killed processes are found at once, and locked ones are kept")
  func staging() throws {
    let used = try StagingFolder(prefix: folder.path("out.part-"))
    defer { used.remove() }
    try folder.write([1], to: "out.part-0123456789abcdef/old/file")
    try folder.write([1], to: "out.part-fedcba9876543210/old/file")
    try FileManager.default.createDirectory(
      atPath: folder.path("out.part-0000000000000000"), withIntermediateDirectories: false)
    var found: [String] = []
    StagingFolder.removeDead(prefix: folder.path("out.part-")) { path in
      found.append(path)
      return path.hasSuffix("f")
    }
    #expect(found.count == 2 && !found.contains(used.path))
    #expect(!Directory.exists(folder.path("out.part-0123456789abcdef")))
    #expect(Directory.exists(folder.path("out.part-fedcba9876543210")), "it was not rescued")
    #expect(Directory.exists(folder.path("out.part-0000000000000000")), "it may not be locked yet")
  }

  @Test("Fails for a missing folder")
  func missing() {
    let path = folder.path("nowhere")
    #expect(throws: FileError.self) { try Directory.allEntries(of: path) }
  }

  @Test("Checks in advance whether a folder can be created")
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

  @Test("Creates a folder unless it exists")
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
      #expect(message.hasPrefix(folder.path(name) + ": cannot be written: "))
      #expect(message.hasSuffix("; choose another folder"))
    }
  }
}

@Suite("Folder walk") struct FolderWalkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func steps(
    listing list: @escaping FolderWalk.Lister = Directory.entries
  ) throws -> [FolderWalk.Step] {
    FolderWalk.steps(
      in: folder.path, entries: try Directory.entries(of: folder.path), listing: list)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: target)
  }

  @Test("Lists files at any depth, in name order")
  func depth() throws {
    try folder.touch("b.jpg", "a/2.jpg", "a/1/x/y.jpg", "c/.hidden/1.jpg", "a/Thumbs.db")
    #expect(
      try steps().map(\.name) == ["a/1/x/y.jpg", "a/2.jpg", "b.jpg"])
    #expect(try steps().map { String($0.lastName) } == ["y.jpg", "2.jpg", "b.jpg"])
  }

  @Test("Visits each folder once, under its own name")
  func loops() throws {
    try folder.touch("z/1.jpg", "a/2.jpg")
    try link("a/up", to: "..")
    try link("a/self", to: ".")
    try link("b", to: "z")
    let found = try steps()
    #expect(found.filter { $0.kind == .file }.map(\.name) == ["a/2.jpg", "z/1.jpg"])
    #expect(found.filter { $0.kind == .repeated }.map(\.name) == ["a/self", "a/up", "b"])
    #expect(found.count == 5)
  }

  @Test("Follows links to other folders once")
  func outside() throws {
    let other = try TemporaryFolder()
    try other.touch("deep/1.jpg")
    try link("first", to: other.path)
    try link("second", to: other.path + "/deep")
    #expect(
      try steps() == [
        FolderWalk.Step(name: "first/deep/1.jpg", kind: .file),
        FolderWalk.Step(name: "second", kind: .repeated),
      ])
  }

  @Test("Reports unreadable folders, broken links and pipes")
  func unreadable() throws {
    try folder.touch("a/1.jpg", "b/2.jpg", "c/3.jpg")
    try link("d", to: "nowhere")
    try link("e", to: "e")
    let made = unsafe mkfifo(folder.path("f.jpg"), 0o600)
    try #require(made == 0)
    let closed = folder.path("b")
    let found = try steps { path throws(FileError) in
      guard path != closed else { throw FileError.cannotRead(path: path, code: EACCES) }
      return try Directory.entries(of: path)
    }
    typealias Step = FolderWalk.Step
    func fault(_ name: String, _ code: Int32) -> Step {
      Step(name: name, kind: .unreadable(.cannotRead(path: folder.path(name), code: code)))
    }
    #expect(
      found == [
        Step(name: "a/1.jpg", kind: .file), fault("b", EACCES), Step(name: "c/3.jpg", kind: .file),
        fault("d", ENOENT), fault("e", ELOOP), Step(name: "f.jpg", kind: .special),
      ])
  }
}
