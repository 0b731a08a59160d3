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

@Suite("Photos missing from a table")
struct PhotoSetUnlistedTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func set(_ rows: String) throws -> PhotoSet {
    try folder.write("path,label,split,group,light\n" + rows, to: "split.csv")
    return try PhotoSet(root: folder.path)
  }

  private func dividing(_ table: String = "split.csv") throws -> PhotoSet {
    try PhotoSet(dividing: folder.path, replacing: folder.path(table), allowOutside: false)
  }

  @Test("New photos are added, and listed ones keep their values")
  func new() throws {
    try folder.touch("a/1.jpg", "a/2.jpg", "b/3.jpg", "a/stray/4.jpg", "5.jpg")
    let set = try set("./a/1.jpg,hall,test,g7,rain\n")
    #expect(set.unlisted().map(\.name) == ["a/2.jpg", "a/stray/4.jpg", "b/3.jpg"])
    let all = try dividing()
    #expect(all.photos.map(\.name) == ["./a/1.jpg", "a/2.jpg", "a/stray/4.jpg", "b/3.jpg"])
    // New photos get the label of the listed photo in their folder.
    #expect(all.photos.map(\.label) == ["hall", "hall", "hall", "b"])
    #expect(all.photos[0].group == "g7" && all.photos[0].attributes == ["light": "rain"])
    #expect(all.skipped.map(\.name) == ["5.jpg"])
  }

  @Test("New photos get the label of absolute listed paths")
  func wholePaths() throws {
    try folder.touch("a/1.jpg", "a/2.jpg", "b/3.jpg")
    let set = try set(
      "\(folder.path("a/1.jpg")),hall,test_unknown,,\nb/../a/../b/3.jpg,mill,train,,\n")
    #expect(set.unlisted().map(\.label) == ["hall"])
    #expect(set.unlisted().map(\.split) == [.testUnknown])
    #expect(try dividing().photos.map(\.label) == ["hall", "hall", "mill"])
  }

  @Test("New photos of an unknown building are unknown")
  func labels() throws {
    try folder.touch("u/1.jpg", "u/2.jpg", "mixed/1.jpg", "mixed/2.jpg", "mixed/3.jpg")
    let set = try set("u/1.jpg,u,test_unknown,,\nmixed/1.jpg,a,train,,\nmixed/2.jpg,b,test,,\n")
    #expect(set.unlisted().map(\.name) == ["u/2.jpg"])
    #expect(set.unlisted().map(\.split) == [.testUnknown])
  }

  @Test("Rows of a replaced table other than split.csv are kept")
  func other() throws {
    try folder.touch("a/1.jpg", "a/2.jpg", "a/3.jpg")
    try folder.write(
      "path,label,split\na/1.jpg,b,test_unknown\na/3.jpg,a,train\na/gone.jpg,a,train\n",
      to: "other.csv")
    let all = try dividing("other.csv").photos
    #expect(all.map(\.name) == ["a/1.jpg", "a/2.jpg", "a/3.jpg"])
    #expect(all.map(\.split) == [.testUnknown, nil, .train])
    #expect(all.map(\.label) == ["b", "a", "a"])
    #expect(try dividing("none.csv").photos.map(\.split) == [nil, nil, nil])
  }

  @Test("A split table with invalid paths is rejected, other files are ignored")
  func unfollowed() throws {
    try folder.touch("a/1.jpg")
    let row = "../1.jpg,a,test_unknown"
    try folder.write("path,label,split,group\n\(row),g1\n", to: "own.csv")
    let error = try #require(throws: TrainingError.self) { try dividing("own.csv") }
    #expect(error.message.contains("own.csv:2: ../1.jpg is outside"))
    try folder.write("path,label,part\n\(row)\n", to: "other.csv")
    #expect(try dividing("other.csv").photos.map(\.name) == ["a/1.jpg"])
  }

  @Test("Links to listed photos are not new photos")
  func links() throws {
    try folder.touch("a/1.jpg", "streets/2.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a/again.jpg"), withDestinationPath: "1.jpg")
    let set = try set("a/1.jpg,a,train,,\n")
    #expect(set.unlisted().map(\.name) == ["streets/2.jpg"])
    #expect(set.unlisted(but: folder.path("streets")).isEmpty)
  }

  @Test("Photos in a folder of negatives are excluded")
  func negatives() throws {
    try folder.touch("photos/a/1.jpg", "photos/streets/2.jpg", "photos/streets_b/3.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("negatives"), withDestinationPath: "photos/streets")
    let set = try PhotoSet(root: folder.path("photos"))
    let names = set.without(photosIn: folder.path("negatives/")).photos.map(\.name)
    #expect(names == ["a/1.jpg", "streets_b/3.jpg"])
    #expect(set.without(photosIn: folder.path).photos.isEmpty)
  }

  @Test("Skipped files in a folder of negatives are not reported")
  func skippedNegatives() throws {
    try folder.touch("photos/a/1.jpg", "photos/streets/2.jpg", "photos/b/3.jpg")
    for name in ["photos/streets/gone", "photos/b/gone"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: "nowhere")
    }
    func skipped() throws -> [String] {
      let set = try PhotoSet(root: folder.path("photos"))
      return set.without(photosIn: folder.path("photos/streets")).skipped.map(\.name).sorted()
    }
    #expect(try skipped() == ["b/gone"])
    // If there are split folders, photos outside them are skipped.
    try folder.touch("photos/train/a/1.jpg")
    #expect(try skipped() == ["a/1.jpg", "b/3.jpg", "b/gone"])
  }

  @Test("Negatives take part, group and columns from a table")
  func dividedNegatives() throws {
    try folder.touch("photos/streets/1.jpg", "photos/streets/2.jpg", "photos/streets/3.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("negatives"), withDestinationPath: "photos/streets")
    try folder.write(
      "path,label,split,group,light\nstreets/1.jpg,streets,test,g7,rain\nstreets/2.jpg,streets,train,,\n",
      to: "photos/split.csv")
    let table = try PhotoSet(root: folder.path("photos"))
    let set = try PhotoSet(negatives: folder.path("negatives")).divided(as: table)
    // The table does not list the third photo, so it is used for training.
    #expect(set.photos.map(\.split) == [.test, .train, .train])
    #expect(set.photos.allSatisfy { $0.label == PhotoSet.negativeLabel })
    #expect(set.photos[0].group == "g7" && set.photos[0].attributes == ["light": "rain"])
    try folder.write("path,label,split\n1.jpg,_street,val\n", to: "photos/streets/split.csv")
    let own = try PhotoSet(negatives: folder.path("negatives")).divided(as: table)
    #expect(own.photos.map(\.split) == [.val])
    try folder.touch("other/1.jpg")
    let other = try PhotoSet(negatives: folder.path("other")).divided(as: table)
    #expect(other.photos.map(\.split) == [nil])
  }

  @Test("Buildings with only test photos are reported")
  func onlyTested() throws {
    let rows = "1.jpg,a,test,,\n2.jpg,b,test_unknown,,\n3.jpg,_street,test,,\n4.jpg,c,test,,\n"
    #expect(try set(rows).onlyTested.isEmpty)
    #expect(try set(rows + "5.jpg,c,val,,\n").onlyTested == ["a"])
  }
}
