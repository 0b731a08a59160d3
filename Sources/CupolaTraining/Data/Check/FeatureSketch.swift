internal import Cupola

/// Makes long feature vectors short, keeping their inner products about as they are (count sketch,
/// Charikar et al. 2002): each value is added to or taken from one of the sums. Few photos keep all values.
struct FeatureSketch: Sendable {
  /// Values of a sketch.
  let size: Int

  private let place: [Int32]
  private let sign: [Float]

  /// All sketches of a data set together have about so many values, so that memory is bounded;
  private static let room = 10_000_000
  /// but each at least so many, or it tells too little.
  private static let least = 768

  /// For so many vectors of so many values.
  init(values: Int, photos: Int) {
    size = min(values, max(Self.least, Self.room / max(1, photos)))
    guard size < values else {
      (place, sign) = ([], [])
      return
    }
    var generator = SplitMix64(seed: 0x5EED)
    var (place, sign): ([Int32], [Float]) = ([], [])
    for _ in 0..<values {
      let bits = generator.next()
      place.append(Int32(bits % UInt64(size)))
      sign.append(bits >> 63 == 0 ? 1 : -1)
    }
    self.place = place
    self.sign = sign
  }

  func applied(to values: [Float]) -> [Float] {
    guard !place.isEmpty else { return values }
    precondition(values.count == place.count, "\(values.count) values, \(place.count) expected")
    var sums = [Float](repeating: 0, count: size)
    for index in values.indices { sums[Int(place[index])] += sign[index] * values[index] }
    return sums
  }
}
