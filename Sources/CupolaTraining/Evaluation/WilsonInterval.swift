/// The interval that holds a share with 95 % confidence, given a count (Wilson, JASA 1927).
public struct WilsonInterval: Equatable, Sendable {
  /// The lower end, 0...1.
  public let lower: Double
  /// The upper end, 0...1.
  public let upper: Double

  /// The interval for so many successes among so many trials; 0...1 without trials.
  public init(successes: Int, of trials: Int) {
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
    // At 0 and 1 the end is exact, whatever rounding says.
    lower = successes == 0 ? 0 : max(0, center - spread)
    upper = successes == trials ? 1 : min(1, center + spread)
  }
}
