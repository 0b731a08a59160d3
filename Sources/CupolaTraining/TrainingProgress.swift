internal import Cupola

/// How far a training is.
public struct TrainingProgress: Equatable, Sendable {
  /// What is being done, in order.
  public enum Step: Int, CaseIterable, Sendable {
    /// Learning from some photos what the features need.
    case learningFeatures
    /// Describing the photos, or reading from the cache what was described before.
    case describingPhotos
    /// Fits that hold photos out: to choose settings, and to learn how far answers can be believed.
    case choosingSettings
    /// Fits that leave buildings out, to tell unknown ones.
    case leavingBuildingsOut
    /// The fit to all photos, and what rounding its weights changes.
    case fitting
  }

  /// What is being done.
  public let step: Step
  /// How much of it is done: photos or fits.
  public let done: Int
  /// How much there is to do.
  public let total: Int
}

/// Tells of the steps of a training one after the other.
struct StepProgress: Sendable {
  let report: (@Sendable (TrainingProgress) -> Void)?

  /// Says that a step begins.
  ///
  /// - Returns: to be told of how much more is done.
  func begin(_ step: TrainingProgress.Step, of total: Int) -> @Sendable (Int) -> Void {
    let counter = Locked(0)
    let report = report
    report?(TrainingProgress(step: step, done: 0, total: total))
    return { more in
      counter.withLock { done in
        done = min(total, done + more)
        report?(TrainingProgress(step: step, done: done, total: total))
      }
    }
  }
}
