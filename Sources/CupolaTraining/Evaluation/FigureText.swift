import CupolaCampus

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Numbers as people read them.
package enum FigureText {
  /// A smaller share stands there as 0.0 %, which tells nothing.
  package static let leastPercent = 0.0005

  /// A share of 1 as a percentage with one digit after the point, or `-`.
  package static func percent(_ share: Double?) -> String {
    share.map { decimal(100 * $0, digits: 1) + " %" } ?? "-"
  }

  /// A number with so many digits after the point, or `-`.
  package static func decimal(_ value: Double?, digits: Int) -> String {
    guard let value else { return "-" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 1e15 else { return "\(value)" }
    let whole = Int(scaled.magnitude)
    let unit = Int(scale)
    let sign = scaled < 0 ? "-" : ""
    if digits == 0 { return sign + "\(whole)" }
    return sign + "\(whole / unit)." + Digits.padded(whole % unit, to: digits)
  }

  /// A small share as a percentage with the digits it takes to tell it from 0, at most 6.
  package static func smallPercent(_ share: Double) -> String {
    var (digits, scaled) = (1, 1000 * share)
    while share > 0, digits < 6, scaled <= 0.95 { (digits, scaled) = (digits + 1, 10 * scaled) }
    return decimal(100 * share, digits: digits) + " %"
  }

  /// Two different shares with as many digits as it takes to tell them apart, at most 6.
  package static func apart(_ first: Double, _ second: Double) -> (String, String) {
    let texts = (1...6).map { digits in
      [first, second].map { decimal(100 * $0, digits: digits) + " %" }
    }
    let found = texts.first { $0[0] != $0[1] } ?? texts[0]
    return (found[0], found[1])
  }

  /// Both ends of the interval of a share.
  static func interval(_ ends: [Double]) -> String {
    ends.count == 2 ? "\(decimal(100 * ends[0], digits: 1)) to \(percent(ends[1]))" : "-"
  }

  /// How far apart two shares of 1 are, in percentage points without a sign.
  static func points(_ difference: Double) -> String {
    decimal((100 * difference).magnitude, digits: 1)
  }

  /// Odds given by their logarithm, such as "20 : 1" or "1 : 3.5".
  static func odds(_ logarithm: Double) -> String {
    let ratio = exp(min(logarithm.magnitude, 700))
    let text = ratio >= 1e6 ? "over a million" : decimal(ratio, digits: ratio < 10 ? 1 : 0)
    return logarithm < 0 ? "1 : \(text)" : "\(text) : 1"
  }

  /// "1 photo", "2 photos".
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
