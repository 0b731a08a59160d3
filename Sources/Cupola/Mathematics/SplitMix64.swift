/// A small random number generator that produces the same sequence on all platforms (Steele, Lea & Flood 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// Random draws whose results must never change, because folds, seeds, and models depend on them.
/// The standard library's algorithms can change between Swift versions. These match Swift 6.
extension SplitMix64 {
  /// Returns a number in 0..<1, a multiple of 2^-53.
  package var fraction: Double {
    mutating get { Double(next() & (1 << 53 - 1)) * 0x1p-53 }
  }

  /// Returns a uniformly distributed integer in 0..<`count` (Lemire 2019).
  package mutating func below(_ count: Int) -> Int {
    precondition(count > 0, "count \(count) is not positive")
    let bound = UInt64(count)
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      // Reject the lowest products to avoid a biased distribution.
      let surplus = (0 &- bound) % bound
      while product.low < surplus { product = next().multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }

  /// Returns the elements in random order; all orders are equally likely (Fisher & Yates 1938).
  package mutating func shuffled<Element>(_ elements: some Sequence<Element>) -> [Element] {
    var elements = Array(elements)
    for index in elements.indices.dropLast() {
      elements.swapAt(index, index + below(elements.count - index))
    }
    return elements
  }
}
