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

  private var metadata: Double?
  private var geofence: Double?
  private var decode: Double?
  private var prepare: Double?
  private var features: Double?
  private var classify: Double?

  package init(milliseconds: [Stage: Double] = [:]) {
    for (stage, time) in milliseconds { self[stage] = time }
  }

  /// Milliseconds by stage.
  public var milliseconds: [Stage: Double] {
    var times: [Stage: Double] = [:]
    for stage in Stage.allCases { times[stage] = self[stage] }
    return times
  }

  /// Milliseconds of a stage; `nil` when it did not run. A dictionary would take memory anew for each frame.
  private(set) subscript(stage: Stage) -> Double? {
    get {
      switch stage {
      case .metadata: metadata
      case .geofence: geofence
      case .decode: decode
      case .prepare: prepare
      case .features: features
      case .classify: classify
      }
    }
    set {
      switch stage {
      case .metadata: metadata = newValue
      case .geofence: geofence = newValue
      case .decode: decode = newValue
      case .prepare: prepare = newValue
      case .features: features = newValue
      case .classify: classify = newValue
      }
    }
  }

  /// Runs a stage and adds its time.
  mutating func measure<Result, Failure: Error>(
    _ stage: Stage, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = ContinuousClock.now
    defer { self[stage] = (self[stage] ?? 0) + (ContinuousClock.now - start).milliseconds }
    return try body()
  }
}
