import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Kinds of pictures of no buildings")
struct BackgroundKindRuleTests {
  private static func missing(
    _ names: [String], negatives: [String] = [], in others: String = "negatives"
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    for name in names { try folder.touch("photos/" + name) }
    for name in negatives { try folder.touch(others + "/" + name) }
    var set = try PhotoSet(root: folder.path("photos"))
    if !negatives.isEmpty {
      set = set.joined(with: try PhotoSet(negatives: folder.path(others)))
    }
    let material = CheckMaterial(
      set: set, photos: [], unusable: [], hiddenFolders: [], campus: nil, copies: [],
      validation: nil)
    return BackgroundKindRule.findings(in: material).flatMap { $0.items.map(\.name) }
  }

  @Test("kinds that no folder is named after are told, by words of labels and of folders below")
  func kinds() throws {
    let all = [
      "streets, cars and grounds", "rooms from inside", "trees, hills, water and sky", "people",
      "things close by",
    ]
    #expect(try Self.missing(["chapel/1.jpg", "_other/1.jpg"]) == all)
    #expect(
      try Self.missing(["chapel/1.jpg", "_Street/1.jpg", "_people/2.jpg"])
        == [1, 2, 4].map { all[$0] })
    #expect(
      try Self.missing(
        ["chapel/1.jpg"], negatives: ["campus_context/1.jpg", "indoor/a/2.jpg", "objects/3.jpg"])
        == [all[2], all[3]])
    // What the folder of them all is called says nothing.
    #expect(try Self.missing(["chapel/1.jpg"], negatives: ["1.jpg"], in: "streets") == all)
  }

  @Test("nothing is said where there are no pictures of no buildings at all, or all kinds")
  func silent() throws {
    #expect(try Self.missing(["chapel/1.jpg", "people/1.jpg"]).isEmpty)
    #expect(
      try Self.missing([
        "chapel/1.jpg", "_cars/1.jpg", "_rooms/1.jpg", "_trees/1.jpg", "_faces/1.jpg",
        "_food/1.jpg",
      ]).isEmpty)
  }
}
