import Testing

@testable import Cupola

@Suite("Shares of HOG cells") struct HOGAttributionTests {
  /// The cell that each value of the descriptor describes, found by its number.
  private static func cell(_ index: Int, _ hog: HOG, _ cells: Int) -> Int {
    let blocks = cells - hog.blockSize + 1
    let inBlock = index % (hog.blockSize * hog.blockSize * hog.orientations) / hog.orientations
    let block = index / (hog.blockSize * hog.blockSize * hog.orientations)
    let row = block / blocks + inBlock / hog.blockSize
    let column = block % blocks + inBlock % hog.blockSize
    return row * cells + column
  }

  @Test("Each value goes to its cell", arguments: [(16, 2), (32, 2), (40, 3), (128, 2)])
  func cells(side: Int, blockSize: Int) {
    var hog = HOG.standard
    hog.blockSize = blockSize
    let count = hog.count(width: side, height: side)
    let contributions = SampleFisher.matrix(1, count, in: -1...1, seed: 5).values.map(Double.init)
    let cells = side / hog.cellSize
    var expected = [Double](repeating: 0, count: cells * cells)
    for (index, value) in contributions.enumerated() {
      expected[Self.cell(index, hog, cells)] += value
    }
    let map = HOGAttribution.map(contributions, hog, side: side)
    #expect(map.columns == cells && map.rows == cells)
    #expect(zip(map.values, expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test("What is left of the last cell is part of the map, and adds nothing")
  func partOfCell() {
    let hog = HOG.standard
    let count = hog.count(width: 36, height: 36)
    let map = HOGAttribution.map([Double](repeating: 1, count: count), hog, side: 36)
    #expect(map.columns == 5 && abs(map.total - Double(count)) < 1e-9)
    #expect(map[4, 4] < map[3, 3] / 4)
  }
}
