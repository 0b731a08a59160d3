public import Cupola

// 1. Describe: compute the features of the photos (`DescribedPhotos`).
// 2. Select: choose the settings by cross-validation and fit the classifier (`SettingsSearch`).
// 3. Calibrate: fit temperature, thresholds and position weights to held-out photos (`CalibrationFit`, `PlaceFit`).
// 4. Assemble the model and round its weights (`RoundingCheck`).

/// Trains a model from labeled photos.
public struct Trainer: Sendable {
  /// How a photo is converted to a feature vector.
  public var recipe = Recipe.fisher(.balanced)
  /// Whether to train with drawn non-building images as well; ignored for `hog`, the baseline.
  public var addsDrawnNegatives = true
  /// The decoder of the photos.
  public var decoder = PhotoDecoder()
  /// The map to store in the model; its buildings get the labels of the photos if their names match.
  public var campus: Campus?
  /// The kind of classifier; `nil` chooses one automatically.
  ///
  /// The automatic choice is softmax. If there are many photos and more than `ClassifierKind.mostInSoftmax` buildings,
  /// it is retrieval if that is as accurate on held-out photos.
  package var classifier: ClassifierKind?
  /// Whether to keep photos that are missing from the new training set when updating a retrieval model.
  public var keepsOthers = false
  /// Whether to store the mean features of the buildings, with which the model detects unknown buildings.
  ///
  /// They take about 5 MB. Without them, images that resemble no building are detected less well. Only models with
  /// learned features and the softmax classifier have them.
  public var detectsNovelty = true
  /// The expected fraction of photos that show unknown buildings, between 0 and 1 (exclusive).
  ///
  /// It determines how readily the model names a building: the cost of wrong and missing names is lowest for this fraction.
  public var unknownVisits = Thresholds.unknownVisits
  /// The inverse regularization strength, 1e-12...1e12; `nil` chooses it by cross-validation.
  public var regularization: Double?
  /// The seed of all random choices.
  public var seed: UInt64 = 0
  /// The number of photos or folds to process concurrently; the model does not depend on it.
  public var threads = 1
  /// The number format of the classifier's weights in the model file.
  public var weightFormat = WeightFormat.float32
  /// Whether to limit the work per photo; `nil` decides by the number of photos.
  var scale: TrainingScale?
  var base: Model?
  /// The cache of feature vectors; the model does not depend on it.
  public var cache: FeatureCache?

  /// Creates a trainer with default settings.
  public init() {}

  /// Creates a trainer that updates a model, for training sets that differ only slightly from the model's.
  ///
  /// Training refits only the classifier, its calibration and thresholds. It keeps the features, map, seed, weight
  /// format, an explicitly set regularization, and the use of drawn images. With a cache, features are computed only
  /// for new photos.
  public init(updating model: Model) {
    self.init()
    base = model
    recipe = model.recipe
    addsDrawnNegatives = model.labels.names.contains(DrawnPhotos.label)
    campus = model.campus
    seed = model.provenance.seed
    classifier = model.classifierKind
    weightFormat = model.weightFormat
    detectsNovelty = model.novelty != nil || model.labels.unfamiliar == nil
    unknownVisits = model.calibration.unknownVisits ?? unknownVisits
    if model.provenance.isRegularizationGiven { regularization = model.provenance.regularization }
  }

  /// Trains a model; the same photos, settings and seed produce the same model for any number of threads.
  ///
  /// - Parameters:
  ///   - photos: The labeled photos.
  ///   - progress: Called after every step, photo and fit.
  /// - Throws: ``TrainingError`` if the photos are not suitable for training, the map's coordinates are swapped, or the
  ///   task is canceled. Cancellation is checked before each photo and each solver step.
  public func train(
    on photos: [LabeledPhoto], progress: (@Sendable (TrainingProgress) -> Void)? = nil
  ) async throws(TrainingError) -> TrainingResult {
    try await Self.typed {
      try Self.checkNames(of: photos)
      try BLAS.load()
      return try await joiningMap(to: photos.map(\.label)) { trainer in
        if let (base, retrieval) = trainer.updatedRetrieval {
          let steps = StepProgress(report: progress)
          return try await trainer.result(updating: photos, in: base, retrieval, steps)
        }
        let steps = StepProgress(report: progress)
        return try await trainer.result(
          of: try await DescribedPhotos(photos, for: trainer, steps), steps)
      }
    }
  }

  /// Trains a model on photo features that were computed earlier, on one or more machines.
  ///
  /// The model is byte-identical to that of ``train(on:progress:)`` with the same photos, for any number of shards. The
  /// shards determine recipe, seed and scale.
  /// - Throws: ``TrainingError``, for the same reasons as ``train(on:progress:)``.
  public func train(
    on shards: FeatureShards, progress: (@Sendable (TrainingProgress) -> Void)? = nil
  ) async throws(TrainingError) -> TrainingResult {
    var trainer = self
    trainer.recipe = shards.plan.recipe
    trainer.seed = shards.plan.seed
    trainer.decoder = shards.plan.decoder
    let own = trainer
    return try await Self.typed {
      try Self.checkNames(of: shards.rows.map(\.photo))
      try BLAS.load()
      return try await own.joiningMap(to: shards.rows.map(\.photo.label)) { trainer in
        let steps = StepProgress(report: progress)
        return try await trainer.result(
          of: try await DescribedPhotos(shards, for: trainer, steps), steps)
      }
    }
  }

  static func typed<Result>(
    _ body: () async throws -> Result
  ) async throws(TrainingError) -> Result {
    do {
      return try await body()
    } catch let error as TrainingError {
      throw Task.isCancelled ? .canceled : error
    } catch let error as CampusError {
      throw .badCampus(error)
    } catch let error as CupolaError {
      throw .unusable(error)
    } catch {
      throw .canceled
    }
  }

  func result(
    of described: DescribedPhotos, _ steps: StepProgress
  ) async throws -> TrainingResult {
    let table = described.table
    let labels = try Self.labels(table.rows.map(\.photo.label))
    try campus?.checkAxes(against: table.rows.compactMap(\.metadata.position))
    let groups = await Grouping.groups(of: table.rows.map(\.traits), threads: threads)
    var input = SettingsSearch.Input(described, labels: labels, groups: groups, for: self)
    input.isDone = steps.begin(
      .choosingSettings,
      of: SettingsSearch.units(of: input, regularization: regularization, seed: seed))
    let search = await SettingsSearch.find(
      table.examples(recipe), input, regularization: regularization, seed: seed)
    try check(table)
    let photos = table.order(for: search.settings.classifier)
    // Fit concurrently with the calibration if memory allows; progress is reported as a separate step.
    let settled = input
    async let early = settled.fitsAtOnce(search) ? Self.fit(search, settled, photos) : nil
    input.isDone = steps.begin(.scoringUnknownBuildings, of: LeaveBuildingsOut.units(of: input))
    let fitted = await CalibrationFit(search, input, seed: seed)
    let isDone = steps.begin(.fitting, of: input.scale.unitsOfFit + 1)
    let ready = await early
    if ready != nil { isDone(input.scale.unitsOfFit) }
    let fit = ready ?? Self.fit(search, input, photos, isDone: isDone)
    let completion = fitted?.completion ?? FitCompletion(trained: labels)
    var model = self.model(
      described, input, search, classifier: fit.classifier, calibrated: fitted,
      completion: completion)
    if let rule = completion.novelty {
      model.novelty = NoveltyFit.detector(input, search.examples, rule: rule)
    }
    let changes = await RoundingCheck(
      span: search.span, examples: search.examples, input: input,
      fits: search.chosen?.classifiers.compactMap(\.linear) ?? [], completion: completion
    ).changes(of: model)
    isDone(1)
    try check(table)
    for (format, change) in changes { model.provenance.rounding[format.rawValue] = change }
    return TrainingResult(
      model, table: table, fit: fit, search: search, heldOut: fitted?.heldOut,
      changes: changes[weightFormat])
  }

  private func model(
    _ described: DescribedPhotos, _ input: SettingsSearch.Input, _ search: SettingsSearch,
    classifier: Classifier, calibrated: CalibrationFit?, completion: FitCompletion
  ) -> Model {
    let weighed = described.extractor.weighing(color: search.settings.colorWeight)
    let overFeatures = classifier.replacingFront {
      search.span.classifier(from: $0, over: search.examples)
    }
    return Model(
      recipe: recipe(of: weighed), extractor: weighed, labels: completion.names,
      classifier: completion.completed(overFeatures),
      calibration: calibrated?.calibration ?? uncalibrated, campus: campus,
      place: PlaceFit(described.table, input, labels: completion.names, campus: campus)
        .model(search, calibrated),
      provenance: provenance(
        described.table, search.settings,
        search.recall(labels: input.labels, names: input.names))
    ).rounded(to: weightFormat)
  }

  private static func fit(
    _ search: SettingsSearch, _ input: SettingsSearch.Input, _ photos: [Int],
    isDone: (@Sendable (Int) -> Void)? = nil
  ) -> ClassifierFit {
    input.examples(search.span.coordinates)
      .fits([search.settings], to: photos, isDone: isDone)[0]
  }

  private func check(_ table: FeatureTable) throws {
    try Task.checkCancellation()
    try table.failures.check()
  }

  /// The number of rendered images whose features are computed with those of the photos.
  package var describedDrawings: Int { updatedRetrieval == nil ? drawnNegatives : 0 }

  var drawnNegatives: Int { usesDrawnNegatives ? DrawnPhotos.count : 0 }

  var usesDrawnNegatives: Bool {
    addsDrawnNegatives && type(of: recipe.features.trainable).usesDrawnNegatives
  }

  private var uncalibrated: Calibration {
    Calibration(temperature: type(of: recipe.features.trainable).usualTemperature)
  }

  func recipe(of extractor: FeatureExtractor) -> Recipe {
    var recipe = recipe
    recipe.features = extractor.settings
    return recipe
  }

  /// Labels reserved for internal use.
  package static let ownLabels = DrawnPhotos.labels.union([Labels.unfamiliar])

  static func checkNames(of photos: [LabeledPhoto]) throws {
    if let photo = photos.first(where: { ownLabels.contains($0.label) }) {
      throw TrainingError.reservedLabel(photo.label)
    }
  }

  static func labels(_ names: [String]) throws -> Labels {
    let labels = Labels(Set(names).sorted())
    guard labels.names.count != 1 else { throw TrainingError.oneLabel(labels.names[0]) }
    guard !labels.buildings.isEmpty else { throw TrainingError.noBuildings }
    return labels
  }
}

extension Trainer {
  /// Trains with a map whose buildings have the labels of the matching photos (`LabelMatching`).
  ///
  /// Otherwise, the same building would have two labels and compete with itself.
  func joiningMap(
    to labels: [String], _ training: (Trainer) async throws -> TrainingResult
  ) async throws -> TrainingResult {
    guard let campus else { return try await training(self) }
    let kept = keepsOthers ? base?.labels.names ?? [] : []
    let matching = LabelMatching(labels + kept, campus.buildings)
    var trainer = self
    trainer.campus = campus.joined(by: matching)
    var result = try await training(trainer)
    result.labelMatching = matching
    return result
  }
}
