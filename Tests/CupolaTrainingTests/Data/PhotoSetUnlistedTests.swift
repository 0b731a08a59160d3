import CupolaTestSupport
import CupolaTraining
import Foundation
import Testing

@Suite("Photos beside a table")
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

  @Test("new photos and new buildings are taken in, listed ones as the table has them")
  func new() throws {
    try folder.touch("a/1.jpg", "a/2.jpg", "b/3.jpg", "a/stray/4.jpg", "5.jpg")
    let set = try set("./a/1.jpg,hall,test,g7,rain\n")
    #expect(set.unlisted().map(\.name) == ["a/2.jpg", "a/stray/4.jpg", "b/3.jpg"])
    let all = try dividing()
    #expect(all.photos.map(\.name) == ["./a/1.jpg", "a/2.jpg", "a/stray/4.jpg", "b/3.jpg"])
    // The others of the folder are of that building.
    #expect(all.photos.map(\.label) == ["hall", "hall", "hall", "b"])
    #expect(all.photos[0].group == "g7" && all.photos[0].attributes == ["light": "rain"])
    #expect(all.skipped.map(\.name) == ["5.jpg"])
  }

  @Test("new photos have the label of those of their folder that are listed by whole paths")
  func wholePaths() throws {
    try folder.touch("a/1.jpg", "a/2.jpg", "b/3.jpg")
    let set = try set(
      "\(folder.path("a/1.jpg")),hall,test_unknown,,\nb/../a/../b/3.jpg,mill,train,,\n")
    #expect(set.unlisted().map(\.label) == ["hall"])
    #expect(set.unlisted().map(\.split) == [.testUnknown])
    #expect(try dividing().photos.map(\.label) == ["hall", "hall", "mill"])
  }

  @Test("in a folder of unknown buildings they are unknown, in one of several labels nobody knows")
  func labels() throws {
    try folder.touch("u/1.jpg", "u/2.jpg", "mixed/1.jpg", "mixed/2.jpg", "mixed/3.jpg")
    let set = try set("u/1.jpg,u,test_unknown,,\nmixed/1.jpg,a,train,,\nmixed/2.jpg,b,test,,\n")
    #expect(set.unlisted().map(\.name) == ["u/2.jpg"])
    #expect(set.unlisted().map(\.split) == [.testUnknown])
  }

  @Test("rows of the table that is replaced stay, where it is not the folder's")
  func other() throws {
    try folder.touch("a/1.jpg", "a/2.jpg")
    try folder.write(
      "path,label,split\na/1.jpg,b,test_unknown\na/gone.jpg,a,train\n", to: "other.csv")
    let all = try dividing("other.csv").photos
    #expect(all.map(\.name) == ["a/1.jpg", "a/2.jpg", "a/gone.jpg"])
    #expect(all.map(\.split) == [.testUnknown, nil, .train])
    #expect(all.map(\.label) == ["b", "a", "a"])
    #expect(try dividing("none.csv").photos.map(\.split) == [nil, nil])
  }

  @Test("a table of cupola split that cannot be followed is refused, one of others passed over")
  func unfollowed() throws {
    try folder.touch("a/1.jpg")
    let row = "../1.jpg,a,test_unknown"
    try folder.write("path,label,split,group\n\(row),g1\n", to: "own.csv")
    let error = try #require(throws: TrainingError.self) { try dividing("own.csv") }
    #expect(error.message.contains("own.csv:2: ../1.jpg lies outside"))
    try folder.write("path,label,split\n\(row)\n", to: "other.csv")
    #expect(try dividing("other.csv").photos.map(\.name) == ["a/1.jpg"])
  }

  @Test("links to listed photos are none of their own; negatives are not missed")
  func links() throws {
    try folder.touch("a/1.jpg", "streets/2.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a/again.jpg"), withDestinationPath: "1.jpg")
    let set = try set("a/1.jpg,a,train,,\n")
    #expect(set.unlisted().map(\.name) == ["streets/2.jpg"])
    #expect(set.unlisted(but: folder.path("streets")).isEmpty)
  }

  @Test("photos in a folder of negatives are left out, behind links, and no others")
  func negatives() throws {
    try folder.touch("photos/a/1.jpg", "photos/streets/2.jpg", "photos/streets_b/3.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("negatives"), withDestinationPath: "photos/streets")
    let set = try PhotoSet(root: folder.path("photos"))
    let names = set.without(photosIn: folder.path("negatives/")).photos.map(\.name)
    #expect(names == ["a/1.jpg", "streets_b/3.jpg"])
    #expect(set.without(photosIn: folder.path).photos.isEmpty)
  }

  @Test("what is left out of a folder of negatives is told by these alone")
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
    // All beside the folder of a part is left out, but for them.
    try folder.touch("photos/train/a/1.jpg")
    #expect(try skipped() == ["a/1.jpg", "b/3.jpg", "b/gone"])
  }

  @Test("negatives have the parts, groups and columns that a table has for the same files")
  func dividedNegatives() throws {
    try folder.touch("photos/streets/1.jpg", "photos/streets/2.jpg", "photos/streets/3.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("negatives"), withDestinationPath: "photos/streets")
    try folder.write(
      "path,label,split,group,light\nstreets/1.jpg,streets,test,g7,rain\nstreets/2.jpg,streets,train,,\n",
      to: "photos/split.csv")
    let table = try PhotoSet(root: folder.path("photos"))
    let set = try PhotoSet(negatives: folder.path("negatives")).divided(as: table)
    // The table does not list the third: it trains, and is nothing to measure with.
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

  @Test("buildings with test photos alone are told where others train")
  func onlyTested() throws {
    let rows = "1.jpg,a,test,,\n2.jpg,b,test_unknown,,\n3.jpg,_street,test,,\n4.jpg,c,test,,\n"
    #expect(try set(rows).onlyTested.isEmpty)
    #expect(try set(rows + "5.jpg,c,val,,\n").onlyTested == ["a"])
  }
}
