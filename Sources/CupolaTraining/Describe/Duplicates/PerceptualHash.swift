internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Transform parts of a thumbnail (`CosineBasis`).
// 2. Store the coefficients' signs as a hash of 256 bits (`PerceptualHash`) or a code of 63 bits (`SearchCode`).
// 3. Find codes that differ in only a few bits (`SearchCodeIndex`).
// 4. Search other photos for the centers of known photos (`CropSearch`).

/// A hash of 256 bits that is robust to recompression and resizing (after Zauner 2010).
///
/// Bit `16 v + u` is the sign of the luma's cosine coefficient with horizontal frequency `u` and vertical frequency
/// `v`; bit 0 is 0.
struct PerceptualHash: Hashable, Sendable {
  private(set) var words: SIMD4<UInt64> = .zero
  static let frequencies = 16
  /// The maximum distance in bits between uncropped copies; photos of 40 similar apartment blocks differ in more.
  static let reach = 20
  private static let whole = CosineBasis(ranges: [0...1], frequencies: frequencies)

  init(_ thumbnail: LumaThumbnail) {
    self.init(Self.whole.coefficients(of: thumbnail), row: 0, column: 0)
  }

  init(_ thumbnail: LumaThumbnail, window: SearchCode.CropWindow) {
    let (across, down) = (
      CosineBasis(ranges: [window.across], frequencies: Self.frequencies),
      CosineBasis(ranges: [window.down], frequencies: Self.frequencies)
    )
    self.init(down.coefficients(of: thumbnail, across: across), row: 0, column: 0)
  }

  init(_ coefficients: Matrix, row: Int, column: Int) {
    let count = Self.frequencies
    for bit in 1..<count * count where coefficients[row + bit / count, column + bit % count] > 0 {
      words[bit / 64] |= 1 << UInt64(bit % 64)
    }
  }

  func isPositive(across u: Int, down v: Int) -> Bool {
    let bit = Self.frequencies * v + u
    return words[bit / 64] >> UInt64(bit % 64) & 1 == 1
  }

  private init(words: SIMD4<UInt64>) { self.words = words }

  /// The hash of the mirrored photo: the signs of odd horizontal frequencies are flipped.
  var mirrored: PerceptualHash {
    PerceptualHash(words: words ^ SIMD4(repeating: 0xAAAA_AAAA_AAAA_AAAA))
  }

  func distance(to other: PerceptualHash) -> Int {
    let difference = words ^ other.words
    return (0..<4).reduce(0) { $0 + difference[$1].nonzeroBitCount }
  }

  var hexadecimal: String {
    (0..<4).map { Hex.text(words[$0]) }.joined()
  }

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

/// The cosine basis on parts of an axis; row `frequencies * part + u` contains the weight of each sample.
struct CosineBasis {
  private let weights: PackedMatrix

  init(ranges: [ClosedRange<Double>], frequencies: Int) {
    let side = LumaThumbnail.side
    var weights = Matrix(rows: ranges.count * frequencies, columns: side)
    for (part, range) in ranges.enumerated() {
      let length = range.upperBound - range.lowerBound
      for u in 0..<frequencies {
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

  func coefficients(of thumbnail: LumaThumbnail) -> Matrix {
    coefficients(of: thumbnail, across: self)
  }

  func coefficients(of thumbnail: LumaThumbnail, across: CosineBasis) -> Matrix {
    let side = LumaThumbnail.side
    let luma = Matrix(
      rows: side, columns: side, values: thumbnail.samples.map { Float($0) - 128 })
    return weights.product(across.weights.product(luma).transposed).transposed
  }
}

/// A code of 63 bits for finding candidates: the signs of the 8 x 8 cosine coefficients with the lowest frequencies.
///
/// Bits are distributed over four chunks of 16, so that no chunk has only the lowest frequencies, which mostly show the
/// sky.
struct SearchCode: Hashable, Sendable {
  let bits: UInt64
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

  init(_ coefficients: Matrix, row: Int, column: Int) {
    var bits: UInt64 = 0
    for bit in 1..<64 {
      let value = coefficients[row + bit / Self.frequencies, column + bit % Self.frequencies]
      if value > 0 { bits |= 1 << Self.place(of: bit) }
    }
    self.bits = bits
  }

  init(_ hash: PerceptualHash) {
    var bits: UInt64 = 0
    for bit in 1..<64
    where hash.isPositive(across: bit % Self.frequencies, down: bit / Self.frequencies) {
      bits |= 1 << Self.place(of: bit)
    }
    self.bits = bits
  }

  var mirrored: SearchCode { SearchCode(bits: bits ^ Self.mirrorMask) }

  func distance(to other: SearchCode) -> Int { (bits ^ other.bits).nonzeroBitCount }
  func chunk(_ index: Int) -> Int { Int(bits >> UInt64(16 * index) & 0xFFFF) }

  /// The parts of an axis that a crop may keep: 80% to 100% of its length, in steps of 5%.
  private static let ranges: [ClosedRange<Double>] = stride(from: 100, through: 80, by: -5).flatMap
  {
    size in
    stride(from: 0, through: 100 - size, by: 5).map {
      Double($0) / 100...Double($0 + size) / 100
    }
  }
  private static let basis = CosineBasis(ranges: ranges, frequencies: frequencies)

  static func windows(of thumbnail: LumaThumbnail) -> [(window: CropWindow, code: SearchCode)] {
    let coefficients = basis.coefficients(of: thumbnail)
    return ranges.indices.flatMap { row in
      ranges.indices.map { column in
        (
          CropWindow(across: ranges[column], down: ranges[row]),
          SearchCode(coefficients, row: row * frequencies, column: column * frequencies)
        )
      }
    }
  }

  static func whole(of thumbnail: LumaThumbnail) -> SearchCode {
    SearchCode(wholeBasis.coefficients(of: thumbnail), row: 0, column: 0)
  }

  private static let wholeBasis = CosineBasis(ranges: [0...1], frequencies: frequencies)

  struct CropWindow: Equatable, Sendable {
    var across: ClosedRange<Double>
    var down: ClosedRange<Double>
    static let whole = CropWindow(across: 0...1, down: 0...1)
  }
}

/// Finds codes that differ from a given code in a few bits, by multi-index hashing (Norouzi et al. 2012).
///
/// Each chunk of 16 bits has a table; a lookup visits buckets that differ in at most one bit. It finds all codes within
/// 7 bits and nearly all within 10.
struct SearchCodeIndex: Sendable {
  private let codes: [SearchCode]
  private let starts: [[Int32]]
  private let entries: [[Int32]]

  /// The maximum number of entries per bucket to visit, which avoids quadratic time.
  private static let bucketLimit = 256

  init(_ codes: [SearchCode]) {
    self.codes = codes
    var starts: [[Int32]] = []
    var entries: [[Int32]] = []
    for chunk in 0..<SearchCode.chunks {
      var ends = [Int32](repeating: 0, count: 0x1_0001)
      for code in codes { ends[code.chunk(chunk) + 1] += 1 }
      for bucket in 1..<ends.count { ends[bucket] += ends[bucket - 1] }
      starts.append(ends)
      var order = [Int32](repeating: 0, count: codes.count)
      for (index, code) in codes.enumerated() {
        order[Int(ends[code.chunk(chunk)])] = Int32(index)
        ends[code.chunk(chunk)] += 1
      }
      entries.append(order)
    }
    self.starts = starts
    self.entries = entries
  }

  /// Calls `body` with the index and distance of each code within ``SearchCode/reach``, possibly more than once per
  /// code.
  func forEach(near code: SearchCode, _ body: (Int, Int) -> Void) {
    for chunk in 0..<SearchCode.chunks {
      let key = code.chunk(chunk)
      visit(key, ofChunk: chunk, near: code, body)
      for bit in 0..<16 { visit(key ^ 1 << bit, ofChunk: chunk, near: code, body) }
    }
  }

  private func visit(
    _ key: Int, ofChunk chunk: Int, near code: SearchCode, _ body: (Int, Int) -> Void
  ) {
    let start = Int(starts[chunk][key])
    let end = min(Int(starts[chunk][key + 1]), start + Self.bucketLimit)
    guard start < end else { return }
    for place in start..<end {
      let index = Int(entries[chunk][place])
      let distance = codes[index].distance(to: code)
      if distance <= SearchCode.reach { body(index, distance) }
    }
  }
}

/// Finds crops of photos for which only a hash of the center was stored.
///
/// A crop to at least 80% of each side contains the center (60% of each side) at an unknown position. The search
/// therefore tries all positions, also mirrored.
struct CropSearch: Sendable {
  /// The maximum distance in bits between the center hashes of a photo and its crop.
  ///
  /// This limit finds 98% of 250 real crops. Other photos differ in at least 41 bits, except for 4 of 1,070 pairs that
  /// show the same view on two days (22 to 35 bits).
  static let reach = 36
  private static let middle = 0.2...0.8
  private static let middleBasis = CosineBasis(
    ranges: [middle], frequencies: PerceptualHash.frequencies)
  private static let ranges: [ClosedRange<Double>] = (0...8).flatMap { steps in
    let kept = 1 - 0.025 * Double(steps)
    return (0...steps).map { start in
      let lower = max(0, (middle.lowerBound - 0.025 * Double(start)) / kept)
      return lower...min(1, lower + (middle.upperBound - middle.lowerBound) / kept)
    }
  }
  private static let basis = CosineBasis(
    ranges: ranges, frequencies: PerceptualHash.frequencies)

  private let hashes: [PerceptualHash]
  private let index: SearchCodeIndex

  init(middles: [PerceptualHash]) {
    hashes = middles.flatMap { [$0, $0.mirrored] }
    index = SearchCodeIndex(hashes.map { SearchCode($0) })
  }

  static func middle(of thumbnail: LumaThumbnail) -> PerceptualHash? {
    let side = Double(LumaThumbnail.side)
    let inside = Int((middle.lowerBound * side).rounded(.up))..<Int(middle.upperBound * side)
    guard !thumbnail.isPlain(inside) else { return nil }
    return PerceptualHash(middleBasis.coefficients(of: thumbnail), row: 0, column: 0)
  }

  func finds(_ thumbnail: LumaThumbnail) -> Bool {
    guard !hashes.isEmpty else { return false }
    let coefficients = Self.basis.coefficients(of: thumbnail)
    let size = PerceptualHash.frequencies
    for row in Self.ranges.indices {
      for column in Self.ranges.indices {
        let code = SearchCode(coefficients, row: row * size, column: column * size)
        var hash: PerceptualHash?
        var isFound = false
        index.forEach(near: code) { number, _ in
          let own = hash ?? PerceptualHash(coefficients, row: row * size, column: column * size)
          hash = own
          isFound = isFound || own.distance(to: hashes[number]) <= Self.reach
        }
        if isFound { return true }
      }
    }
    return false
  }
}
