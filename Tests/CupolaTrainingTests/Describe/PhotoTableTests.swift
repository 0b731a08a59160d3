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

@Suite("CSV")
struct CSVTests {
  private func parse(_ text: String) throws -> CSV {
    try CSV(Array(text.utf8), path: "split.csv")
  }

  @Test(
    "Reads rows",
    arguments: [
      ("a,b\n1,2\n", [["1", "2"]]),
      ("a,b\n1,2", [["1", "2"]]),
      ("a,b\r\n1,2\r\n3,4\r\n", [["1", "2"], ["3", "4"]]),
      ("a,b\r1,2\r3,4", [["1", "2"], ["3", "4"]]),
      ("\u{FEFF}a,b\n1,2\n", [["1", "2"]]),
      ("a,b\n,\n", [["", ""]]),
      ("a,b\n\n1,2\n\n\n3,4\n\n", [["1", "2"], ["3", "4"]]),
      ("a,b\n\"1,5\",2\n", [["1,5", "2"]]),
      ("a,b\n\"say \"\"hi\"\"\",2\n", [["say \"hi\"", "2"]]),
      ("a,b\n\"\",\"\"\n", [["", ""]]),
      ("a,b\n\"two\nlines\",2\n", [["two\nlines", "2"]]),
      ("a,b\nit\"s,2\n", [["it\"s", "2"]]),
      ("a,b\nÜbung,塔\n", [["Übung", "塔"]]),
      ("a,b\n 1 ,2\n", [[" 1 ", "2"]]),
      ("a,b\n", []),
    ] as [(String, [[String]])])
  func rows(text: String, expected: [[String]]) throws {
    let table = try parse(text)
    #expect(table.header == ["a", "b"])
    #expect(table.rows == expected)
    #expect(table.lines.count == expected.count)
  }

  @Test("Column names are trimmed and found by name")
  func columns() throws {
    let table = try parse("path, label ,\tsplit\nx,y,z\n")
    #expect(table.header == ["path", "label", "split"])
    #expect(table.column("split") == 2)
    #expect(table.column("group") == nil)
  }

  @Test(
    "Stores the line at which each row begins",
    arguments: [
      ("a,b\n1,2\n3,4\n", [2, 3]),
      ("a,b\r\n1,2\r\n3,4\r\n", [2, 3]),
      ("\n\na,b\n\n1,2\n\n3,4\n", [5, 7]),
      ("a,b\n\"1\n1\n1\",2\n3,4\n", [2, 5]),
      ("\"a\",\"b\"\r\n\"1\r\n1\",2\r\n3,4\r\n", [2, 4]),
    ])
  func lines(text: String, expected: [Int]) throws {
    #expect(try parse(text).lines == expected)
  }

  @Test(
    "Faults state the line and the cause",
    arguments: [
      ("", 1, "the table is empty"),
      ("\n\n\n", 1, "the table is empty"),
      ("\u{FEFF}", 1, "the table is empty"),
      ("\na;b\n1;2\n", 2, "columns are separated by semicolons; use commas"),
      ("a\tb\n1\t2\n", 1, "columns are separated by tabs; use commas"),
      ("a,b\n1,2\n3\n", 3, "1 fields, but the header has 2"),
      ("a,b\n1,2\n\n3,4,5\n", 4, "3 fields, but the header has 2"),
      ("a,b\n\"1\n1\",2\n3\n", 4, "1 fields, but the header has 2"),
      ("a,b\n1,2\n\"3,4\n5,6\n", 3, "unclosed quote"),
      ("a,b\n1,2\n3,\"4", 3, "unclosed quote"),
      ("a,b\n1,2\n\"3\"x,4\n", 3, "text after a closing quote"),
      ("a,b\n1,2\n3,\"4\" \n", 3, "text after a closing quote"),
    ])
  func faults(text: String, line: Int, problem: String) {
    #expect(
      throws: TrainingError.badTable(path: "split.csv", line: line, problem: problem)
    ) { try parse(text) }
  }

  @Test("Rejects text that is not UTF-8")
  func notUTF8() {
    #expect(
      throws: TrainingError.badTable(
        path: "split.csv", line: 1,
        problem: "not UTF-8 text; save the table as UTF-8 (Excel: CSV UTF-8)")
    ) { try CSV(Array("a,b\n1,".utf8) + [0xE9, 0x0A], path: "split.csv") }
  }

  @Test("Reads quoted fields unchanged")
  func roundTrip() throws {
    let fields = ["plain", "com,ma", "quo\"te", "line\nfeed", "\r\n", "", " blank ", "\"\"", "ä"]
    let quoted = fields.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
    let header = fields.indices.map { "c\($0)" }.joined(separator: ",")
    let table = try parse(header + "\r\n" + quoted.joined(separator: ",") + "\r\n")
    #expect(table.rows == [fields])
  }

  @Test("Reads what it writes, including a quote before an accent")
  func written() throws {
    let fields = [
      "plain", "com,ma", "quo\"te", "\"\u{301}accent", "line\nfeed", "", " blank ", "tab\t", "\"\"",
    ]
    let header = fields.indices.map { "c\($0)" }.joined(separator: ",")
    let table = try parse(header + "\n" + fields.map(CSV.field).joined(separator: ",") + "\n")
    #expect(table.rows == [fields])
  }
}
