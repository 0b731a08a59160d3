/// Finds crops of photos of which nothing but a hash of their middle was kept.
///
/// Whatever crop leaves at least 80 % of each side has the photo's middle in it, 60 % of each side. Where
/// it is there nobody knows, so it is looked for in all places, mirrored too.
struct CropSearch: Sendable {
  /// Hashes of a photo's middle and of the same part of its crops differ in at most so many of 256 bits: of
  /// 250 crops of real photos, 98 %; those of other photos in 41 and more, but for 4 of 1,070 pairs of
  /// the same view of a building on two days, which differ in 22 to 35.
  static let reach = 36

  private static let middle = 0.2...0.8
  private static let middleBasis = CosineBasis(
    ranges: [middle], frequencies: PerceptualHash.frequencies)
  /// Where the middle may be in a crop's axis: for crops of 80 to 100 % in steps of 2.5 % of the photo.
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

  /// - Parameter middles: what ``middle(of:)`` told of the photos.
  init(middles: [PerceptualHash]) {
    hashes = middles.flatMap { [$0, $0.mirrored] }
    index = SearchCodeIndex(hashes.map { SearchCode($0) })
  }

  /// The hash of a photo's middle; `nil` when there is too little to see.
  static func middle(of thumbnail: LumaThumbnail) -> PerceptualHash? {
    let side = Double(LumaThumbnail.side)
    let inside = Int((middle.lowerBound * side).rounded(.up))..<Int(middle.upperBound * side)
    guard !thumbnail.isPlain(inside) else { return nil }
    return PerceptualHash(middleBasis.coefficients(of: thumbnail), row: 0, column: 0)
  }

  /// Whether a photo is a crop of one of those, or nearly the whole of it.
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
