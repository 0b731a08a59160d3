public import Cupola
internal import Crypto

/// Trains a model from labelled photos: the whole bench, one line a step.
public struct Trainer: Sendable {
  /// From a photo to its features.
  public var recipe = Recipe.hog
  /// How photos are decoded.
  public var decoder = PhotoDecoder()
  /// The map to store in the model.
  public var campus: Campus?
  /// The inverse strength of regularisation; `nil` has it chosen by cross-validation.
  public var regularisation: Double?
  /// The seed of everything random.
  public var seed: UInt64 = 0
  /// Photos or folds worked on at a time; the model does not depend on it.
  public var threads = 1
  /// How the model file stores the classifier's weights.
  public var weightFormat = WeightFormat.float32
  /// The model that this one is made from, see ``init(updating:)``.
  var base: Model?
  /// Where features are kept for the next training; the model does not depend on it.
  public var cache: FeatureCache?

  /// The share of photos of buildings that may be refused.
  public static let falseRejectionBudget = 0.05

  /// A trainer with the usual settings.
  public init() {}

  /// Trains on photos and tells what came of each.
  ///
  /// Equal photos, settings and seed give equal models, whatever the number of threads.
  /// - Parameter progress: told how many photos have been read.
  /// - Throws: ``TrainingError`` when nothing can be learned from the photos;
  ///   ``CupolaError/badCampus(_:)`` when the map's coordinates are swapped.
  public func train(
    on photos: [LabelledPhoto], progress: (@Sendable (Int) -> Void)? = nil
  ) async throws -> TrainingResult {
    // Before any photo is read: nothing can be learned from one label.
    _ = try Self.labels(photos.map(\.label))
    let extractor = try await extractor(for: photos)
    let table = await FeatureTable(
      photos, recipe: recipe, extractor: extractor, decoder: decoder, cache: cache,
      threads: threads, progress: progress)
    cache?.trim()
    guard !table.rows.isEmpty else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    let labels = try Self.labels(table.rows.map(\.photo.label))
    try campus?.checkAxes(against: table.rows.compactMap(\.metadata.position))
    let targets = try targets(table, labels)
    let span = ExampleSpan(of: examples(in: table))
    let validation = await crossValidation(table, span, targets, labels)
    let settings = validation.best?.settings ?? defaultSettings
    let fit = ClassifierSettings.fits(
      [settings], span.coordinates,
      labels: targets.flatMap { [Int](repeating: $0, count: views) }, names: labels)[0]
    let model = Model(
      recipe: recipe, extractor: extractor, labels: labels,
      classifier: span.classifier(from: fit.classifier),
      calibration: calibration(validation, targets, labels), campus: campus,
      provenance: provenance(table, settings, validation.recall(labels: targets, names: labels))
    ).rounded(to: weightFormat)
    let check = RoundingCheck(
      span: span, views: views, testView: testView, targets: targets,
      folds: folds(table, targets), settings: settings)
    return TrainingResult(
      model: model, skipped: table.skipped, faults: table.faults, converged: fit.converged,
      iterations: fit.iterations, trials: validation.trials.map(TrainingResult.Trial.init),
      reused: table.rows.count(where: \.isReused), described: table.rows.count { !$0.isReused },
      changedAnswers: await check.changedAnswers(of: model, rows: table.rows, threads: threads))
  }

  private func extractor(for photos: [LabelledPhoto]) async throws -> FeatureExtractor {
    if let base { return base.extractor }
    switch recipe.features {
    case .hog(let hog): return FeatureExtractor(hog: hog)
    case .fisher(let settings):
      let fit = FisherFit(settings: settings, decoder: decoder, recipe: recipe)
      guard
        let fisher = await fit.extractor(for: photos, seed: seed, threads: threads, cache: cache)
      else { throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count) }
      return fisher
    }
  }

  /// What is tried, in order of preference: weak regularisation was as good or better on photos of
  /// other days on every set measured.
  private var candidates: [ClassifierSettings] {
    let whitenings: [Double?] =
      switch recipe.features {
      case .hog: [nil]
      case .fisher: [nil, 0.8, 0.5]
      }
    let strengths: [Double] = regularisation.map { [$0] } ?? [1000, 100, 10]
    return whitenings.flatMap { whitening in
      strengths.map { strength in
        ClassifierSettings(whitening: whitening, regularisation: strength)
      }
    }
  }

  /// Used when there are too few sessions to choose by cross-validation.
  private var defaultSettings: ClassifierSettings {
    switch recipe.features {
    case .hog: ClassifierSettings(whitening: nil, regularisation: regularisation ?? 100)
    case .fisher: ClassifierSettings(whitening: nil, regularisation: regularisation ?? 1000)
    }
  }

  private var views: Int { recipe.trainingGeometries.count }

  private var testView: Int { recipe.trainingGeometries.firstIndex(of: recipe.geometry) ?? 0 }

  private static func labels(_ names: [String]) throws -> Labels {
    let labels = Labels(Set(names).sorted())
    guard labels.names.count != 1 else { throw TrainingError.oneLabel(labels.names[0]) }
    guard !labels.buildings.isEmpty else { throw TrainingError.noBuildings }
    return labels
  }

  private func targets(_ table: FeatureTable, _ labels: Labels) throws -> [Int] {
    let index = Dictionary(uniqueKeysWithValues: labels.names.enumerated().map { ($1, $0) })
    return table.rows.compactMap { index[$0.photo.label] }
  }

  private func examples(in table: FeatureTable) -> Matrix {
    var values: [Float] = []
    values.reserveCapacity(table.rows.count * views * recipe.featureCount)
    for row in table.rows { values += row.features.halves ?? [] }
    return Matrix(rows: table.rows.count * views, columns: recipe.featureCount, values: values)
  }

  private func crossValidation(
    _ table: FeatureTable, _ span: ExampleSpan, _ targets: [Int], _ labels: Labels
  ) async -> CrossValidation {
    await CrossValidation(
      examples: span.coordinates, views: views, testView: testView, labels: targets, names: labels,
      folds: folds(table, targets), settings: candidates, threads: threads)
  }

  private func folds(_ table: FeatureTable, _ targets: [Int]) -> Folds {
    var generator = SplitMix64(seed: seed)
    return Folds(
      labels: targets, groups: Grouping.groups(of: table.rows), maximum: 5, using: &generator)
  }

  private func calibration(
    _ validation: CrossValidation, _ targets: [Int], _ labels: Labels
  ) -> Calibration {
    let truth = validation.photos.map { targets[$0] }
    guard let trial = validation.best else { return .identity }
    let probabilities = (0..<trial.logits.rows).map { row in
      Softmax.probabilities(
        Array(trial.logits.values[trial.logits.range(ofRow: row)]), temperature: trial.temperature)
    }
    let choice = RejectionThreshold.choose(
      probabilities: probabilities, truth: truth, names: labels,
      budget: Self.falseRejectionBudget)
    return Calibration(
      temperature: trial.temperature, threshold: choice?.threshold ?? 0,
      falseRejectionRate: choice?.falseRejectionRate)
  }

  private func provenance(
    _ table: FeatureTable, _ settings: ClassifierSettings, _ recall: [String: Provenance.Recall]
  ) -> Provenance {
    var hash = SHA256()
    for row in table.rows {
      hash.update(data: Array("\(row.photo.label)\n\(row.digest)\n".utf8))
    }
    let source = Provenance.Source(dataDigest: hash.finalize().hexadecimal, seed: seed)
    let digests = Dictionary(grouping: table.rows, by: \.photo.label)
      .mapValues { $0.map(\.digest) }
    return Provenance(
      version: cupolaVersion, dataDigest: source.dataDigest, photos: digests.mapValues(\.count),
      photoDigests: digests.mapValues(PhotoDigests.init), seed: seed,
      regularisation: settings.regularisation, isRegularisationGiven: regularisation != nil,
      whitening: settings.whitening, kernel: BLAS.kernel,
      featuresSource: featuresSource(besides: source), recall: recall)
  }

  private func featuresSource(besides own: Provenance.Source) -> Provenance.Source? {
    guard case .fisher = recipe.features, let before = base?.provenance else { return nil }
    let source =
      before.featuresSource
      ?? Provenance.Source(dataDigest: before.dataDigest, seed: before.seed)
    return source == own ? nil : source
  }
}

extension FeatureTable {
  /// Photos whose EXIF block is damaged; they were used all the same.
  fileprivate var faults: [String] {
    rows.filter { !$0.metadata.faults.isEmpty }.map(\.photo.name)
  }
}

/// A trained model, and what there is to say about its training.
public struct TrainingResult: Sendable {
  /// The model.
  public let model: Model
  /// Photos that could not be used.
  public let skipped: [SkippedFile]
  /// Photos that were used although their EXIF block is damaged.
  public let faults: [String]
  /// Whether the solver reached its tolerance.
  public let converged: Bool
  /// Steps that the solver took.
  public let iterations: Int
  /// What cross-validation found, one a setting; empty with too few sessions.
  public let trials: [Trial]
  /// Photos whose features came from the cache.
  public let reused: Int
  /// Photos whose features were computed.
  public let described: Int
  /// What fewer bits a weight change; `nil` with 32, and with too few sessions.
  public let changedAnswers: ChangedAnswers?

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
    /// Share of the held-out photos of buildings that were named right.
    public let accuracy: Double
    /// Mean negative log-likelihood after temperature scaling.
    public let loss: Double

    init(_ trial: CrossValidation.Trial) {
      settings = trial.settings
      accuracy = trial.accuracy
      loss = trial.loss
    }
  }
}
