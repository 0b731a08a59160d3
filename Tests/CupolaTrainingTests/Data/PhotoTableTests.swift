import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

/// What a table of photos may hold.
@Suite("Photo table")
struct PhotoTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func set(_ path: String, allowOutside: Bool = false) throws -> PhotoSet {
    try folder.write("path,label,split\n1.jpg,a,train\n\(path),a,train\n", to: "split.csv")
    return try PhotoSet(root: folder.path, allowOutside: allowOutside)
  }

  @Test(
    "paths that lead outside of the folder are refused, unless they are allowed",
    arguments: [
      "/etc/passwd.jpg", "../2.jpg", "a/../../2.jpg", "./../2.jpg", "..", "/tmp/../2.jpg",
    ])
  func outside(path: String) throws {
    let table = folder.path("split.csv")
    let error = try #require(throws: TrainingError.self) { try set(path) }
    #expect(
      error.message
        == "\(table):3: \(path) lies outside of the folder of photos; move it there, or add "
        + "--allow-outside")
    #expect(try set(path, allowOutside: true).photos.count == 2)
    #expect(throws: error) { try PhotoSet(negatives: folder.path) }
    #expect(try PhotoSet(negatives: folder.path, allowOutside: true).photos.count == 2)
  }

  @Test(
    "paths within are not",
    arguments: ["a/../2.jpg", "./2.jpg", "..jpg", "a/..b/2.jpg", "FULL/2.jpg"])
  func inside(path: String) throws {
    let path = path.replacing("FULL", with: folder.path)
    #expect(try set(path).photos.count == 2)
    #expect(throws: TrainingError.self) { try set(folder.path + "/../2.jpg") }
  }

  @Test("names that are equal but for their bytes are those of two files")
  func equalNames() throws {
    // In the order of their bytes.
    let names = ["cafe\u{301}.jpg", "caf\u{E9}.jpg"]
    let rows = names.map { "\($0),a,train\n" }
    try folder.write("path,label,split\n" + rows.joined(), to: "split.csv")
    let photos = try PhotoSet(root: folder.path).photos
    #expect(photos.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
    try ShardPlace.checkNames(
      names.map { (role: ShardListing.Role.photos, name: $0, path: "one.safetensors") })
    try folder.write("path,label,split\n" + rows[0] + rows[0], to: "split.csv")
    let error = try #require(throws: TrainingError.self) { try PhotoSet(root: folder.path) }
    #expect(error.message.hasSuffix("split.csv:3: \(names[0]) is listed a second time"))
  }

  @Test("blanks around a group make no other group, and alone none")
  func groups() throws {
    let rows = ["one", " one", "one ", "", " "].enumerated().map { "\($0).jpg,a,train,\($1)\n" }
    try folder.write("path,label,split,group\n" + rows.joined(), to: "split.csv")
    let groups = try PhotoSet(root: folder.path).photos.map(\.group)
    #expect(groups == ["one", "one", "one", nil, nil])
  }

  @Test("a byte of zero is told with its line")
  func zero() throws {
    let table = folder.path("split.csv")
    #expect(
      throws: TrainingError.badTable(
        path: table, line: 3, problem: "a byte of zero; save the table as UTF-8 text")
    ) { try set("2\0.jpg") }
  }

  @Test("a table of more than 64 MB is refused before it is read")
  func size() throws {
    let path = try folder.write("path,label,split\n", to: "split.csv")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: UInt64(PhotoTable.fileLimit) + 1)
    try file.close()
    let error = try #require(throws: TrainingError.self) { try PhotoSet(root: folder.path) }
    #expect(
      error.message
        == "\(path):1: 67108865 bytes, more than the 64 MB that a table of photos may have")
  }
}
