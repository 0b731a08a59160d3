import Testing

@testable import Cupola

@Suite("Local HOG") struct LocalHOGTests {
  /// Against the twin: squares of the values, which sum to 1, within 1e-6.
  private static func check(_ picture: GrayImage, step: Int) throws {
    let grid = PatchGrid(side: picture.width, step: step)
    let found = LocalHOG.descriptors(of: picture, grid: grid)
    try #require(found.rows == grid.count * grid.count && found.columns == 128)
    let twin = NaiveLocalHOG(image: picture)
    for row in 0..<grid.count {
      for column in 0..<grid.count {
        let patch = found.values[found.range(ofRow: row * grid.count + column)]
        let expected = twin.squares(left: 2 + column * step, top: 2 + row * step)
        #expect(largestDifference(patch.map { $0 * $0 }, expected) < 1e-6)
      }
    }
  }

  @Test(
    "Descriptors are those of the slow twin",
    arguments: [(17, 2), (20, 2), (21, 4), (24, 6), (27, 6), (32, 8)])
  func twin(side: Int, step: Int) throws {
    try Self.check(.random(side, side, seed: UInt64(side)), step: step)
  }

  @Test("So they are of a picture with flat parts and a single edge")
  func edge() throws {
    try Self.check(GrayImage(23, 23) { x, _ in x < 12 ? 10 : 200 }, step: 2)
    try Self.check(GrayImage(23, 23) { x, y in x + y < 20 ? 90.5 : 91 }, step: 2)
  }

  @Test("Pooled votes reach to the edges", arguments: [8, 9, 14, 15])
  func pooled(side: Int) {
    let picture = GrayImage.random(side, side, seed: 3)
    let cells = LocalHOG.pooledVotes(of: picture)
    let half = (side + 1) / 2
    #expect(cells.count == half * half)
    for row in 0..<half {
      for column in 0..<half {
        let votes = cells[row * half + column]
        let expected = NaiveLocalHOG(image: picture).cell(2 * column, 2 * row)
        #expect(largestDifference((0..<8).map { votes[$0] }, expected) < 0.01)
      }
    }
  }

  @Test("A picture of one level has the zero descriptor", arguments: [0, 128, 255])
  func constant(level: Int) {
    let picture = GrayImage(24, 24) { _, _ in Float(level) }
    let found = LocalHOG.descriptors(of: picture, grid: PatchGrid(side: 24, step: 2))
    #expect(found.rows == 16 && found.values.allSatisfy { $0 == 0 })
  }

  @Test("An edge that brightens to the right votes for bin 0, to the left for bin 4, and so on")
  func directions() {
    let ramps: [(Int, (Int, Int) -> Float)] = [
      (0, { x, _ in Float(x) }), (1, { x, y in Float(x + y) }), (2, { _, y in Float(y) }),
      (3, { x, y in Float(y - x) }), (4, { x, _ in Float(-x) }), (5, { x, y in Float(-x - y) }),
      (6, { _, y in Float(-y) }), (7, { x, y in Float(x - y) }),
    ]
    for (bin, level) in ramps {
      let picture = GrayImage(25, 25, level)
      let votes = LocalHOG.pooledVotes(of: picture)[6 * 13 + 6]
      for other in 0..<8 where other != bin { #expect(abs(votes[other]) < 1e-3) }
      #expect(votes[bin] > 16)
    }
  }

  @Test("A picture that is not square is the programmer's fault")
  func notSquare() async {
    await #expect(processExitsWith: .failure) {
      _ = LocalHOG.pooledVotes(
        of: GrayImage(width: 9, height: 8, samples: Array(repeating: 0, count: 72)))
    }
  }
}
