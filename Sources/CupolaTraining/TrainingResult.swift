public import Cupola

// 1. Report progress (`TrainingProgress`).
// 2. Return the model with details about its training (`TrainingResult`).
// 3. Record the provenance in the model (`Trainer.provenance`).

/// A trained model with details about its training.
public struct TrainingResult: Sendable {
  /// The trained model.
  public let model: Model
  /// Photos that could not be used.
  public let skipped: [SkippedFile]
  package let faults: [String]
  /// Whether the solver reached its tolerance or, for many photos, its fixed number of steps.
  package let converged: Bool
  package let iterations: Int
  /// The cross-validation result of each setting; empty if there are too few sessions.
  package let trials: [Trial]
  /// The chosen setting's result on all held-out photos; `nil` if there are too few sessions.
  package let chosen: Trial?
  /// The answers to held-out photos; `nil` if there are too few sessions.
  package let heldOut: HeldOutAnswers?
  package let reused: Int
  package let described: Int
  /// The effect of rounding the weights; `nil` if the weights have 32 bits or there are too few sessions.
  package let changedAnswers: Provenance.Rounding?
  /// Whether the calibration was copied from the updated model.
  package internal(set) var keepsCalibration = false
  /// Whether ``trials`` used a subset of the photos; ``chosen`` always covers all held-out photos.
  package internal(set) var searchesSubset = false
  package internal(set) var labelMatching: LabelMatching?

  package struct Trial: Sendable {
    package let settings: ClassifierSettings
    package let accuracy: Double
    /// The mean negative log-likelihood of held-out photos after temperature scaling, in nats.
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
    search: SettingsSearch?, heldOut: HeldOutAnswers?, changes: Provenance.Rounding?
  ) {
    self.init(
      model: model, skipped: table.skipped, faults: table.faults, converged: fit.converged,
      iterations: fit.iterations, trials: (search?.trials ?? []).map(Trial.init),
      chosen: search.flatMap { $0.trials.isEmpty ? nil : $0.chosen.map(Trial.init) },
      heldOut: heldOut,
      reused: table.rows.count(where: \.isReused), described: table.rows.count { !$0.isReused },
      changedAnswers: changes)
    searchesSubset = search?.isOfPart ?? false
  }
}

/// The progress of training.
public struct TrainingProgress: Equatable, Sendable {
  package enum Step: Int, CaseIterable, Sendable {
    case learningFeatures
    case describingPhotos
    case choosingSettings
    case scoringUnknownBuildings
    case fitting
  }

  package let step: Step
  /// The number of photos or fits completed in this step.
  public let done: Int
  /// The number of photos or fits in this step.
  public let total: Int
}

struct StepProgress: Sendable {
  let report: (@Sendable (TrainingProgress) -> Void)?

  /// Begins a step, or skips it if it is empty; call the returned function with each amount of completed work.
  func begin(_ step: TrainingProgress.Step, of total: Int) -> @Sendable (Int) -> Void {
    guard total > 0 else { return { _ in } }
    let counter = Locked(0)
    let report = report
    let news = { @Sendable done in TrainingProgress(step: step, done: done, total: total) }
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
  var captureDays: [String: Int] {
    let photos = rows.filter { !Labels.isBackground($0.photo.label) }
    return Dictionary(grouping: photos, by: \.photo.label).compactMapValues { rows in
      CaptureTime.days(rows.map(\.metadata.capture))
    }
  }

  var faults: [String] {
    rows.filter { !$0.metadata.faults.isEmpty }.map(\.photo.name)
  }
}
