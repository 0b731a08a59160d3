import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Folders in folders, links between them, and what cannot be read among them.
@Suite("Photo tree")
struct PhotoTreeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func set() throws -> PhotoSet { try PhotoSet(root: folder.path) }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: target)
  }

  @Test("photos below a label's folder are the label's, at any depth")
  func deep() throws {
    try folder.touch("tower/1.jpg", "tower/2026-05/2.jpg", "tower/a/b/c/3.jpg", "_street/x/4.jpg")
    let set = try set()
    #expect(
      set.photos.map(\.name) == [
        "_street/x/4.jpg", "tower/1.jpg", "tower/2026-05/2.jpg", "tower/a/b/c/3.jpg",
      ])
    #expect(set.photos.map(\.label) == ["_street", "tower", "tower", "tower"])
    #expect(set.photos.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    #expect(set.ignored == 0 && set.skipped.isEmpty)
  }

  @Test("in the folders of parts too; photos beside labels are told")
  func parts() throws {
    try folder.touch(
      "train/tower/may/1.jpg", "test/tower/june/2.jpg", "test/stray.jpg", "stray.jpg", "mine/3.jpg",
      "mine/notes.txt", "all/4.jpg")
    try link("train/arch", to: "../all")
    let set = try set()
    #expect(
      set.photos.map(\.name) == [
        "test/tower/june/2.jpg", "train/arch/4.jpg", "train/tower/may/1.jpg",
      ])
    #expect(set.photos.map(\.label) == ["tower", "arch", "tower"])
    #expect(set.photos.map(\.split) == [.test, .train, .train])
    #expect(
      set.skipped == [
        SkippedFile(name: "stray.jpg", reason: .outsideLabelFolder),
        SkippedFile(name: "test/stray.jpg", reason: .outsideLabelFolder),
        SkippedFile(name: "mine/3.jpg", reason: .besidePartFolders),
      ])
  }

  @Test("a folder that links lead to is read once, under its own label", .timeLimit(.minutes(10)))
  func links() throws {
    try folder.touch("arch/1.jpg", "tower/2.jpg")
    try link("arch/up", to: "..")
    try link("arch/all", to: "../tower")
    try link("copy", to: "tower")
    let set = try set()
    #expect(set.photos.map(\.name) == ["arch/1.jpg", "tower/2.jpg"])
    #expect(set.ignoredFiles.repeatedFolders == 3)
    #expect(set.ignoredFiles.text == "3 repeated folders")
    let negatives = try PhotoSet(negatives: folder.path)
    #expect(negatives.photos.map(\.name) == ["arch/1.jpg", "tower/2.jpg"])
  }

  @Test("a folder that cannot be read is one failure, and the rest is there")
  func unreadable() throws {
    try folder.touch("a/1.jpg", "a/closed/2.jpg", "b/3.jpg")
    try link("gone", to: "nowhere")
    let closed = folder.path("a/closed")
    let listing = PhotoListing { path throws(FileError) in
      guard path != closed else { throw FileError.cannotRead(path: path, code: EACCES) }
      return try Directory.entries(of: path)
    }
    let set = try PhotoSet(root: folder.path, splitFile: nil, listing)
    #expect(set.photos.map(\.name) == ["a/1.jpg", "b/3.jpg"])
    let faults: [(String, Int32)] = [("a/closed", EACCES), ("gone", ENOENT)]
    #expect(
      set.skipped
        == faults.map { name, code in
          SkippedFile(
            name: name,
            reason: .unusable(.file(.cannotRead(path: folder.path(name), code: code))))
        })
    #expect(set.skipped[0].message.contains("Permission denied"))
  }

  @Test(
    "a pipe or socket with a photo's name is one failure, not waited for", .timeLimit(.minutes(10)))
  func pipes() async throws {
    try folder.touch("a/notes")
    let made = unsafe mkfifo(folder.path("a/1.jpg"), 0o600)
    try #require(made == 0)
    try link("a/2.jpg", to: "/dev/zero")
    let photos = try set().photos
    let read = await photos.reading(threads: 2) { photo throws(CupolaError) in
      try photo.opened(by: PhotoDecoder())
    }
    #expect(read.values.isEmpty)
    #expect(
      read.skipped.map(\.reason)
        == ["a/1.jpg", "a/2.jpg"].map {
          .unusable(.file(.notAFile(path: folder.path($0))))
        })
    #expect(read.skipped[0].message.contains("a pipe, socket or device"))
  }
}
