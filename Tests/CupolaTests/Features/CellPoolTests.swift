import Testing

@testable import Cupola

@Suite("Cell pool") struct CellPoolTests {
  static let cases: [(HOG.Pooling, Int)] = [
    (.box, 2), (.box, 6), (.box, 8), (.triangular, 2), (.triangular, 4), (.triangular, 8),
  ]

  static func hog(_ pooling: HOG.Pooling, _ cellSize: Int, _ voting: HOG.Voting = .linear) -> HOG {
    var hog = HOG.standard
    (hog.pooling, hog.cellSize, hog.voting) = (pooling, cellSize, voting)
    return hog
  }

  @Test("Histograms are those of the twin that asks every pixel for its weight", arguments: cases)
  func twin(pooling: HOG.Pooling, cellSize: Int) {
    for (width, height) in [(cellSize, cellSize), (3 * cellSize + 1, 2 * cellSize + 1)] {
      let hog = Self.hog(pooling, cellSize)
      let picture = GrayImage.random(width, height, seed: 12)
      let grid = hog.cells(of: picture)
      #expect(grid.columns == width / cellSize && grid.rows == height / cellSize)
      #expect(largestDifference(grid.values, NaiveHOG(hog: hog, image: picture).cells()) < 1e-3)
    }
  }

  @Test(
    "Boxes share nothing and lose nothing: means add up to all magnitudes", arguments: [2, 4, 8])
  func mass(cellSize: Int) {
    let hog = Self.hog(.box, cellSize, .nearest)
    let picture = GrayImage.random(24, 16, seed: 3)
    let naive = NaiveHOG(hog: hog, image: picture)
    var expected = 0.0
    for y in 0..<16 {
      for x in 0..<24 {
        for bin in 0..<9 { expected += naive.vote(naive.gradient(x, y), bin: bin) }
      }
    }
    let found = hog.cells(of: picture).values.reduce(0) { $0 + Double($1) }
    #expect(abs(found * Double(cellSize * cellSize) - expected) < 1e-6 * expected)
  }

  @Test("Within the picture a triangular window weighs as much as a cell")
  func uniform() {
    let slope = GrayImage(40, 40) { _, y in Float(3 * y) }
    let grid = Self.hog(.triangular, 8, .nearest).cells(of: slope)
    for row in 1..<4 {
      for column in 1..<4 { #expect(abs(grid[row, column, 4] - 6) < 1e-4) }
    }
    // Half of a corner cell's window lies outside in each direction: an eighth is lost on a side.
    #expect(abs(grid[2, 0, 4] - 6 * 7 / 8) < 1e-4)
  }
}
