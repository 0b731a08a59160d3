import Testing

@testable import Cupola

@Suite("Patch contrast") struct PatchContrastTests {
  private static let grid = PatchGrid(side: 64, step: 4)

  private static func descriptors(_ picture: RGBImage) -> Matrix {
    LocalColor.descriptors(of: ColorImage(picture), grid: grid)
  }

  private static func weights(_ color: Matrix) -> [Float] {
    PatchContrast.weights(of: sums(color), flat: 0.02, full: 0.11)
  }

  /// Of descriptors of ``LocalColor``.
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

  @Test("What is summed over cells is what descriptors tell", arguments: [1, 5, 8])
  func contrasts(step: Int) {
    let picture = ColorImage(.random(64, 64, seed: 6))
    let grid = PatchGrid(side: 64, step: 2 * step)
    let found = LocalColor.contrasts(of: picture, grid: grid)
    let wanted = Self.sums(LocalColor.descriptors(of: picture, grid: grid))
    #expect(found.map(\.mean) == wanted.map(\.mean))
    #expect(found.map(\.deviation) == wanted.map(\.deviation))
  }

  /// Sky on the left, ever more contrast toward the right; even levels, up to 124.
  private static let scene: RGBImage = {
    let noise = GrayImage.random(64, 64, seed: 12)
    return .gray(64, 64) { x, y in UInt8(40 + Int(noise[x, y]) * max(0, x - 20) / 255) & ~1 }
  }()

  @Test("The weights are those of the slow twin")
  func twin() throws {
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
    // The scene has all kinds: flat, full, and between.
    #expect(expected.contains(0) && expected.contains(1))
    #expect(expected.contains { $0 > 0.2 && $0 < 0.8 })
  }

  @Test("Weights are in 0...1 and finite, whatever the picture", arguments: 0..<6)
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

  @Test("Twice the light leaves the weights as they are, but for the term against noise")
  func exposure() {
    let bright = RGBImage.gray(64, 64) { x, y in Self.scene[x, y][0] * 2 }
    let dim = Self.weights(Self.descriptors(Self.scene))
    let lit = Self.weights(Self.descriptors(bright))
    #expect(zip(dim, lit).allSatisfy { $0 <= $1 + 1e-5 })
    // As deviations they differ by a factor of two.
    #expect(largestDifference(dim, lit) < 0.08)
  }

  @Test("Color without luma is no contrast")
  func color() {
    // Red and green of the same sum.
    let colors: [[UInt8]] = [[200, 40, 90], [40, 200, 90]]
    let picture = RGBImage(
      width: 64, height: 64, pixels: (0..<64 * 64).flatMap { colors[$0 / 3 % 2] })
    #expect(Self.weights(Self.descriptors(picture)).allSatisfy { $0 == 0 })
  }

  @Test("Patches keep their weights in any order, and no patches have none")
  func order() {
    let color = Self.descriptors(Self.scene)
    let backwards = Array((0..<color.rows).reversed())
    let found = Self.weights(color.selecting(rows: backwards))
    #expect(largestDifference(found, Array(Self.weights(color).reversed())) < 1e-5)
    #expect(Self.weights(Matrix(rows: 0, columns: LocalColor.count)).isEmpty)
  }
}
