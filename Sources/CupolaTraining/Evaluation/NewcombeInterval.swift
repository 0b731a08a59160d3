/// The difference of two independent shares, and the interval that holds it with 95 % confidence
/// (Newcombe, Statistics in Medicine 1998, method 10: by the Wilson intervals of both).
struct NewcombeInterval: Equatable, Sendable {
  /// The first share less the second, -1...1.
  let difference: Double
  let lower: Double
  let upper: Double

  /// `nil` where either is a share of nothing.
  init?(_ first: Share, minus second: Share) {
    guard let p = first.accuracy, let q = second.accuracy else { return nil }
    let (a, b) = (first.interval, second.interval)
    func root(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    difference = p - q
    lower = p - q - root(p - a.lower, b.upper - q)
    upper = p - q + root(a.upper - p, q - b.lower)
  }
}
