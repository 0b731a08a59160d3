public import Cupola

/// A trained model, and what there is to say about its training.
public struct TrainingResult: Sendable {
  /// The model.
  public let model: Model
  /// Photos that could not be used.
  public let skipped: [SkippedFile]
  /// Photos that were used although their EXIF block is damaged.
  public let faults: [String]
  /// Whether the solver reached its tolerance, or of many photos the number of steps that is enough.
  public let converged: Bool
  /// Steps that the solver took.
  public let iterations: Int
  /// What cross-validation found, one a setting; empty with too few sessions. Of many photos all settings were asked of
  /// the same part of them.
  public let trials: [Trial]
  /// What the setting that was chosen gave on all photos that were held out; `nil` with too few sessions.
  public let chosen: Trial?
  /// Photos whose features came from the cache.
  public let reused: Int
  /// Photos whose features were computed.
  public let described: Int
  /// What fewer bits a weight change; `nil` with 32, and with too few sessions.
  public let changedAnswers: ChangedAnswers?
  /// Whether the calibration is that of the model that was updated.
  public internal(set) var keepsCalibration = false
  /// Whether ``trials`` tell of a part of the photos, and ``chosen`` alone of all that were held out.
  package internal(set) var triesPart = false
  /// Which buildings of the map the labels meant; `nil` without a map.
  package internal(set) var labelMatching: LabelMatching?

  /// Photos that the fits did not see and that rounded weights give another answer.
  public struct ChangedAnswers: Equatable, Sendable {
    /// With another answer.
    public let changed: Int
    /// Asked about.
    public let asked: Int
  }

  /// What one setting gave on photos that the fits did not see.
  public struct Trial: Sendable {
    /// The setting.
    public let settings: ClassifierSettings
    /// Share of the held-out photos of buildings that were named right, 0...1.
    public let accuracy: Double
    /// Mean negative log-likelihood of their labels after temperature scaling, in nats, 0 or more.
    public let loss: Double

    init(_ trial: CrossValidation.Trial) {
      settings = trial.settings
      accuracy = trial.accuracy
      loss = trial.loss
    }
  }
}

extension TrainingResult {
  init(
    _ model: Model, table: FeatureTable, fit: ClassifierFit,
    search: SettingsSearch?, changes: Provenance.Rounding?
  ) {
    self.init(
      model: model, skipped: table.skipped, faults: table.faults, converged: fit.converged,
      iterations: fit.iterations, trials: (search?.trials ?? []).map(Trial.init),
      chosen: search.flatMap { $0.trials.isEmpty ? nil : $0.chosen.map(Trial.init) },
      reused: table.rows.count(where: \.isReused), described: table.rows.count { !$0.isReused },
      changedAnswers: changes.map { ChangedAnswers(changed: $0.changed, asked: $0.asked) })
    triesPart = search?.isOfPart ?? false
  }
}

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
