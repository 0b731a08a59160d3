import CupolaTraining

/// What many runs of one thing took, in milliseconds.
struct BenchmarkTimes {
  private let latency: Latency
  let sum: Double

  /// - Parameter milliseconds: one a run, at least one.
  init(_ milliseconds: [Double]) {
    guard let latency = Latency(milliseconds) else { preconditionFailure("no runs") }
    self.latency = latency
    sum = milliseconds.reduce(0, +)
  }

  var median: Double { latency.median }

  /// The least time that 95 % of the runs took no longer than.
  var percentile95: Double { latency.percentile95 }
}
