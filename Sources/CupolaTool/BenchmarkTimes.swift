/// What many runs of one thing took, in milliseconds.
struct BenchmarkTimes {
  private let sorted: [Double]

  /// - Parameter milliseconds: one a run, at least one.
  init(_ milliseconds: [Double]) {
    precondition(!milliseconds.isEmpty, "no runs")
    sorted = milliseconds.sorted()
  }

  var median: Double { sorted[sorted.count / 2] }

  /// What 95 % of the runs took no longer than.
  var percentile95: Double { sorted[min(sorted.count - 1, sorted.count * 95 / 100)] }

  var sum: Double { sorted.reduce(0, +) }
}
