import Testing

@testable import CupolaTraining

@Suite("Slice")
struct SliceTests {
  @Test("a column that is called as one of Cupola's own slices stands in its place")
  func ownNames() {
    let answers = ["x", "y", "y"].enumerated().map { number, walk in
      ReportFixture.chapel(
        "\(number).jpg", "chapel", 0.9, group: number == 2 ? "a" : "b",
        attributes: ["session": walk])
    }
    let slices = Slice.all(of: ReportFixture.evaluation(answers))
    #expect(slices.map(\.by) == ["session", "session"] && slices.map(\.value) == ["x", "y"])
    #expect(slices.map(\.named.photos) == [1, 2])
  }
}
