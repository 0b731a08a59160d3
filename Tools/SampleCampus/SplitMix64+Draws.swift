import Cupola

/// Random values that do not depend on the version of Swift's standard library.
extension SplitMix64 {
  var unit: Double {
    mutating get { Double(next() >> 11) / 9_007_199_254_740_992 }
  }

  mutating func range(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit }

  mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(unit * Double(range.count))
  }

  /// A random number that is approximately normal, with mean 0 and standard deviation 1.
  var bell: Double {
    mutating get { (unit + unit + unit + unit - 2) * 1.732 }
  }
}
