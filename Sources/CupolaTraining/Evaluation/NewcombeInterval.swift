/// The difference of two independent shares, and the interval that holds it with 95 % confidence
/// (Newcombe, Statistics in Medicine 1998, method 10: by the Wilson intervals of both).
struct NewcombeInterval: Equatable, Sendable {
  /// The first share less the second, -1...1.
  let difference: Double
  let lower: Double
  let upper: Double

  /// `nil` where either is a share of nothing.
  init?(_ first: (right: Int, asked: Int), minus second: (right: Int, asked: Int)) {
    guard first.asked > 0, second.asked > 0 else { return nil }
    let (p, q) = (
      Double(first.right) / Double(first.asked), Double(second.right) / Double(second.asked)
    )
    let a = WilsonInterval(successes: first.right, of: first.asked)
    let b = WilsonInterval(successes: second.right, of: second.asked)
    func root(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    difference = p - q
    lower = p - q - root(p - a.lower, b.upper - q)
    upper = p - q + root(a.upper - p, q - b.lower)
  }
}
