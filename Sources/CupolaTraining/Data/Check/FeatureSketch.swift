internal import Cupola

/// Makes long feature vectors short, keeping their inner products about as they are (count sketch,
/// Charikar et al. 2002): each value is added to or taken from one of the sums.
struct FeatureSketch: Sendable {
  /// Values of a sketch.
  static let size = 1024

  private let place: [Int16]
  private let sign: [Float]

  /// For vectors of so many values.
  init(values: Int) {
    var generator = SplitMix64(seed: 0x5EED)
    var (place, sign): ([Int16], [Float]) = ([], [])
    for _ in 0..<values {
      let bits = generator.next()
      place.append(Int16(bits % UInt64(Self.size)))
      sign.append(bits >> 63 == 0 ? 1 : -1)
    }
    self.place = place
    self.sign = sign
  }

  func applied(to values: [Float]) -> [Float] {
    precondition(values.count == place.count, "\(values.count) values, \(place.count) expected")
    var sums = [Float](repeating: 0, count: Self.size)
    for index in values.indices { sums[Int(place[index])] += sign[index] * values[index] }
    return sums
  }
}
