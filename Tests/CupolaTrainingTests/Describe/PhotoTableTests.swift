import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Photo table")
struct PhotoTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func set(_ path: String, allowOutside: Bool = false) throws -> PhotoSet {
    try folder.write("path,label,split\n1.jpg,a,train\n\(path),a,train\n", to: "split.csv")
    return try PhotoSet(root: folder.path, allowOutside: allowOutside)
  }

  @Test(
    "Paths outside the folder are rejected unless allowed",
    arguments: [
      "/etc/passwd.jpg", "../2.jpg", "a/../../2.jpg", "./../2.jpg", "..", "/tmp/../2.jpg",
      "../\u{301}.jpg",
    ])
  func outside(path: String) throws {
    let table = folder.path("split.csv")
    let error = try #require(throws: TrainingError.self) { try set(path) }
    #expect(
      error.message
        == "\(table):3: \(path) is outside the photo folder; move it there or use "
        + "--allow-outside")
    #expect(try set(path, allowOutside: true).photos.count == 2)
    #expect(throws: error) { try PhotoSet(negatives: folder.path) }
    #expect(try PhotoSet(negatives: folder.path, allowOutside: true).photos.count == 2)
  }

  @Test(
    "Paths inside the folder are accepted",
    arguments: ["a/../2.jpg", "./2.jpg", "..jpg", "a/..b/2.jpg", "FULL/2.jpg"])
  func inside(path: String) throws {
    let path = path.replacing("FULL", with: folder.path)
    #expect(try set(path).photos.count == 2)
    #expect(throws: TrainingError.self) { try set(folder.path + "/../2.jpg") }
  }

  @Test("Absolute paths inside the folder are accepted for any folder name")
  func named() throws {
    try folder.touch("photos/a/1.jpg", "photos/a/2.jpg")
    for (link, target) in [("link", "photos"), ("photos/own", "a")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(link), withDestinationPath: target)
    }
    // Use a relative name, because other tests use the same working directory.
    let back = FileManager.default.currentDirectoryPath.split(separator: "/").map { _ in "../" }
    let relative = back.joined() + folder.path.dropFirst()
    let names = ["photos", "photos/", "photos/.", "link", "link/", "photos/a/.."]
    let roots = names.flatMap { [folder.path($0), relative + "/" + $0] }
    let inside = [
      folder.path("photos/a/2.jpg"), folder.path("link/a/2.jpg"), folder.path("photos//a/./2.jpg"),
      folder.path("link/../photos/a/2.jpg"), folder.path("photos/own/2.jpg"),
    ]
    for path in inside {
      try folder.write("path,label,split\n\(path),a,train\n", to: "photos/split.csv")
      for root in roots {
        #expect(try PhotoSet(root: root).photos.map(\.path) == [path], "\(root)")
        #expect(try PhotoSet(root: root).unlisted().map(\.name) == ["a/1.jpg"], "\(root)")
      }
      let table = folder.path("photos/split.csv")
      for root in [folder.path, "/"] {
        #expect(try PhotoSet(root: root, splitFile: table).photos.count == 1, "\(root)")
      }
    }
    for path in [folder.path("photos/../a/2.jpg"), folder.path("photosa/2.jpg"), "/photos/2.jpg"] {
      try folder.write("path,label,split\n\(path),a,train\n", to: "photos/split.csv")
      for root in roots { #expect(throws: TrainingError.self) { try PhotoSet(root: root) } }
    }
    try folder.write("path,label,split\n../photos/a/2.jpg,a,train\n", to: "photos/split.csv")
    #expect(try PhotoSet(root: folder.path("photos")).photos.count == 1)
  }

  @Test("Names that differ only in bytes are different files")
  func equalNames() throws {
    let names = ["cafe\u{301}.jpg", "caf\u{E9}.jpg"]
    let rows = names.map { "\($0),a,train\n" }
    try folder.write("path,label,split\n" + rows.joined(), to: "split.csv")
    let photos = try PhotoSet(root: folder.path).photos
    #expect(photos.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
    try ShardPlace.checkNames(
      names.map { (role: ShardListing.Role.photos, name: $0, path: "one.safetensors") })
    try folder.write("path,label,split\n" + rows[0] + rows[0], to: "split.csv")
    let error = try #require(throws: TrainingError.self) { try PhotoSet(root: folder.path) }
    #expect(error.message.hasSuffix("split.csv:3: \(names[0]) is listed twice; remove one row"))
  }

  @Test("Blanks around a group are removed, and blank groups are ignored")
  func groups() throws {
    let rows = ["one", " one", "one ", "", " "].enumerated().map { "\($0).jpg,a,train,\($1)\n" }
    try folder.write("path,label,split,group\n" + rows.joined(), to: "split.csv")
    let groups = try PhotoSet(root: folder.path).photos.map(\.group)
    #expect(groups == ["one", "one", "one", nil, nil])
  }

  @Test("A repeated required column is rejected")
  func columnTwice() throws {
    try folder.write("path,label,split,label\n1.jpg,a,train,b\n", to: "split.csv")
    let table = folder.path("split.csv")
    #expect(
      throws: TrainingError.badTable(
        path: table, line: 1, problem: "the header contains label twice; remove one")
    ) { try PhotoSet(root: folder.path) }
    try folder.write("path,label,split,light,light\n1.jpg,a,train,sun,rain\n", to: "split.csv")
    #expect(try PhotoSet(root: folder.path).photos.map(\.attributes) == [["light": "sun"]])
  }

  @Test("A zero byte is reported with its line")
  func zero() throws {
    let table = folder.path("split.csv")
    #expect(
      throws: TrainingError.badTable(
        path: table, line: 3, problem: "contains a zero byte; save the table as UTF-8 text")
    ) { try set("2\0.jpg") }
  }

  @Test("A table above 64 MB is rejected before it is read")
  func size() throws {
    let path = try folder.write("path,label,split\n", to: "split.csv")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: UInt64(PhotoTable.fileLimit) + 1)
    try file.close()
    let error = try #require(throws: TrainingError.self) { try PhotoSet(root: folder.path) }
    #expect(
      error.message
        == "\(path):1: the table has 67108865 bytes; the limit is 64 MB")
  }
}
