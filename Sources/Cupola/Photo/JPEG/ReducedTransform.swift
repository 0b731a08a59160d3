/// The inverse cosine transform of 8x8 coefficients to 2x2 samples, as libjpeg computes it: in whole numbers, first
/// down the columns, then along the two rows that are left.
///
/// Each sample is the mean of a quarter of the block, so that only the block's mean and odd frequencies count: of the
/// others whole waves lie in a half. They are added as they are read, because most blocks have few.
enum ReducedTransform {
  /// Samples of the upper row, then of the lower.
  typealias Samples = (UInt8, UInt8, UInt8, UInt8)

  /// What the frequencies 1, 3, 5 and 7 add to the mean of the upper or left half:
  /// 1 / (sqrt(2) sin(n pi / 16)) with 13 bits behind the point, in turn more and less.
  private static let weights: [Int32] = [29_692, -10_426, 6_967, -5_906]

  /// Sums of a block: the means of the columns 0, 1, 3, 5 and 7, what is added to the upper halves of these, and one
  /// for what does not count.
  static let count = 11

  /// The largest mean, up or down, of whose samples libjpeg makes 0 or 255 if they are beyond: those of larger ones,
  /// which no camera writes, wrap around there, or not, by the processor.
  static let mostMean: Int32 = 4091

  /// To which sum each coefficient is added, in the order of the file.
  static let slots: [Int] = places.map { row, column in
    guard row == 0 || row % 2 == 1, column == 0 || column % 2 == 1 else { return count - 1 }
    return (column + 1) / 2 + (row == 0 ? 0 : 5)
  }

  /// By how much they are multiplied before.
  ///
  /// - Parameter steps: those of the file.
  static func factors(_ steps: [Int32]) -> [Int32] {
    zip(places, steps).map { place, step in
      (place.row % 2 == 1 ? weights[place.row / 2] : 1 << 15) &* step
    }
  }

  /// Where the coefficients stand in the order of the file: along diagonals, in turn up and down (T.81, figure A.6).
  private static let places: [(row: Int, column: Int)] = (0..<15).flatMap { diagonal in
    let rows = max(0, diagonal - 7)...min(7, diagonal)
    let places = rows.map { (row: $0, column: diagonal - $0) }
    return diagonal % 2 == 0 ? places.reversed() : places
  }

  /// The samples of a block that is its mean.
  @inline(__always)
  static func flat(_ mean: Int32) -> Samples {
    let sample = sample((mean &+ 1 << 17) >> 18)
    return (sample, sample, sample, sample)
  }

  /// The samples of a block's sums, of which all but the mean are zero afterwards.
  @inline(__always)
  static func samples(_ sums: inout MutableSpan<Int32>, from start: Int) -> Samples {
    let columns = (
      halves(sums, start), halves(sums, start &+ 1), halves(sums, start &+ 2),
      halves(sums, start &+ 3), halves(sums, start &+ 4)
    )
    for slot in 1..<count { sums[start &+ slot] = 0 }
    let upper = row(
      columns.0.upper, one: columns.1.upper, three: columns.2.upper, five: columns.3.upper,
      seven: columns.4.upper)
    let lower = row(
      columns.0.lower, one: columns.1.lower, three: columns.2.lower, five: columns.3.lower,
      seven: columns.4.lower)
    return (upper.left, upper.right, lower.left, lower.right)
  }

  /// A column's halves, with 2 bits behind the point.
  @inline(__always)
  private static func halves(
    _ sums: borrowing MutableSpan<Int32>, _ place: Int
  ) -> (upper: Int32, lower: Int32) {
    let (mean, odd) = (sums[place], sums[place &+ 5])
    return ((mean &+ odd &+ 1 << 12) >> 13, (mean &- odd &+ 1 << 12) >> 13)
  }

  @inline(__always)
  private static func row(
    _ mean: Int32, one: Int32, three: Int32, five: Int32, seven: Int32
  ) -> (left: UInt8, right: UInt8) {
    let odd = 29_692 &* one &- 10_426 &* three &+ 6_967 &* five &- 5_906 &* seven
    let even = mean &<< 15 &+ 1 << 19
    return (sample((even &+ odd) >> 20), sample((even &- odd) >> 20))
  }

  /// Zero is the middle.
  @inline(__always)
  static func sample(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value &+ 128, 0), 255))
  }
}
