import Testing

@testable import Cupola

@Suite("Patch grid") struct PatchGridTests {
  @Test(
    "The grid has as many patches as fit, 2 pixels from the edges",
    arguments: [
      (256, 6, 40), (179, 6, 28), (128, 6, 19), (320, 4, 76), (16, 6, 0), (17, 6, 1), (17, 2, 1),
      (18, 2, 1), (19, 2, 2), (8, 2, 0), (4096, 64, 64),
    ])
  func count(side: Int, step: Int, expected: Int) {
    #expect(PatchGrid(side: side, step: step).count == expected)
  }

  @Test(
    "Patch centers are the means of the cell centers", arguments: [(256, 6), (179, 6), (33, 2)])
  func centers(side: Int, step: Int) {
    let grid = PatchGrid(side: side, step: step)
    let starts = Array(stride(from: 2, to: side - 14, by: step))
    #expect(grid.count == starts.count)
    for (index, start) in starts.enumerated() {
      let cells = (0..<4).map { Double(start + 4 * $0) }
      #expect(cells[3] + 2 < Double(side))
      let center = cells.reduce(0, +) / 4 / Double(side) - 0.5
      #expect(abs(Double(grid.center(index)) - center) < 1e-6)
    }
  }
}

@Suite("Patch contrast") struct PatchContrastTests {
  private static let grid = PatchGrid(side: 64, step: 4)

  private static func descriptors(_ picture: RGBImage) -> Matrix {
    LocalColor.descriptors(of: ColorImage(picture), grid: grid)
  }

  private static func weights(_ color: Matrix) -> [Float] {
    PatchContrast.weights(of: sums(color), flat: 0.02, full: 0.11)
  }

  static func sums(_ color: Matrix) -> [PatchContrast.Sums] {
    (0..<color.rows).map { row in
      let patch = color.row(row)
      var sums = PatchContrast.Sums()
      for cell in stride(from: 0, to: LocalColor.count, by: LocalColor.channels) {
        sums.add(mean: patch[cell], deviation: patch[cell + LocalColor.channels / 2])
      }
      return sums
    }
  }

  @Test("Sums over cells match sums over descriptors", arguments: [1, 5, 8])
  func contrasts(step: Int) {
    let picture = ColorImage(.random(64, 64, seed: 6))
    let grid = PatchGrid(side: 64, step: 2 * step)
    let found = LocalColor.contrasts(of: picture, grid: grid)
    let wanted = Self.sums(LocalColor.descriptors(of: picture, grid: grid))
    #expect(found.map(\.mean) == wanted.map(\.mean))
    #expect(found.map(\.deviation) == wanted.map(\.deviation))
  }

  /// Flat on the left, with contrast growing to the right; even levels up to 124.
  private static let scene: RGBImage = {
    let noise = GrayImage.random(64, 64, seed: 12)
    return .gray(64, 64) { x, y in UInt8(40 + Int(noise[x, y]) * max(0, x - 20) / 255) & ~1 }
  }()

  @Test("Weights match the slow reference implementation")
  func reference() throws {
    let naive = NaiveLocalColor(image: Self.scene)
    let grid = Self.grid
    let patches = (0..<grid.count * grid.count).map { patch in
      naive.patch(left: 2 + patch % grid.count * 4, top: 2 + patch / grid.count * 4)
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    let cells = stride(from: 0, to: 96, by: 6)
    let level = mean(patches.map { patch in mean(cells.map { patch[$0] }) }) + 0.02
    let expected = patches.map { patch in
      let contrast = mean(cells.map { patch[$0 + 3].squareRoot() }) / level
      return min(1, max(0, (contrast - 0.02) / (0.11 - 0.02)))
    }
    let found = Self.weights(Self.descriptors(Self.scene))
    #expect(largestDifference(found, expected) < 1e-4)
    #expect(expected.contains(0) && expected.contains(1))
    #expect(expected.contains { $0 > 0.2 && $0 < 0.8 })
  }

  @Test("Weights are finite and in 0...1 for any photo", arguments: 0..<6)
  func range(kind: Int) {
    let noise = GrayImage.random(64, 64, seed: UInt64(kind))
    let picture: RGBImage =
      switch kind {
      case 0: .gray(64, 64) { _, _ in 0 }
      case 1: .gray(64, 64) { _, _ in 255 }
      case 2: .gray(64, 64) { x, y in UInt8(noise[x, y]) & 1 }
      case 3: .gray(64, 64) { x, _ in x < 32 ? 0 : 255 }
      case 4: .gray(64, 64) { x, y in x == 7 && y == 9 ? 255 : 0 }
      default: .random(64, 64, seed: 5)
      }
    let weights = Self.weights(Self.descriptors(picture))
    #expect(weights.count == Self.grid.count * Self.grid.count)
    #expect(weights.allSatisfy { (0...1).contains($0) })
    if kind < 2 { #expect(weights.allSatisfy { $0 == 0 }) }
    if kind == 5 { #expect(weights.allSatisfy { $0 == 1 }) }
  }

  @Test("Doubling the exposure barely changes the weights")
  func exposure() {
    let bright = RGBImage.gray(64, 64) { x, y in Self.scene[x, y][0] * 2 }
    let dim = Self.weights(Self.descriptors(Self.scene))
    let lit = Self.weights(Self.descriptors(bright))
    #expect(zip(dim, lit).allSatisfy { $0 <= $1 + 1e-5 })
    // Without the noise term they would differ by a factor of two.
    #expect(largestDifference(dim, lit) < 0.08)
  }

  @Test("Color differences of equal luma have no contrast")
  func color() {
    // Red and green with the same sum.
    let colors: [[UInt8]] = [[200, 40, 90], [40, 200, 90]]
    let picture = RGBImage(
      width: 64, height: 64, pixels: (0..<64 * 64).flatMap { colors[$0 / 3 % 2] })
    #expect(Self.weights(Self.descriptors(picture)).allSatisfy { $0 == 0 })
  }

  @Test("Weights follow the patch order, and no patches have no weights")
  func order() {
    let color = Self.descriptors(Self.scene)
    let backwards = Array((0..<color.rows).reversed())
    let found = Self.weights(color.selecting(rows: backwards))
    #expect(largestDifference(found, Array(Self.weights(color).reversed())) < 1e-5)
    #expect(Self.weights(Matrix(rows: 0, columns: LocalColor.count)).isEmpty)
  }
}

@Suite("Local HOG") struct LocalHOGTests {
  private static func check(_ picture: GrayImage, step: Int) throws {
    let grid = PatchGrid(side: picture.width, step: step)
    let found = LocalHOG.descriptors(of: picture, grid: grid)
    try #require(found.rows == grid.count * grid.count && found.columns == 128)
    let reference = NaiveLocalHOG(image: picture)
    for row in 0..<grid.count {
      for column in 0..<grid.count {
        let patch = found.values[found.range(ofRow: row * grid.count + column)]
        let expected = reference.squares(left: 2 + column * step, top: 2 + row * step)
        #expect(largestDifference(patch.map { $0 * $0 }, expected) < 1e-6)
      }
    }
  }

  @Test(
    "Descriptors match the slow reference implementation",
    arguments: [(17, 2), (20, 2), (21, 4), (24, 6), (27, 6), (32, 8)])
  func reference(side: Int, step: Int) throws {
    try Self.check(.random(side, side, seed: UInt64(side)), step: step)
  }

  @Test("Descriptors of flat regions and single edges match the reference")
  func edge() throws {
    try Self.check(GrayImage(23, 23) { x, _ in x < 12 ? 10 : 200 }, step: 2)
    try Self.check(GrayImage(23, 23) { x, y in x + y < 20 ? 90.5 : 91 }, step: 2)
  }

  @Test("Pooled votes include the edges", arguments: [8, 9, 14, 15])
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

  @Test("A uniform photo has the zero descriptor", arguments: [0, 128, 255])
  func constant(level: Int) {
    let picture = GrayImage(24, 24) { _, _ in Float(level) }
    let found = LocalHOG.descriptors(of: picture, grid: PatchGrid(side: 24, step: 2))
    #expect(found.rows == 16 && found.values.allSatisfy { $0 == 0 })
  }

  @Test("Each gradient direction votes for its own bin")
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

  @Test("A photo that is not square traps")
  func notSquare() async {
    await #expect(processExitsWith: .failure) {
      _ = LocalHOG.pooledVotes(
        of: GrayImage(width: 9, height: 8, samples: Array(repeating: 0, count: 72)))
    }
  }
}

@Suite("Local color") struct LocalColorTests {
  private static func moments(_ values: some Collection<Float>) -> [Float] {
    values.enumerated().map { $0 % 6 < 3 ? $1 : $1 * $1 }
  }

  @Test(
    "Descriptors match the slow reference implementation",
    arguments: [(17, 2), (20, 2), (21, 4), (24, 6), (27, 6), (32, 8)])
  func reference(side: Int, step: Int) throws {
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

  @Test("The top left cell uses only its 2x2 existing pixels")
  func corner() {
    let picture = RGBImage.random(16, 16, seed: 9)
    let cell = LocalColor.statistics(of: ColorImage(picture))[0]
    let expected = NaiveLocalColor(image: picture).moments(0..<2, 0..<2)
    #expect(largestDifference(Self.moments((0..<6).map { cell[$0] }), expected) < 2e-6)
  }

  @Test("A uniform color has almost no deviation, and no NaN")
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
