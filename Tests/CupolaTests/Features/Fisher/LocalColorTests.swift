import Testing

@testable import Cupola

@Suite("Local color") struct LocalColorTests {
  /// Means as they are, deviations squared.
  private static func moments(_ values: some Collection<Float>) -> [Float] {
    values.enumerated().map { $0 % 6 < 3 ? $1 : $1 * $1 }
  }

  @Test(
    "Descriptors are those of the slow twin",
    arguments: [(17, 2), (20, 2), (21, 4), (24, 6), (27, 6), (32, 8)])
  func twin(side: Int, step: Int) throws {
    let picture = RGBImage.random(side, side, seed: UInt64(side))
    let grid = PatchGrid(side: side, step: step)
    let found = LocalColor.descriptors(of: ColorImage(picture), grid: grid)
    try #require(found.rows == grid.count * grid.count && found.columns == 96)
    for row in 0..<grid.count {
      for column in 0..<grid.count {
        let patch = found.values[found.range(ofRow: row * grid.count + column)]
        let expected = NaiveLocalColor(image: picture)
          .patch(left: 2 + column * step, top: 2 + row * step)
        #expect(largestDifference(Self.moments(patch), expected) < 2e-6)
      }
    }
  }

  @Test("At the top left corner a cell is the 2x2 pixels that there are")
  func corner() {
    let picture = RGBImage.random(16, 16, seed: 9)
    let cell = LocalColor.statistics(of: ColorImage(picture))[0]
    let expected = NaiveLocalColor(image: picture).moments(0..<2, 0..<2)
    #expect(largestDifference(Self.moments((0..<6).map { cell[$0] }), expected) < 2e-6)
  }

  @Test("One color has no deviation to speak of, and never one that is no number")
  func constant() {
    for pixel in [[0, 0, 0], [255, 255, 255], [13, 200, 77]] as [[UInt8]] {
      let picture = RGBImage(
        width: 17, height: 17, pixels: (0..<17 * 17).flatMap { _ in pixel })
      let found = LocalColor.descriptors(of: ColorImage(picture), grid: .init(side: 17, step: 2))
      #expect(found.rows == 1)
      let expected = NaiveLocalColor(image: picture).patch(left: 2, top: 2)
      #expect(largestDifference(Self.moments(found.values), expected) < 1e-6)
      #expect(found.values.allSatisfy { $0.isFinite })
    }
  }
}
