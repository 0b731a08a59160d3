import Testing

@testable import Cupola

@Suite("Gradient rows") struct GradientRowTests {
  @Test(
    "Gradients are central differences, 0 across the border",
    arguments: [(2, 1), (2, 2), (3, 3), (9, 5), (16, 2), (8, 1)])
  func differences(width: Int, height: Int) {
    let picture = GrayImage.random(width, height, seed: 77)
    let naive = NaiveHOG(hog: .standard, image: picture)
    var row = GradientRow(width: width)
    for y in 0..<height {
      row.read(row: y, of: picture)
      #expect(row.x.map(Double.init) == (0..<width).map { naive.gradient($0, y).x })
      #expect(row.y.map(Double.init) == (0..<width).map { naive.gradient($0, y).y })
    }
  }

  @Test("A narrower row still sees the pixel right of its last one", arguments: [2, 5, 8])
  func narrower(width: Int) {
    let picture = GrayImage.random(9, 4, seed: 78)
    let naive = NaiveHOG(hog: .standard, image: picture)
    var row = GradientRow(width: width)
    row.read(row: 2, of: picture)
    #expect(row.x.map(Double.init) == (0..<width).map { naive.gradient($0, 2).x })
    #expect(row.y.map(Double.init) == (0..<width).map { naive.gradient($0, 2).y })
  }
}
