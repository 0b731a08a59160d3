/// How long the stages of one recognition took; a stage that did not run is absent.
public struct StageTiming: Equatable, Sendable {
  /// A step of the pipeline.
  public enum Stage: String, CaseIterable, Sendable {
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
  }

  /// Milliseconds by stage.
  public private(set) var milliseconds: [Stage: Double] = [:]

  package init(milliseconds: [Stage: Double] = [:]) { self.milliseconds = milliseconds }

  /// Runs a stage and adds its time.
  mutating func measure<Result, Failure: Error>(
    _ stage: Stage, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = ContinuousClock.now
    defer {
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      let elapsed = Double(seconds) * 1e3 + Double(attoseconds) * 1e-15
      milliseconds[stage, default: 0] += elapsed
    }
    return try body()
  }
}
