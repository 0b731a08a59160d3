import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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

  @Test("All files at any depth, in the order of the names")
  func depth() throws {
    try folder.touch("b.jpg", "a/2.jpg", "a/1/x/y.jpg", "c/.hidden/1.jpg", "a/Thumbs.db")
    #expect(
      try steps().map(\.name) == ["a/1/x/y.jpg", "a/2.jpg", "b.jpg"])
    #expect(try steps().map { String($0.lastName) } == ["y.jpg", "2.jpg", "b.jpg"])
  }

  @Test("A folder is read once, whatever links lead there, and by its own name")
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

  @Test("A link to a folder elsewhere is followed, once of two")
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

  @Test("Folders that cannot be read, links that lead nowhere, pipes: a step each")
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
