/// Draws that stay as they are: folds, seeds and with them models hang on them byte for byte.
///
/// Those of the standard library may change between versions of Swift; these are what it draws in
/// Swift 6.
extension SplitMix64 {
  /// A number in 0..<1, a multiple of 2^-53.
  package var fraction: Double {
    mutating get { Double(next() & (1 << 53 - 1)) * 0x1p-53 }
  }

  /// A whole number in 0..<`count`, all equally likely (Lemire 2019).
  package mutating func below(_ count: Int) -> Int {
    precondition(count > 0, "a number below \(count)")
    let bound = UInt64(count)
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      // The lowest products come once too often for some numbers.
      let surplus = (0 &- bound) % bound
      while product.low < surplus { product = next().multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }

  /// Elements in an order by lot, all orders equally likely (Fisher & Yates 1938).
  package mutating func shuffled<Element>(_ elements: some Sequence<Element>) -> [Element] {
    var elements = Array(elements)
    for index in elements.indices.dropLast() {
      elements.swapAt(index, index + below(elements.count - index))
    }
    return elements
  }
}
