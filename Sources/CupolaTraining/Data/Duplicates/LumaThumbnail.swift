internal import Cupola

/// A photo as 64 x 64 gray levels, stretched to the square: enough to tell whether two photos are
/// copies of one another, and small enough to keep of every photo.
struct LumaThumbnail: Hashable, Sendable {
  static let side = 64

  /// `side * side` lumas, rows from the top.
  let samples: [UInt8]

  /// Fails unless there are `side * side` samples.
  init?(samples: [UInt8]) {
    guard samples.count == Self.side * Self.side else { return nil }
    self.samples = samples
  }

  /// One of many whose samples stand one after the other.
  init?(_ number: Int, in samples: [UInt8]) {
    let size = Self.side * Self.side
    self.init(samples: Array(samples[number * size..<(number + 1) * size]))
  }

  /// The shape of a tensor of so many.
  static func shape(of count: Int) -> [Int] { [count, side, side] }

  /// The luma of a picture made small by area averaging, rounded.
  init(_ image: RGBImage) {
    let small = AreaResampler.resize(
      image, region: Region(x: 0, y: 0, width: image.width, height: image.height),
      width: Self.side, height: Self.side)
    samples = GrayImage(luma: small).samples.map { UInt8(min($0.rounded(), 255)) }
  }

  /// Whether there is too little in the picture to compare it by: its gray levels deviate from their
  /// mean by less than 3.
  var isPlain: Bool { isPlain(0..<Self.side) }

  /// Whether that is so of the part within a range of rows and the same range of columns.
  func isPlain(_ range: Range<Int>) -> Bool {
    let count = range.count * range.count
    var (sum, squares) = (0, 0)
    for y in range {
      for sample in samples[Self.side * y + range.lowerBound..<Self.side * y + range.upperBound] {
        sum += Int(sample)
        squares += Int(sample) * Int(sample)
      }
    }
    return count * squares - sum * sum < 9 * count * count
  }
}
