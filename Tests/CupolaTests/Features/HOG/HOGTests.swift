import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("HOG") struct HOGTests {
  static let signals: [HOG] = [.standard, .scikitImage]

  @Test("The compatible setting gives scikit-image's descriptors", arguments: 0..<16)
  func scikitImage(number: Int) throws {
    let goldens = try Fixtures.tensors("hog.safetensors")
    let picture = try goldens.grayPicture("picture.\(number)")
    let expected = try goldens.floats("hog.\(number)")
    let found = try HOG.scikitImage.descriptor(of: picture)
    #expect(largestDifference(found, expected) <= 1e-5)
  }

  @Test(
    "The standard setting is what its documentation says",
    arguments: [(16, 16), (23, 17), (40, 24), (31, 33), (16, 47)])
  func standard(width: Int, height: Int) throws {
    let picture = GrayImage.random(width, height, seed: UInt64(width * height))
    let expected = NaiveHOG(hog: .standard, image: picture).descriptor()
    #expect(largestDifference(try HOG.standard.descriptor(of: picture), expected) <= 1e-5)
  }

  @Test(
    "Every voting and pooling is what its documentation says",
    arguments: [HOG.Voting.linear, .nearest], [HOG.Pooling.triangular, .box])
  func allSettings(voting: HOG.Voting, pooling: HOG.Pooling) throws {
    for (orientations, cellSize, blockSize) in [(3, 2, 1), (6, 4, 3), (9, 6, 2), (12, 8, 1)] {
      let hog = HOG(
        orientations: orientations, cellSize: cellSize, blockSize: blockSize, voting: voting,
        pooling: pooling, clip: 0.3, firstEpsilon: 4, secondEpsilon: 0.1)
      let picture = GrayImage.random(21, 19, seed: UInt64(orientations))
      let expected = NaiveHOG(hog: hog, image: picture).descriptor()
      #expect(largestDifference(try hog.descriptor(of: picture), expected) <= 1e-5)
    }
  }

  @Test("A picture of 128x128 pixels has 8100 values")
  func recipeSize() throws {
    #expect(HOG.standard.count(width: 128, height: 128) == 8100)
    let flat = GrayImage(128, 128) { _, _ in 7 }
    #expect(try HOG.standard.descriptor(of: flat).count == 8100)
  }

  @Test(
    "The count foretells the descriptor's length",
    arguments: [(16, 16), (17, 31), (64, 24), (33, 40)])
  func count(width: Int, height: Int) throws {
    for hog in Self.signals {
      let descriptor = try hog.descriptor(of: .random(width, height, seed: 1))
      #expect(descriptor.count == hog.count(width: width, height: height))
      #expect(descriptor.count == (width / 8 - 1) * (height / 8 - 1) * 36)
    }
  }

  @Test("Values are finite, within 0...1, and no block is longer than 1", arguments: signals)
  func range(hog: HOG) throws {
    let descriptor = try hog.descriptor(of: .random(40, 32, seed: 5))
    #expect(descriptor.allSatisfy { $0.isFinite && $0 >= 0 && $0 <= 1 })
    for start in stride(from: 0, to: descriptor.count, by: 36) {
      let length = descriptor[start..<start + 36].reduce(0) { $0 + $1 * $1 }
      #expect(length <= 1.000_01 && length > 0.9)
    }
  }

  @Test("A picture of one level has the zero descriptor", arguments: [0, 1, 128, 255])
  func constant(level: Int) throws {
    for hog in Self.signals {
      let descriptor = try hog.descriptor(of: GrayImage(24, 24) { _, _ in Float(level) })
      #expect(descriptor.allSatisfy { $0 == 0 })
    }
  }

  @Test("More light all over changes nothing", arguments: signals)
  func brightness(hog: HOG) throws {
    let picture = GrayImage.random(32, 24, seed: 9).map { ($0 / 2).rounded() }
    #expect(try hog.descriptor(of: picture.map { $0 + 100 }) == hog.descriptor(of: picture))
  }

  @Test("Contrast counts only in proportion to epsilon")
  func contrast() throws {
    let picture = GrayImage.random(32, 24, seed: 9).map { ($0 / 2).rounded() }
    var doubled = HOG.standard
    doubled.firstEpsilon *= 2
    // Powers of two are exact in every step.
    let original = try HOG.standard.descriptor(of: picture)
    #expect(try doubled.descriptor(of: picture.map { $0 * 2 }) == original)
    // Far above epsilon contrast hardly matters; far below, it is all that matters.
    let strong = try HOG.standard.descriptor(of: picture.map { $0 * 2 })
    #expect(largestDifference(strong, original) < 1e-3)
    let weak = try HOG.standard.descriptor(of: picture.map { $0 / 65536 })
    #expect((weak.max() ?? 1) < 0.1)
  }

  @Test("A picture too small for a block is refused", arguments: [(15, 16), (16, 15), (1, 1)])
  func tooSmall(width: Int, height: Int) {
    let picture = GrayImage.random(width, height, seed: 1)
    #expect(HOG.standard.count(width: width, height: height) == 0)
    #expect(throws: CupolaError.pictureTooSmall(width: width, height: height, needed: 16)) {
      try HOG.standard.descriptor(of: picture)
    }
  }

  @Test(
    "Turning the picture by 90 degrees moves every vote to the bin 90 degrees further",
    arguments: [6, 8], [HOG.Voting.linear, .nearest])
  func rotation(orientations: Int, voting: HOG.Voting) throws {
    var hog = HOG.standard
    (hog.orientations, hog.voting) = (orientations, voting)
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

  @Test("Edges fall into the bins that face across them")
  func directions() throws {
    let upright = GrayImage(32, 32) { x, _ in Float(8 * x) }
    let level = GrayImage(32, 32) { _, y in Float(8 * y) }
    let rising = HOG.scikitImage.cells(of: upright)
    let falling = HOG.scikitImage.cells(of: level)
    for bin in 0..<9 {
      #expect(rising[1, 1, bin] == (bin == 0 ? 16 : 0))
      #expect(falling[1, 1, bin] == (bin == 4 ? 16 : 0))
    }
    // 0 degrees lies midway between the centers of the first and the last bin.
    let shared = HOG.standard.cells(of: upright)
    #expect(abs(shared[1, 1, 0] - shared[1, 1, 8]) < 1e-4)
    #expect(shared[1, 1, 0] > 8 && shared[1, 1, 4] == 0)
  }

  @Test("A recipe survives its JSON")
  func coding() throws {
    for hog in Self.signals { #expect(try throughJSON(hog) == hog) }
  }
}

extension CellGrid {
  subscript(row: Int, column: Int, bin: Int) -> Float {
    values[(row * columns + column) * orientations + bin]
  }
}
