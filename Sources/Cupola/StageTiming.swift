/// The time spent in each stage of one recognition. Skipped stages have no time.
package struct StageTiming: Equatable, Sendable {
  package enum Stage: String, CaseIterable, Sendable {
    /// Reading markers and EXIF.
    case metadata
    case geofence
    /// Decoding and rotating upright.
    case decode
    case prepare
    /// Computing luma and features.
    case features
    /// Computing logits, probabilities, and the answer.
    case classify

    fileprivate var place: Int {
      switch self {
      case .metadata: 0
      case .geofence: 1
      case .decode: 2
      case .prepare: 3
      case .features: 4
      case .classify: 5
      }
    }
  }

  /// Times in milliseconds, indexed by stage; negative if the stage was skipped.
  private var times = SIMD8<Double>(repeating: -1)

  package init(milliseconds: [Stage: Double] = [:]) {
    for (stage, time) in milliseconds { self[stage] = time }
  }

  package var milliseconds: [Stage: Double] {
    var times: [Stage: Double] = [:]
    for stage in Stage.allCases { times[stage] = self[stage] }
    return times
  }

  /// The milliseconds spent in a stage; `nil` if skipped. Unlike a dictionary, allocates no memory per frame.
  private(set) subscript(stage: Stage) -> Double? {
    get { times[stage.place] < 0 ? nil : times[stage.place] }
    set { times[stage.place] = newValue ?? -1 }
  }

  mutating func measure<Result, Failure: Error>(
    _ stage: Stage, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = ContinuousClock.now
    defer { self[stage] = (self[stage] ?? 0) + (ContinuousClock.now - start).milliseconds }
    return try body()
  }
}

extension Duration {
  package var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15
  }
}
