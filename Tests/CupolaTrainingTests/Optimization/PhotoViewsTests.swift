import Testing

@testable import CupolaTraining

@Suite("Views of photos")
struct PhotoViewsTests {
  private static let views = PhotoViews(counts: [4, 2, 4, 2], testView: 1)

  @Test("a photo's rows follow those of the photos before it, and the test view is one of them")
  func rows() {
    #expect((0..<4).map(Self.views.rows) == [0..<4, 4..<6, 6..<10, 10..<12])
    #expect((0..<4).map(Self.views.testRow) == [1, 5, 7, 11])
  }

  @Test("the first views of each are at most all that it has")
  func first() {
    #expect((0..<2).map { Self.views.rows(of: $0, first: 3) } == [0..<3, 4..<6])
    #expect(Self.views.rows(of: 2, first: nil) == 6..<10)
  }
}
