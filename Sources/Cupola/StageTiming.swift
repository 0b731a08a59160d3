/// How long the stages of one recognition took; a stage that did not run is absent.
package struct StageTiming: Equatable, Sendable {
  /// A step of the pipeline.
  package enum Stage: String, CaseIterable, Sendable {
    /// Reading the markers and EXIF.
    case metadata
    /// Asking the geofence.
    case geofence
    /// Decoding and turning upright.
    case decode
    /// Cropping and resizing.
    case prepare
    /// Luma and features.
    case features
    /// Logits, probabilities and the decision.
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

  /// By the place of the stage; less than 0 where it did not run.
  private var times = SIMD8<Double>(repeating: -1)

  package init(milliseconds: [Stage: Double] = [:]) {
    for (stage, time) in milliseconds { self[stage] = time }
  }

  /// Milliseconds by stage.
  package var milliseconds: [Stage: Double] {
    var times: [Stage: Double] = [:]
    for stage in Stage.allCases { times[stage] = self[stage] }
    return times
  }

  /// Milliseconds of a stage; `nil` when it did not run. A dictionary would take memory anew for each frame.
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
