public import Cupola

// 1. `TrainingProgress` reports each step while a training runs.
// 2. `TrainingResult` holds the model and what is said about its training.
// 3. `Trainer.provenance` writes into the model where it comes from.

/// A trained model, and what there is to say about its training.
public struct TrainingResult: Sendable {
  /// The model.
  public let model: Model
  /// Photos that could not be used.
  public let skipped: [SkippedFile]
  /// Photos that were used although their EXIF block is damaged.
  package let faults: [String]
  /// Whether the solver reached its tolerance, or of many photos the number of steps that is enough.
  package let converged: Bool
  package let iterations: Int
  /// What cross-validation found, one a setting; empty with too few sessions. Of many photos all settings were asked of
  /// the same part of them.
  package let trials: [Trial]
  /// What the setting that was chosen gave on all photos that were held out; `nil` with too few sessions.
  package let chosen: Trial?
  package let reused: Int
  package let described: Int
  /// What fewer bits a weight change; `nil` with 32, and with too few sessions.
  package let changedAnswers: Provenance.Rounding?
  /// Whether the calibration is that of the model that was updated.
  package internal(set) var keepsCalibration = false
  /// Whether ``trials`` tell of a part of the photos, and ``chosen`` alone of all that were held out.
  package internal(set) var triesPart = false
  /// Which buildings of the map the labels meant; `nil` without a map.
  package internal(set) var labelMatching: LabelMatching?

  package struct Trial: Sendable {
    package let settings: ClassifierSettings
    /// Share of the held-out photos of buildings that were named right, 0...1.
    package let accuracy: Double
    /// Mean negative log-likelihood of their labels after temperature scaling, in nats, 0 or more.
    package let loss: Double

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
      changedAnswers: changes)
    triesPart = search?.isOfPart ?? false
  }
}

/// How far a training is.
public struct TrainingProgress: Equatable, Sendable {
  /// What is being done, in order.
  package enum Step: Int, CaseIterable, Sendable {
    case learningFeatures
    /// Describing the photos, or reading from the cache what was described before.
    case describingPhotos
    /// Fits that hold photos out: to choose settings, and to learn how far answers can be believed.
    case choosingSettings
    case leavingBuildingsOut
    /// The fit to all photos, and what rounding its weights changes.
    case fitting
  }

  package let step: Step
  /// How much of it is done: photos or fits.
  public let done: Int
  /// How much there is to do.
  public let total: Int
  /// Which of the steps it is that this training takes, from 1 on.
  public let number: Int
  /// How many steps it takes, as far as is known.
  public let count: Int
}

struct StepProgress: Sendable {
  private let report: (@Sendable (TrainingProgress) -> Void)?
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

extension Trainer {
  func provenance(
    _ table: FeatureTable, _ settings: ClassifierSettings, _ recall: [String: Provenance.Recall]
  ) -> Provenance {
    var hash = SHA256()
    for row in table.rows {
      hash.update(Array("\(row.photo.label)\n\(row.digest)\n".utf8))
    }
    let source = Provenance.Source(dataDigest: hash.hexadecimal(), seed: seed)
    let digests = Dictionary(grouping: table.rows, by: \.photo.label)
      .mapValues { $0.map(\.digest) }
    let thumbnails = Dictionary(grouping: table.rows, by: \.photo.label)
      .mapValues { $0.compactMap(\.thumbnail) }
    let hashes = thumbnails.mapValues { PhotoHashes($0.map { PerceptualHash($0).hexadecimal }) }
    let middles = thumbnails.mapValues {
      PhotoHashes($0.compactMap { CropSearch.middle(of: $0)?.hexadecimal })
    }
    return Provenance(
      version: cupolaVersion, dataDigest: source.dataDigest, photos: digests.mapValues(\.count),
      photoDigests: digests.mapValues(PhotoDigests.init), photoHashes: hashes,
      photoMiddles: middles, captureDays: table.captureDays, seed: seed,
      regularization: settings.regularization, isRegularizationGiven: regularization != nil,
      whitening: settings.whitening, kernel: BLAS.kernel,
      featuresSource: featuresSource(besides: source), recall: recall)
  }

  private func featuresSource(besides own: Provenance.Source) -> Provenance.Source? {
    guard type(of: recipe.features.trainable).areLearned, let before = base?.provenance else {
      return nil
    }
    let source =
      before.featuresSource
      ?? Provenance.Source(dataDigest: before.dataDigest, seed: before.seed)
    return source == own ? nil : source
  }
}

extension FeatureTable {
  /// Of each building whose photos tell.
  var captureDays: [String: Int] {
    let photos = rows.filter { !Labels.isBackground($0.photo.label) }
    return Dictionary(grouping: photos, by: \.photo.label).compactMapValues { rows in
      CaptureTime.days(rows.map(\.metadata.capture))
    }
  }

  /// Photos whose EXIF block is damaged; they were used all the same.
  var faults: [String] {
    rows.filter { !$0.metadata.faults.isEmpty }.map(\.photo.name)
  }
}
