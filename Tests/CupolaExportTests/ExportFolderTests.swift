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
