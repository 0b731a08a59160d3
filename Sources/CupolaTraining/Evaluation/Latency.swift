internal import Cupola

/// How long answers took, by stage, in milliseconds.
public struct Latency: Equatable, Sendable {
  /// The median, milliseconds.
  public let median: Double
  /// The least time within which 95 % of the photos were done (nearest rank), milliseconds.
  public let percentile95: Double

  /// `nil` without times.
  package init?(_ times: [Double]) {
    guard !times.isEmpty else { return nil }
    let sorted = times.sorted()
    func rank(_ share: Double) -> Double {
      sorted[min(max(Int((share * Double(sorted.count)).rounded(.up)) - 1, 0), sorted.count - 1)]
    }
    median = rank(0.5)
    percentile95 = rank(0.95)
  }

  /// Of every stage that ran, in the order of the pipeline, and of all together, named `total`.
  public static func byStage(_ answers: [Evaluation.Answer]) -> [(stage: String, latency: Latency)]
  {
    let times = answers.map(\.facts.milliseconds).filter { !$0.isEmpty }
    var stages = StageTiming.Stage.allCases.compactMap { stage in
      Latency(times.compactMap { $0[stage] }).map { (stage: stage.rawValue, latency: $0) }
    }
    if let total = Latency(times.map { $0.values.reduce(0, +) }) { stages.append(("total", total)) }
    return stages
  }
}
