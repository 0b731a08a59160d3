import Cupola
import CupolaTestSupport

/// Small drawn photos: each kind has edges in a direction of its own, and noise of its own.
enum Pictures {
  enum Kind: Int, CaseIterable { case upright, level, rising, noise }

  static func jpeg(
    _ kind: Kind, seed: UInt64, width: Int = 96, height: Int = 80
  ) throws -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    let shift = Int.random(in: 0..<16, using: &generator)
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let along = [x, y, x + y, 0][kind.rawValue] + shift
        let base = kind == .noise ? Int.random(in: 0..<150, using: &generator) : along / 8 % 2 * 150
        for _ in 0..<3 {
          pixels.append(UInt8(base + Int.random(in: 0..<60, using: &generator)))
        }
      }
    }
    return try JPEGEncoder.encode(RGBImage(width: width, height: height, pixels: pixels))
  }

  /// A picture without any edge.
  static func flat(gray: UInt8) throws -> [UInt8] {
    let pixels = [UInt8](repeating: gray, count: 64 * 64 * 3)
    return try JPEGEncoder.encode(RGBImage(width: 64, height: 64, pixels: pixels))
  }
}

extension TemporaryFolder {
  /// Writes drawn photos into the folder of a label; those of the same kind and number are the same picture.
  func draw(_ kind: Pictures.Kind, _ numbers: Range<Int>, to label: String) throws {
    for number in numbers {
      try write(
        try Pictures.jpeg(kind, seed: UInt64(kind.rawValue * 100 + number)),
        to: "\(label)/\(number).jpg")
    }
  }

  /// Writes as many drawn photos for each label, each label a kind of its own.
  func draw(_ count: Int, to labels: [String]) throws {
    for (kind, label) in zip(Pictures.Kind.allCases, labels) {
      try draw(kind, 0..<count, to: label)
    }
  }
}
