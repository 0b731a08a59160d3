internal import Cupola

/// 63 bits to find likely copies by: the signs of the lowest 8 x 8 cosine coefficients of a part of a
/// photo.
///
/// The bits of four chunks of 16 are dealt in turn, so that no chunk has only the lowest frequencies,
/// in which photos with sky above resemble each other.
struct SearchCode: Hashable, Sendable {
  let bits: UInt64

  /// Codes that differ in more bits are of different photos.
  static let reach = 10
  static let chunks = 4
  private static let frequencies = 8
  private static let mirrorMask: UInt64 = {
    var mask: UInt64 = 0
    for bit in 0..<64 where bit % frequencies % 2 == 1 { mask |= 1 << place(of: bit) }
    return mask
  }()

  private static func place(of bit: Int) -> UInt64 { UInt64(bit % chunks * 16 + bit / chunks) }

  private init(bits: UInt64) { self.bits = bits }

  /// The signs of a block of coefficients that begins at a row and column.
  init(_ coefficients: Matrix, row: Int, column: Int) {
    var bits: UInt64 = 0
    for bit in 1..<64 {
      let value = coefficients[row + bit / Self.frequencies, column + bit % Self.frequencies]
      if value > 0 { bits |= 1 << Self.place(of: bit) }
    }
    self.bits = bits
  }

  /// The lowest frequencies of a hash.
  init(_ hash: PerceptualHash) {
    var bits: UInt64 = 0
    for bit in 1..<64
    where hash.isPositive(across: bit % Self.frequencies, down: bit / Self.frequencies) {
      bits |= 1 << Self.place(of: bit)
    }
    self.bits = bits
  }

  /// The code of the mirrored part.
  var mirrored: SearchCode { SearchCode(bits: bits ^ Self.mirrorMask) }

  func distance(to other: SearchCode) -> Int { (bits ^ other.bits).nonzeroBitCount }

  /// 16 of the bits.
  func chunk(_ index: Int) -> Int { Int(bits >> UInt64(16 * index) & 0xFFFF) }

  // MARK: - Windows

  /// Parts of an axis that a crop may have kept: 80 to 100 % of it, in steps of 5 %.
  private static let ranges: [ClosedRange<Double>] = stride(from: 100, through: 80, by: -5).flatMap
  {
    size in
    stride(from: 0, through: 100 - size, by: 5).map {
      Double($0) / 100...Double($0 + size) / 100
    }
  }
  private static let basis = CosineBasis(ranges: ranges, frequencies: frequencies)

  /// A code for each part of a photo that a crop may have kept; the whole comes first.
  static func windows(of thumbnail: LumaThumbnail) -> [(window: Window, code: SearchCode)] {
    let coefficients = basis.coefficients(of: thumbnail)
    return ranges.indices.flatMap { row in
      ranges.indices.map { column in
        (
          Window(across: ranges[column], down: ranges[row]),
          SearchCode(coefficients, row: row * frequencies, column: column * frequencies)
        )
      }
    }
  }

  /// The code of the whole.
  static func whole(of thumbnail: LumaThumbnail) -> SearchCode {
    SearchCode(wholeBasis.coefficients(of: thumbnail), row: 0, column: 0)
  }

  private static let wholeBasis = CosineBasis(ranges: [0...1], frequencies: frequencies)

  /// A part of a photo, its sides within 0...1.
  struct Window: Equatable, Sendable {
    var across: ClosedRange<Double>
    var down: ClosedRange<Double>

    static let whole = Window(across: 0...1, down: 0...1)
  }
}
