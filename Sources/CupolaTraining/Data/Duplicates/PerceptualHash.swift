#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import Cupola

/// 256 bits that change little when a photo is saved again or made smaller: the signs of the lowest
/// 16 x 16 coefficients of the cosine transform of its luma (after Zauner 2010).
///
/// Bit `16 v + u` is that of frequency `u` across and `v` down; the first, the mean's, is 0.
struct PerceptualHash: Hashable, Sendable {
  private(set) var words: SIMD4<UInt64> = .zero

  static let frequencies = 16
  /// Hashes of copies that are not cropped differ in fewer bits; those of 40 blocks of flats that look
  /// alike in more.
  static let reach = 20
  private static let whole = CosineBasis(ranges: [0...1], frequencies: frequencies)

  /// The hash of a thumbnail.
  init(_ thumbnail: LumaThumbnail) {
    self.init(Self.whole.coefficients(of: thumbnail), row: 0, column: 0)
  }

  /// The hash of a part of a thumbnail.
  init(_ thumbnail: LumaThumbnail, window: SearchCode.Window) {
    let (across, down) = (
      CosineBasis(ranges: [window.across], frequencies: Self.frequencies),
      CosineBasis(ranges: [window.down], frequencies: Self.frequencies)
    )
    self.init(down.coefficients(of: thumbnail, across: across), row: 0, column: 0)
  }

  /// The signs of a block of coefficients that begins at a row and column.
  init(_ coefficients: Matrix, row: Int, column: Int) {
    let count = Self.frequencies
    for bit in 1..<count * count where coefficients[row + bit / count, column + bit % count] > 0 {
      words[bit / 64] |= 1 << UInt64(bit % 64)
    }
  }

  /// Whether the coefficient of a frequency across and down is positive.
  func isPositive(across u: Int, down v: Int) -> Bool {
    let bit = Self.frequencies * v + u
    return words[bit / 64] >> UInt64(bit % 64) & 1 == 1
  }

  private init(words: SIMD4<UInt64>) { self.words = words }

  /// The hash of the mirrored photo: the odd frequencies across have the other sign.
  var mirrored: PerceptualHash {
    PerceptualHash(words: words ^ SIMD4(repeating: 0xAAAA_AAAA_AAAA_AAAA))
  }

  /// How many bits differ.
  func distance(to other: PerceptualHash) -> Int {
    let difference = words ^ other.words
    return (0..<4).reduce(0) { $0 + difference[$1].nonzeroBitCount }
  }

  /// 64 digits.
  var hexadecimal: String {
    (0..<4).map { Hex.text(words[$0]) }.joined()
  }

  /// Reads 64 digits.
  init?(hexadecimal: String) {
    let digits = Array(hexadecimal.utf8)
    guard digits.count == 64 else { return nil }
    for index in 0..<4 {
      let part = String(decoding: digits[16 * index..<16 * index + 16], as: UTF8.self)
      guard let word = UInt64(part, radix: 16) else { return nil }
      words[index] = word
    }
  }
}

/// Cosines over parts of an axis of a thumbnail: row `frequencies * part + u` has what each of the
/// axis' samples counts for frequency `u` of the part.
struct CosineBasis {
  private let weights: PackedMatrix

  /// - Parameter ranges: parts of the axis, within 0...1.
  init(ranges: [ClosedRange<Double>], frequencies: Int) {
    let side = LumaThumbnail.side
    var weights = Matrix(rows: ranges.count * frequencies, columns: side)
    for (part, range) in ranges.enumerated() {
      let length = range.upperBound - range.lowerBound
      for u in 0..<frequencies {
        // The cosine's integral up to a place in the part.
        func integral(_ place: Double) -> Double {
          let inside = (min(max(place, range.lowerBound), range.upperBound) - range.lowerBound)
          return u == 0
            ? inside / length : sin(Double(u) * .pi * inside / length) / (Double(u) * .pi)
        }
        for sample in 0..<side {
          let (start, end) = (Double(sample) / Double(side), Double(sample + 1) / Double(side))
          weights[part * frequencies + u, sample] = Float(integral(end) - integral(start))
        }
      }
    }
    self.weights = PackedMatrix(weights)
  }

  /// Rows are parts and frequencies down, columns those across.
  func coefficients(of thumbnail: LumaThumbnail) -> Matrix {
    coefficients(of: thumbnail, across: self)
  }

  /// The same with other parts across than down.
  func coefficients(of thumbnail: LumaThumbnail, across: CosineBasis) -> Matrix {
    let side = LumaThumbnail.side
    let luma = Matrix(
      rows: side, columns: side, values: thumbnail.samples.map { Float($0) - 128 })
    return weights.product(across.weights.product(luma).transposed).transposed
  }
}
