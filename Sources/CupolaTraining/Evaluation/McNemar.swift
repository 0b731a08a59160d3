#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether two models differ by more than chance on the same photos (McNemar, Psychometrika 1947).
///
/// Only photos that one model names right and the other wrong count.
public struct McNemar: Equatable, Sendable {
  /// How the p-value was found.
  public enum Method: String, Sendable {
    /// By the binomial distribution.
    case exact
    /// By chi-squared with one degree of freedom and Edwards' continuity correction.
    case chiSquared = "chi_squared"
  }

  /// Photos that only the first names right.
  public let onlyFirst: Int
  /// Photos that only the second names right.
  public let onlySecond: Int
  /// How ``pValue`` was found: exactly up to 1,000 photos.
  public let method: Method
  /// The chance of a difference as large or larger between equals, two-sided, 0...1.
  public let pValue: Double

  static let mostExact = 1000

  /// Compares by the photos that only one of both names right.
  public init(onlyFirst: Int, onlySecond: Int) {
    precondition(onlyFirst >= 0 && onlySecond >= 0, "\(onlyFirst) and \(onlySecond) photos")
    self.onlyFirst = onlyFirst
    self.onlySecond = onlySecond
    let count = onlyFirst + onlySecond
    method = count <= Self.mostExact ? .exact : .chiSquared
    switch method {
    case .exact:
      pValue = min(1, 2 * Self.binomial(upTo: min(onlyFirst, onlySecond), of: count))
    case .chiSquared:
      let gap = Double(max(0, abs(onlyFirst - onlySecond) - 1))
      pValue = erfc((gap * gap / Double(count) / 2).squareRoot())
    }
  }

  var json: JSONObject {
    [
      "only_first": onlyFirst, "only_second": onlySecond, "method": method.rawValue,
      "p_value": pValue,
    ]
  }

  /// ``pValue`` as people read it.
  var text: String {
    pValue < 0.0001 ? "below 0.0001" : FigureText.decimal(pValue, digits: 4)
  }

  /// The chance of at most `most` heads among `count` tosses of a fair coin.
  private static func binomial(upTo most: Int, of count: Int) -> Double {
    // Each term from the one before, so that nothing is lost to large factorials.
    var logarithm = -Double(count) * log(2)
    var sum = exp(logarithm)
    for heads in 0..<most {
      logarithm += log(Double(count - heads)) - log(Double(heads + 1))
      sum += exp(logarithm)
    }
    return sum
  }
}
