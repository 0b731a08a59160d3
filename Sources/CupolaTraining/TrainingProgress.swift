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
  /// Which of the steps it is that this training takes, from 1 on, and how many these are as far as is known.
  package let number: Int
  package let count: Int
}

/// Tells of the steps of a training one after the other.
struct StepProgress: Sendable {
  private let report: (@Sendable (TrainingProgress) -> Void)?
  /// Those that the training takes.
  private let steps: Locked<[TrainingProgress.Step]>

  init(
    _ steps: [TrainingProgress.Step], report: (@Sendable (TrainingProgress) -> Void)?
  ) {
    (self.steps, self.report) = (Locked(steps), report)
  }

  /// Says that a step begins; one of nothing is left out.
  ///
  /// - Returns: to be told of how much more is done.
  func begin(_ step: TrainingProgress.Step, of total: Int) -> @Sendable (Int) -> Void {
    let steps = steps.withLock { steps in
      if total == 0 { steps.removeAll { $0 == step } }
      return steps
    }
    guard let place = steps.firstIndex(of: step) else { return { _ in } }
    let counter = Locked(0)
    let report = report
    let news = { @Sendable done in
      TrainingProgress(
        step: step, done: done, total: total, number: place + 1, count: steps.count)
    }
    report?(news(0))
    return { more in
      counter.withLock { done in
        done = min(total, done + more)
        report?(news(done))
      }
    }
  }
}
