import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Export folder") struct ExportFolderTests {
  private let folder: TemporaryFolder
  private let target: ExportFolder
  private let export: ModelExport

  /// An existing export.
  init() throws {
    folder = try TemporaryFolder()
    target = ExportFolder(path: folder.path("out"))
    export = try SampleExports.export(.onnx)
    try target.write(export)
  }

  private func expectRefused(_ error: ExportError) throws {
    #expect(throws: error) { try target.write(export) }
    // The older export stays, and there are no temporary files.
    #expect(try !folder.bytes("out/export.json").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test("Keeps unrelated files, hidden files and links")
  func others() throws {
    let diary = Array("mine".utf8)
    try folder.write(diary, to: "elsewhere/diary.txt")
    try folder.write(diary, to: "out/.notes/deeper/.diary")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("out/link"), withDestinationPath: folder.path("elsewhere"))
    try target.write(export)
    #expect(try folder.bytes("out/.notes/deeper/.diary") == diary)
    #expect(try folder.bytes("elsewhere/diary.txt") == diary)
    let end = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("out/link"))
    #expect(end == folder.path("elsewhere"))
  }

  @Test("Ignores trailing slashes", arguments: ["out/", "out//", "new/", "new///"])
  func slashes(path: String) throws {
    try ExportFolder(path: folder.path(path)).write(export)
    #expect(try !folder.bytes(path + "export.json").isEmpty)
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        .isSubset(of: ["out", "new"]))
  }

  @Test("Keeps hidden files in a seemingly empty folder")
  func hidden() throws {
    let diary = Array("mine".utf8)
    try folder.write(diary, to: "empty/.git/HEAD")
    try folder.write(diary, to: "empty/Thumbs.db")
    try ExportFolder(path: folder.path("empty")).write(export)
    #expect(try folder.bytes("empty/.git/HEAD") == diary)
    #expect(try folder.bytes("empty/Thumbs.db") == diary)
    #expect(try !folder.bytes("empty/export.json").isEmpty)
  }

  @Test("Keeps unrelated empty folders, which Git repositories need")
  func emptyFolders() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("out/.git/refs/heads"), withIntermediateDirectories: true)
    try target.write(export)
    #expect(FileManager.default.fileExists(atPath: folder.path("out/.git/refs/heads")))
    // A folder that the new export also has.
    let golden = folder.path("other/golden")
    try FileManager.default.createDirectory(atPath: golden, withIntermediateDirectories: true)
    try folder.write(try folder.bytes("out/export.json"), to: "other/export.json")
    try ExportFolder(path: folder.path("other")).write(export)
    #expect(try folder.contents().keys.contains("other/golden/1.png"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["other", "out"])
  }

  @Test("Keeps a link to the folder and unrelated files in its target")
  func link() throws {
    let diary = Array("mine".utf8)
    try folder.write(diary, to: "out/diary.txt")
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "out")
    try ExportFolder(path: link).write(export)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "out")
    #expect(try folder.bytes("out/diary.txt") == diary)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "out"])
  }

  @Test("Restores files that a killed run had moved aside", arguments: [false, true])
  func killed(isReplaced: Bool) throws {
    let diary = Array("mine".utf8)
    try folder.write(diary, to: "out/notes/diary.txt")
    let digits = "0123456789abcdef"
    try FileManager.default.moveItem(
      atPath: folder.path("out"), toPath: folder.path("out.old-" + digits))
    // The run ended before or after the new export was moved to its place.
    if isReplaced { try target.write(export) }
    let part = folder.path("out.part-" + digits)
    try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -4000)], ofItemAtPath: part)
    try target.write(export)
    #expect(try folder.bytes("out/notes/diary.txt") == diary)
    #expect(try !folder.bytes("out/campus.onnx").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test(
    "Restores files that a run had moved aside when it was killed, without delay",
    arguments: ["before", "exchanged", "moved", "spare", "spare exchanged"])
  func killedLater(moment: String) throws {
    let diary = Array("mine".utf8)
    try folder.write(diary, to: "out/notes/diary.txt")
    let stage = "out.part-0123456789abcdef"
    try FileManager.default.createDirectory(
      atPath: folder.path(stage), withIntermediateDirectories: false)
    func move(_ name: String, _ other: String) throws {
      try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path(other))
    }
    switch moment {
    case "before":  // The new export is complete, but has no place yet.
      try ExportFolder(path: folder.path(stage + "/old")).write(export)
    case "exchanged":
      try ExportFolder(path: folder.path("fresh")).write(export)
      try move("out", stage + "/old")
      try move("fresh", "out")
    case "moved":  // The user's files are in the new export.
      try ExportFolder(path: folder.path(stage + "/old")).write(export)
    case "spare":  // The file system cannot exchange folders.
      try move("out", stage + "/spare")
      try ExportFolder(path: folder.path(stage + "/old")).write(export)
    default:
      try ExportFolder(path: folder.path("fresh")).write(export)
      try move("out", stage + "/spare")
      try move("fresh", "out")
    }
    try target.write(export)
    #expect(try folder.bytes("out/notes/diary.txt") == diary)
    #expect(try !folder.bytes("out/campus.onnx").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test("Does not restore the rest of an old export that a killed run was removing")
  func killedWhileRemoving() throws {
    try target.write(export)
    let before = try folder.contents()
    // The manifest was removed first.
    try folder.write([1], to: "out.part-0123456789abcdef/rest/place.js")
    try target.write(export)
    #expect(try folder.contents() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test("Keeps files of a killed run whose names are taken")
  func killedInTheWay() throws {
    let stage = "out.part-0123456789abcdef"
    try folder.write(Array("mine".utf8), to: "out/diary.txt")
    try FileManager.default.createDirectory(
      atPath: folder.path(stage), withIntermediateDirectories: false)
    try FileManager.default.moveItem(
      atPath: folder.path("out"), toPath: folder.path(stage + "/old"))
    try target.write(export)
    // The first run restored the file. Another file has its name when the next run is killed.
    try FileManager.default.createDirectory(
      atPath: folder.path(stage), withIntermediateDirectories: false)
    try folder.write(Array("other".utf8), to: stage + "/old/diary.txt")
    try target.write(export)
    #expect(try folder.bytes("out/diary.txt") == Array("mine".utf8))
    #expect(try folder.bytes("out.old-0123456789abcdef/diary.txt") == Array("other".utf8))
    #expect(!Directory.exists(folder.path(stage)))
  }

  @Test("An old or new export is in place at every moment")
  func noGap() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("a"), withIntermediateDirectories: false)
    try FileManager.default.createDirectory(
      atPath: folder.path("b"), withIntermediateDirectories: false)
    // Some file systems cannot exchange folders.
    guard try Directory.exchange(folder.path("a"), with: folder.path("b")) else { return }
    let isDone = Locked(false)
    let manifest = folder.path("out/export.json")
    async let gaps = Task.detached {
      var gaps = 0
      while !isDone.withLock({ $0 }) { gaps += Directory.exists(manifest) ? 0 : 1 }
      return gaps
    }.value
    for _ in 0..<10 { try target.write(export) }
    isDone.withLock { $0 = true }
    #expect(await gaps == 0)
  }

  @Test("Errors about moving name the given folder")
  func immovable() throws {
    // The current folder cannot be moved with this name.
    let path = folder.path("out/.")
    let before = try folder.contents()
    let error = #expect(throws: ExportError.self) { try ExportFolder(path: path).write(export) }
    #expect(error?.message.hasPrefix("\(path): cannot be written: ") == true)
    #expect(try folder.contents() == before)
  }

  @Test("Errors about writing name the given folder")
  func unwritable() throws {
    // The name is too long for the suffix of the staging folder.
    let path = folder.path(String(repeating: "n", count: 250))
    #expect(throws: ExportError.file(.cannotWrite(path: path, code: ENAMETOOLONG))) {
      try ExportFolder(path: path).write(export)
    }
  }

  @Test(
    "Reports a file whose name is not UTF-8",
    .enabled(if: TemporaryFolder.acceptsAnyName, "the file system rejects these names"))
  func notUTF8() throws {
    try folder.create([0xFF], in: "out/golden")
    try expectRefused(.inTheWay(path: folder.path("out/golden/\u{FFFD}")))
  }

  @Test(
    "Reports an unreadable folder",
    .enabled(if: geteuid() != 0, "root can read every folder"))
  func unreadable() throws {
    let path = folder.path("out/private")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
    try expectRefused(.file(.cannotRead(path: path, code: EACCES)))
  }
}

@Suite("Export errors") struct ExportErrorTests {
  private struct Odd: Error, CustomStringConvertible {
    let description = "the disk is made of cheese"
  }

  private static func wrapped(_ cause: any Error) -> ExportError? {
    do throws(ExportError) {
      try ExportError.wrapping { () throws -> Void in throw cause }
      return nil
    } catch {
      return error
    }
  }

  @Test("Unexpected errors include their reason")
  func unexpected() {
    let error = Self.wrapped(Odd())
    #expect(error == .unexpected("the disk is made of cheese"))
    #expect(
      error?.message
        == "cannot be exported: internal error: the disk is made of cheese; please report it")
  }

  @Test("Keeps errors of models, files and exports")
  func known() {
    let model = CupolaError.badModel(.wrongDigest)
    let file = FileError.noFolder(path: "a/b", folder: "a")
    #expect(Self.wrapped(model) == .model(model))
    #expect(Self.wrapped(file) == .file(file))
    #expect(Self.wrapped(ExportError.retrieval) == .retrieval)
  }
}
