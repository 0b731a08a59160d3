#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Fractions of photos, their uncertainty, and tests for differences.
// 1. A fraction and its 95% interval (Wilson 1927). 2. The interval of a difference of two fractions (Newcombe 1998).
// 3. A test of two models on the same photos (McNemar 1947).

package struct Share: Equatable, Sendable {
  package let right: Int
  package let photos: Int

  init(right: Int, of photos: Int) { (self.right, self.photos) = (right, photos) }

  init(of answers: [Evaluation.Answer], where isRight: (Evaluation.Answer) -> Bool) {
    self.init(right: answers.count(where: isRight), of: answers.count)
  }

  init(_ isRight: [Bool?]) {
    self.init(right: isRight.count { $0 == true }, of: isRight.count { $0 != nil })
  }

  package var accuracy: Double? { photos == 0 ? nil : Double(right) / Double(photos) }
  package var interval: WilsonInterval { WilsonInterval(successes: right, of: photos) }

  static let columns: [Column<Share>] = [
    .count("photos") { $0.photos }, .count("right") { $0.right },
    .share("accuracy") { $0.accuracy }, .interval { $0.photos > 0 ? $0.interval.ends : nil },
  ]
}

/// The 95% confidence interval of a fraction (Wilson, JASA 1927).
package struct WilsonInterval: Equatable, Sendable {
  package let lower: Double
  package let upper: Double
  var ends: [Double] { [lower, upper] }

  package init(successes: Int, of trials: Int) {
    precondition(
      successes >= 0 && successes <= trials, "\(successes) successes of \(trials) trials")
    guard trials > 0 else {
      (lower, upper) = (0, 1)
      return
    }
    let z = 1.959_963_984_540_054
    let n = Double(trials)
    let share = Double(successes) / n
    let center = (share + z * z / (2 * n)) / (1 + z * z / n)
    let spread =
      z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    // At 0 and 1, set the end exactly, without rounding error.
    lower = successes == 0 ? 0 : max(0, center - spread)
    upper = successes == trials ? 1 : min(1, center + spread)
  }
}

/// The difference of two independent fractions, and its 95% interval (Newcombe, Statistics in Medicine 1998, method
/// 10).
struct NewcombeInterval: Equatable, Sendable {
  let difference: Double
  let lower: Double
  let upper: Double

  init?(_ first: Share, minus second: Share) {
    guard let p = first.accuracy, let q = second.accuracy else { return nil }
    let (a, b) = (first.interval, second.interval)
    func root(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    difference = p - q
    lower = p - q - root(p - a.lower, b.upper - q)
    upper = p - q + root(a.upper - p, q - b.lower)
  }
}

/// A test of two models on the same photos, using the photos that only one model names correctly (McNemar,
/// Psychometrika 1947).
package struct McNemar: Equatable, Sendable {
  package enum Method: String, Sendable {
    case exact
    /// Chi-squared with one degree of freedom and Edwards' continuity correction.
    case chiSquared = "chi_squared"
  }

  package let onlyFirst: Int
  package let onlySecond: Int
  /// The method used for ``pValue``: exact up to 1,000 photos.
  package let method: Method
  /// The two-sided probability, 0...1, of a difference at least this large if the models are equally good.
  package let pValue: Double

  static let mostExact = 1000

  package init(onlyFirst: Int, onlySecond: Int) {
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

  var text: String {
    pValue < 0.0001 ? "< 0.0001" : FigureText.decimal(pValue, digits: 4)
  }

  var equation: String { pValue < 0.0001 ? "p < 0.0001" : "p = \(text)" }

  /// The probability of at most `most` heads in `count` tosses of a fair coin.
  private static func binomial(upTo most: Int, of count: Int) -> Double {
    // Compute each term from the preceding one, to avoid large factorials.
    var logarithm = -Double(count) * log(2)
    var sum = exp(logarithm)
    for heads in 0..<most {
      logarithm += log(Double(count - heads)) - log(Double(heads + 1))
      sum += exp(logarithm)
    }
    return sum
  }
}
