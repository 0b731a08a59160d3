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

@Suite("Folders of exports") struct ExportFolderTests {
  private let folder: TemporaryFolder
  private let target: ExportFolder
  private let export: ModelExport

  /// There is an export already.
  init() throws {
    folder = try TemporaryFolder()
    target = ExportFolder(path: folder.path("out"))
    export = try SampleExports.export(.onnx)
    try target.write(export)
  }

  private func expectRefused(_ error: ExportError) throws {
    #expect(throws: error) { try target.write(export) }
    // The older one stays, and nothing is left beside it.
    #expect(try !folder.bytes("out/export.json").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test("files of others stay, hidden ones and links too, which nobody follows")
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

  @Test("slashes at the end of a path say nothing", arguments: ["out/", "out//", "new/", "new///"])
  func slashes(path: String) throws {
    try ExportFolder(path: folder.path(path)).write(export)
    #expect(try !folder.bytes(path + "export.json").isEmpty)
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        .isSubset(of: ["out", "new"]))
  }

  @Test("hidden files stay in a folder that seems empty")
  func hidden() throws {
    let diary = Array("mine".utf8)
    try folder.write(diary, to: "empty/.git/HEAD")
    try folder.write(diary, to: "empty/Thumbs.db")
    try ExportFolder(path: folder.path("empty")).write(export)
    #expect(try folder.bytes("empty/.git/HEAD") == diary)
    #expect(try folder.bytes("empty/Thumbs.db") == diary)
    #expect(try !folder.bytes("empty/export.json").isEmpty)
  }

  @Test("empty folders of others stay: a new repository has some, without which it is none")
  func emptyFolders() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("out/.git/refs/heads"), withIntermediateDirectories: true)
    try target.write(export)
    #expect(FileManager.default.fileExists(atPath: folder.path("out/.git/refs/heads")))
    // One that the new export fills.
    let golden = folder.path("other/golden")
    try FileManager.default.createDirectory(atPath: golden, withIntermediateDirectories: true)
    try folder.write(try folder.bytes("out/export.json"), to: "other/export.json")
    try ExportFolder(path: folder.path("other")).write(export)
    #expect(try folder.contents().keys.contains("other/golden/1.png"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["other", "out"])
  }

  @Test("a link to the folder stays, and files of others stay where it leads")
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

  @Test("what a run set aside that was killed comes back", arguments: [false, true])
  func killed(isReplaced: Bool) throws {
    let diary = Array("mine".utf8)
    try folder.write(diary, to: "out/notes/diary.txt")
    let digits = "0123456789abcdef"
    try FileManager.default.moveItem(
      atPath: folder.path("out"), toPath: folder.path("out.old-" + digits))
    // It ended before the new export came into its place, or behind that.
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

  @Test("a folder that cannot be moved is told by the name that was given")
  func immovable() throws {
    // As the current one, by this name no system moves it.
    let path = folder.path("out/.")
    let before = try folder.contents()
    let error = #expect(throws: ExportError.self) { try ExportFolder(path: path).write(export) }
    #expect(error?.message.hasPrefix("\(path): cannot be written: ") == true)
    #expect(try folder.contents() == before)
  }

  @Test("a folder that cannot be written is told by the name that was given")
  func unwritable() throws {
    // It leaves no room for the name by which the export waits.
    let path = folder.path(String(repeating: "n", count: 250))
    #expect(throws: ExportError.file(.cannotWrite(path: path, code: ENAMETOOLONG))) {
      try ExportFolder(path: path).write(export)
    }
  }

  @Test(
    "a file that cannot be moved, because its name is no UTF-8, is told",
    .enabled(if: TemporaryFolder.acceptsAnyName, "this file system refuses such names"))
  func notUTF8() throws {
    try folder.create([0xFF], in: "out/golden")
    try expectRefused(.inTheWay(path: folder.path("out/golden/\u{FFFD}")))
  }

  @Test(
    "a folder that cannot be read is told",
    .enabled(if: geteuid() != 0, "root reads every folder"))
  func unreadable() throws {
    let path = folder.path("out/private")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
    try expectRefused(.file(.cannotRead(path: path, code: EACCES)))
  }
}

@Suite("Errors of exports") struct ExportErrorTests {
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

  @Test("What nobody expected says what it is, and blames no guide")
  func unexpected() {
    let error = Self.wrapped(Odd())
    #expect(error == .unexpected("the disk is made of cheese"))
    #expect(
      error?.message
        == "cannot be exported: internal error: the disk is made of cheese; please report it")
  }

  @Test("Errors of models, files and exports stay what they are")
  func known() {
    let model = CupolaError.badModel(.wrongDigest)
    let file = FileError.noFolder(path: "a/b", folder: "a")
    #expect(Self.wrapped(model) == .model(model))
    #expect(Self.wrapped(file) == .file(file))
    #expect(Self.wrapped(ExportError.retrieval) == .retrieval)
  }
}
