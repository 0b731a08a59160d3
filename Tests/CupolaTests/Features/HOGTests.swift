import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("HOG") struct HOGTests {
  @Test("The reference implementation matches scikit-image", arguments: 0..<16)
  func scikitImage(number: Int) throws {
    let goldens = try Fixtures.tensors("hog.safetensors")
    var hog = HOG.standard
    (hog.firstEpsilon, hog.secondEpsilon) = (1e-5, 1e-5)
    let naive = NaiveHOG(
      hog: hog, image: try goldens.grayPicture("picture.\(number)"), voting: .nearest, pooling: .box
    )
    #expect(largestDifference(try goldens.floats("hog.\(number)"), naive.descriptor()) <= 1e-5)
  }

  @Test(
    "The standard settings match the reference implementation",
    arguments: [(16, 16), (23, 17), (40, 24), (31, 33), (16, 47)])
  func standard(width: Int, height: Int) throws {
    let picture = GrayImage.random(width, height, seed: UInt64(width * height))
    let expected = NaiveHOG(hog: .standard, image: picture).descriptor()
    #expect(largestDifference(try HOG.standard.descriptor(of: picture), expected) <= 1e-5)
  }

  @Test(
    "Other settings match the reference implementation",
    arguments: [(3, 2, 1), (6, 4, 3), (9, 6, 2), (12, 8, 1)])
  func allSettings(orientations: Int, cellSize: Int, blockSize: Int) throws {
    let hog = HOG(
      orientations: orientations, cellSize: cellSize, blockSize: blockSize, clip: 0.3,
      firstEpsilon: 4, secondEpsilon: 0.1)
    let picture = GrayImage.random(21, 19, seed: UInt64(orientations))
    let expected = NaiveHOG(hog: hog, image: picture).descriptor()
    #expect(largestDifference(try hog.descriptor(of: picture), expected) <= 1e-5)
  }

  @Test("A photo of 128x128 pixels has 8100 values")
  func recipeSize() throws {
    #expect(HOG.standard.count(width: 128, height: 128) == 8100)
    let flat = GrayImage(128, 128) { _, _ in 7 }
    #expect(try HOG.standard.descriptor(of: flat).count == 8100)
  }

  @Test(
    "The predicted count equals the descriptor length",
    arguments: [(16, 16), (17, 31), (64, 24), (33, 40)])
  func count(width: Int, height: Int) throws {
    let descriptor = try HOG.standard.descriptor(of: .random(width, height, seed: 1))
    #expect(descriptor.count == HOG.standard.count(width: width, height: height))
    #expect(descriptor.count == (width / 8 - 1) * (height / 8 - 1) * 36)
  }

  @Test("Values are in 0...1, and no block is longer than 1")
  func range() throws {
    let descriptor = try HOG.standard.descriptor(of: .random(40, 32, seed: 5))
    #expect(descriptor.allSatisfy { $0.isFinite && $0 >= 0 && $0 <= 1 })
    for start in stride(from: 0, to: descriptor.count, by: 36) {
      let length = descriptor[start..<start + 36].reduce(0) { $0 + $1 * $1 }
      #expect(length <= 1.000_01 && length > 0.9)
    }
  }

  @Test("A uniform photo has the zero descriptor", arguments: [0, 1, 128, 255])
  func constant(level: Int) throws {
    let descriptor = try HOG.standard.descriptor(of: GrayImage(24, 24) { _, _ in Float(level) })
    #expect(descriptor.allSatisfy { $0 == 0 })
  }

  @Test("A brightness offset changes nothing")
  func brightness() throws {
    let hog = HOG.standard
    let picture = GrayImage.random(32, 24, seed: 9).map { ($0 / 2).rounded() }
    #expect(try hog.descriptor(of: picture.map { $0 + 100 }) == hog.descriptor(of: picture))
  }

  @Test("Contrast matters only relative to epsilon")
  func contrast() throws {
    let picture = GrayImage.random(32, 24, seed: 9).map { ($0 / 2).rounded() }
    var doubled = HOG.standard
    doubled.firstEpsilon *= 2
    // Powers of two are exact in every step.
    let original = try HOG.standard.descriptor(of: picture)
    #expect(try doubled.descriptor(of: picture.map { $0 * 2 }) == original)
    let strong = try HOG.standard.descriptor(of: picture.map { $0 * 2 })
    #expect(largestDifference(strong, original) < 1e-3)
    let weak = try HOG.standard.descriptor(of: picture.map { $0 / 65536 })
    #expect((weak.max() ?? 1) < 0.1)
  }

  @Test("A photo smaller than one block throws", arguments: [(15, 16), (16, 15), (1, 1)])
  func tooSmall(width: Int, height: Int) {
    let picture = GrayImage.random(width, height, seed: 1)
    #expect(HOG.standard.count(width: width, height: height) == 0)
    #expect(throws: CupolaError.pictureTooSmall(width: width, height: height, needed: 16)) {
      try HOG.standard.descriptor(of: picture)
    }
  }

  @Test(
    "Rotating a photo by 90 degrees moves votes by 90 degrees",
    arguments: [6, 8])
  func rotation(orientations: Int) throws {
    var hog = HOG.standard
    hog.orientations = orientations
    let picture = GrayImage.random(40, 24, seed: 31)
    let turned = GrayImage(24, 40) { x, y in picture[y, picture.height - 1 - x] }
    let (before, after) = (hog.cells(of: picture), hog.cells(of: turned))
    try #require(after.columns == before.rows && after.rows == before.columns)
    for row in 0..<before.rows {
      for column in 0..<before.columns {
        for bin in 0..<orientations {
          let moved = after[column, before.rows - 1 - row, (bin + orientations / 2) % orientations]
          #expect(abs(moved - before[row, column, bin]) < 1e-4)
        }
      }
    }
  }

  @Test("Edges vote for the bin of their gradient")
  func directions() throws {
    let upright = GrayImage(32, 32) { x, _ in Float(8 * x) }
    let level = GrayImage(32, 32) { _, y in Float(8 * y) }
    // 0 degrees is midway between the first and the last bin center; 90 degrees is the middle bin's center.
    let shared = HOG.standard.cells(of: upright)
    #expect(abs(shared[1, 1, 0] - shared[1, 1, 8]) < 1e-4)
    #expect(shared[1, 1, 0] > 8 && shared[1, 1, 4] == 0)
    let falling = HOG.standard.cells(of: level)
    for bin in 0..<9 { #expect(abs(falling[1, 1, bin] - (bin == 4 ? 16 : 0)) < 1e-4) }
  }

  @Test("HOG settings survive a JSON round trip with votes and pooling")
  func coding() throws {
    #expect(try throughJSON(HOG.standard) == HOG.standard)
    let json = try ModelFile.json(HOG.standard)
    #expect(json.contains(#""pooling":"triangular""#) && json.contains(#""voting":"linear""#))
    for (name, other) in [("linear", "nearest"), ("triangular", "box")] {
      let old = json.replacing("\"\(name)\"", with: "\"\(other)\"")
      #expect(throws: (any Error).self) { try ModelFile.value(HOG.self, inJSON: old) }
    }
  }

  @Test(
    "Histograms match the per-pixel reference implementation",
    arguments: [2, 4, 6, 8])
  func cells(cellSize: Int) {
    var hog = HOG.standard
    hog.cellSize = cellSize
    for (width, height) in [(cellSize, cellSize), (3 * cellSize + 1, 2 * cellSize + 1)] {
      let picture = GrayImage.random(width, height, seed: 12)
      let grid = hog.cells(of: picture)
      #expect(grid.columns == width / cellSize && grid.rows == height / cellSize)
      #expect(largestDifference(grid.values, NaiveHOG(hog: hog, image: picture).cells()) < 1e-3)
    }
  }

  @Test("Inside the photo, a triangular window weighs as much as a cell")
  func uniform() {
    let grid = HOG.standard.cells(of: GrayImage(40, 40) { _, y in Float(3 * y) })
    for row in 1..<4 {
      for column in 1..<4 { #expect(abs(grid[row, column, 4] - 6) < 1e-4) }
    }
    // Half of a corner cell's window lies outside in each direction: one eighth is lost per side.
    #expect(abs(grid[2, 0, 4] - 6 * 7 / 8) < 1e-4)
  }

  @Test(
    "Gradients are central differences, 0 across the border",
    arguments: [(2, 1), (2, 2), (3, 3), (9, 5), (16, 2), (8, 1)])
  func differences(width: Int, height: Int) {
    let picture = GrayImage.random(width, height, seed: 77)
    for y in 0..<height { Self.compareGradients(picture, row: y, width: width) }
  }

  @Test("A narrower row still uses the pixel after its last one", arguments: [2, 5, 8])
  func narrower(width: Int) {
    Self.compareGradients(.random(9, 4, seed: 78), row: 2, width: width)
  }

  private static func compareGradients(_ picture: GrayImage, row y: Int, width: Int) {
    let naive = NaiveHOG(hog: .standard, image: picture)
    var row = GradientRow(width: width)
    row.read(row: y, of: picture)
    #expect(row.x.map(Double.init) == (0..<width).map { naive.gradient($0, y).x })
    #expect(row.y.map(Double.init) == (0..<width).map { naive.gradient($0, y).y })
  }
}

extension CellGrid {
  subscript(row: Int, column: Int, bin: Int) -> Float {
    values[(row * columns + column) * orientations + bin]
  }
}

@Suite("Orientation votes") struct OrientationVotesTests {
  static let orientations = [3, 4, 6, 8, 9, 12, 18]

  /// Gradients in all directions, none exactly at a bin edge.
  static let gradients: [(x: Float, y: Float)] = (0..<100).map {
    let (angle, length) = (Float($0) * 0.0637 + 0.01, 1 + Float($0 % 7) * 40)
    return (length * Foundation.cos(angle), length * Foundation.sin(angle))
  }

  /// The votes of the gradients for each bin.
  static func votes(_ orientations: Int) -> [[Double]] {
    votes(gradients.map(\.x), gradients.map(\.y), orientations)
  }

  static func votes(
    _ gx: [Float], _ gy: [Float], _ orientations: Int
  ) -> [[Double]] {
    let all = [Float](repeating: 0, count: orientations * gx.count)
    let sums = add(gx, gy, of: orientations, to: all, weight: 1).upper
    return (0..<orientations).map { bin in
      sums[bin * gx.count..<(bin + 1) * gx.count].map(Double.init)
    }
  }

  /// The sums after adding votes; the lower sums start at twice the values and get the remaining weight.
  static func add(
    _ gx: [Float], _ gy: [Float], of orientations: Int, to sums: [Float],
    weight: Float
  ) -> (upper: [Float], lower: [Float]) {
    var (upper, lower) = (sums, sums.map { 2 * $0 })
    let forms = (0..<orientations).flatMap { Voter(bin: $0, of: orientations).forms }
    WideRows.addVotes(
      x: gx, y: gy, forms: forms, weights: (weight, 1 - weight), upper: &upper, lower: &lower)
    return (upper, lower)
  }

  /// The gradient direction in bins from the first bin's edge, 0..<orientations.
  static func place(_ gradient: (x: Float, y: Float), _ orientations: Int) -> Double {
    let angle = atan2(Double(gradient.y), Double(gradient.x))
    return (angle < 0 ? angle + .pi : angle) / .pi * Double(orientations)
  }

  @Test("Linear votes follow the law of sines", arguments: orientations)
  func linear(orientations: Int) {
    let votes = Self.votes(orientations)
    let width = Double.pi / Double(orientations)
    for (index, gradient) in Self.gradients.enumerated() {
      let place = Self.place(gradient, orientations) - 0.5
      let lower = place.rounded(.down)
      let length = hypot(Double(gradient.x), Double(gradient.y))
      var expected = [Double](repeating: 0, count: orientations)
      let first = (Int(lower) + orientations) % orientations
      expected[first] = length * sin((lower + 1 - place) * width) / sin(width)
      expected[(first + 1) % orientations] = length * sin((place - lower) * width) / sin(width)
      for bin in 0..<orientations {
        #expect(abs(votes[bin][index] - expected[bin]) < 1e-6 * length + 1e-4)
      }
    }
  }

  @Test("Linear votes sum to the length, or slightly more between bins", arguments: orientations)
  func sums(orientations: Int) {
    let votes = Self.votes(orientations)
    let most = 1 / cos(Double.pi / Double(orientations) / 2)
    for (index, gradient) in Self.gradients.enumerated() {
      let length = hypot(Double(gradient.x), Double(gradient.y))
      let sum = votes.reduce(0) { $0 + $1[index] }
      #expect(sum > length * 0.999_99 && sum < length * most * 1.000_01)
    }
  }

  @Test("Linear votes along the bin directions reconstruct the gradient", arguments: orientations)
  func reconstruction(orientations: Int) {
    let votes = Self.votes(orientations)
    for (index, gradient) in Self.gradients.enumerated() {
      var (x, y) = (0.0, 0.0)
      // Across 180 degrees, the first bin's direction is opposite to the direction after the last bin.
      let wraps = votes[0][index] > 0 && votes[orientations - 1][index] > 0
      for bin in 0..<orientations {
        let angle = (Double(bin) + 0.5) * .pi / Double(orientations)
        let sign: Double = wraps && bin == 0 ? -1 : 1
        x += sign * votes[bin][index] * cos(angle)
        y += sign * votes[bin][index] * sin(angle)
      }
      let sign: Double = x * Double(gradient.x) + y * Double(gradient.y) < 0 ? -1 : 1
      let error = hypot(sign * x - Double(gradient.x), sign * y - Double(gradient.y))
      #expect(error < 1e-5 * hypot(x, y))
    }
  }

  @Test("Opposite gradients have equal votes")
  func opposite() {
    let (gx, gy) = (Self.gradients.map(\.x), Self.gradients.map(\.y))
    #expect(Self.votes(gx, gy, 9) == Self.votes(gx.map(-), gy.map(-), 9))
  }

  @Test("Votes are added to existing sums with the weight of each row")
  func weights() {
    // 70 degrees is the center of bin 3 of 9.
    let angle = 70 * Float.pi / 180
    let (upper, lower) = Self.add(
      [8 * Foundation.cos(angle)], [8 * Foundation.sin(angle)], of: 9,
      to: [Float](repeating: 100, count: 9), weight: 0.25)
    for bin in 0..<9 {
      #expect(abs(upper[bin] - (bin == 3 ? 102 : 100)) < 1e-4)
      #expect(abs(lower[bin] - (bin == 3 ? 206 : 200)) < 1e-4)
    }
  }

  @Test("A zero gradient has no votes")
  func zero() {
    #expect(Self.votes([0, 0], [0, 0], 9) == [[Double]](repeating: [0, 0], count: 9))
  }
}
