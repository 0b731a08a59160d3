public import Cupola

// 1. Describe: photos become features (`DescribedPhotos`).
// 2. Select: cross-validation chooses the settings, and the classifier is fitted (`SettingsSearch`).
// 3. Calibrate: held-out photos give temperature, thresholds and weights of place (`CalibrationFit`,
//    `PlaceFit`).
// 4. The parts become a model, whose weights are rounded (`RoundingCheck`).

/// Trains a model from labeled photos: the whole bench, one line a step.
public struct Trainer: Sendable {
  /// From a photo to its features.
  public var recipe = Recipe.fisher(.balanced)
  /// Whether drawn pictures of no buildings train too; never with `hog`, which is the plain baseline.
  public var addsDrawnNegatives = true
  /// How photos are decoded.
  public var decoder = PhotoDecoder()
  /// The map to store in the model; a building that photos call by its name gets their label there.
  public var campus: Campus?
  /// How features become logits; `nil` is softmax, but of many photos of more buildings than
  /// `ClassifierKind.mostInSoftmax` the cheaper of those that held-out photos say are as good.
  public var classifier: ClassifierKind?
  /// Whether an updated retrieval model goes on remembering photos that are not given again.
  public var keepsOthers = false
  /// The inverse strength of regularization, 1e-12...1e12; `nil` has it chosen by cross-validation.
  public var regularization: Double?
  /// The seed of everything random.
  public var seed: UInt64 = 0
  /// Photos or folds worked on at a time; the model does not depend on it.
  public var threads = 1
  /// How the model file stores the classifier's weights.
  public var weightFormat = WeightFormat.float32
  /// How much work goes into each photo; `nil` is by their number.
  var scale: TrainingScale?
  /// The model that this one is made from, see ``init(updating:)``.
  var base: Model?
  /// Where features are kept for the next training; the model does not depend on it.
  public var cache: FeatureCache?

  /// A trainer with the usual settings.
  public init() {}

  /// A trainer that goes on from a model: for photos of which most trained it before.
  ///
  /// What the model's features learned is kept, and so are its map, its seed, its format of weights,
  /// its regularization if that was given, and whether drawn photos train it. Only the classifier, the
  /// calibration and the threshold are fitted anew. With a cache, only photos that are new to it are
  /// described. Equal photos give the same model again, byte for byte.
  public init(updating model: Model) {
    self.init()
    base = model
    recipe = model.recipe
    addsDrawnNegatives = model.labels.names.contains(DrawnPhotos.label)
    campus = model.campus
    seed = model.provenance.seed
    classifier = model.classifierKind
    weightFormat = model.weightFormat
    if model.provenance.isRegularizationGiven { regularization = model.provenance.regularization }
  }

  /// Trains on photos and tells what came of each.
  ///
  /// Equal photos, settings and seed give equal models, whatever the number of threads.
  ///
  /// - Parameters:
  ///   - photos: with their labels.
  ///   - progress: told of every step, and of every photo and fit. Whether the task is canceled is asked before
  ///     each photo and each step of a fit.
  /// - Throws: ``TrainingError`` when nothing can be learned from the photos, when the map's coordinates
  ///   are swapped, or when the task is canceled.
  public func train(
    on photos: [LabeledPhoto], progress: (@Sendable (TrainingProgress) -> Void)? = nil
  ) async throws(TrainingError) -> TrainingResult {
    try await Self.typed {
      try Self.checkNames(of: photos)
      try BLAS.load()
      return try await joiningMap(to: photos.map(\.label)) { trainer in
        if let (base, retrieval) = trainer.remembering {
          let steps = StepProgress([.describingPhotos], report: progress)
          return try await trainer.result(remembering: photos, in: base, retrieval, steps)
        }
        let steps = StepProgress(trainer.steps, report: progress)
        return try await trainer.result(
          of: try await DescribedPhotos(photos, for: trainer, steps), steps)
      }
    }
  }

  /// Trains on photos that were described before, by one machine or many.
  ///
  /// The model is the same, byte for byte, for any number of shards, and the same that
  /// ``train(on:progress:)`` makes of the photos. Recipe, seed and scale are those of the shards.
  /// - Throws: ``TrainingError`` as that does.
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
        let steps = StepProgress(trainer.steps, report: progress)
        return try await trainer.result(
          of: try await DescribedPhotos(shards, for: trainer, steps), steps)
      }
    }
  }

  var steps: [TrainingProgress.Step] {
    let leavesOut = type(of: recipe.features.trainable).areLearned
    return TrainingProgress.Step.allCases.filter { leavesOut || $0 != .leavingBuildingsOut }
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
    var problem = SettingsSearch.Problem(described, labels: labels, groups: groups, for: self)
    problem.isDone = steps.begin(
      .choosingSettings,
      of: SettingsSearch.units(of: problem, regularization: regularization, seed: seed))
    let search = await SettingsSearch.find(
      table.examples(recipe), problem, regularization: regularization, seed: seed)
    try check(table)
    let photos = table.order(for: search.settings.classifier)
    // Beside the next step, of which it needs nothing, where memory allows; told as done in its own.
    let settled = problem
    async let early = settled.fitsAtOnce(search) ? Self.fit(search, settled, photos) : nil
    problem.isDone = steps.begin(.leavingBuildingsOut, of: LeaveBuildingsOut.units(of: problem))
    let fitted = await CalibrationFit(search, problem, seed: seed)
    let isDone = steps.begin(.fitting, of: problem.scale.unitsOfFit + 1)
    let ready = await early
    if ready != nil { isDone(problem.scale.unitsOfFit) }
    let fit = ready ?? Self.fit(search, problem, photos, isDone: isDone)
    let completion = fitted?.completion ?? FitCompletion(trained: labels)
    var model = self.model(
      described, problem, search, classifier: fit.classifier, calibrated: fitted,
      completion: completion)
    let changes = await RoundingCheck(
      span: search.span, examples: search.examples, problem: problem,
      fits: search.chosen?.classifiers.compactMap(\.linear) ?? [], completion: completion
    ).changes(of: model)
    isDone(1)
    try check(table)
    for (format, change) in changes { model.provenance.rounding[format.rawValue] = change }
    return TrainingResult(
      model, table: table, fit: fit, search: search, changes: changes[weightFormat])
  }

  private func model(
    _ described: DescribedPhotos, _ problem: SettingsSearch.Problem, _ search: SettingsSearch,
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
      place: PlaceFit(described.table, problem, labels: completion.names, campus: campus)
        .model(search, calibrated),
      provenance: provenance(
        described.table, search.settings,
        search.recall(labels: problem.labels, names: problem.names))
    ).rounded(to: weightFormat)
  }

  private static func fit(
    _ search: SettingsSearch, _ problem: SettingsSearch.Problem, _ photos: [Int],
    isDone: (@Sendable (Int) -> Void)? = nil
  ) -> ClassifierFit {
    problem.examples(search.span.coordinates)
      .fits([search.settings], to: photos, isDone: isDone)[0]
  }

  private func check(_ table: FeatureTable) throws {
    try Task.checkCancellation()
    try table.failures.check()
  }

  var drawnNegatives: Int { usesDrawnNegatives ? DrawnPhotos.count : 0 }

  var usesDrawnNegatives: Bool {
    addsDrawnNegatives && type(of: recipe.features.trainable).usesDrawnNegatives
  }

  /// Where no photo at all can be held out.
  private var uncalibrated: Calibration {
    Calibration(temperature: type(of: recipe.features.trainable).usualTemperature)
  }

  /// With the weight of color that the extractor has.
  func recipe(of extractor: FeatureExtractor) -> Recipe {
    var recipe = recipe
    recipe.features = extractor.settings
    return recipe
  }

  /// Labels that stand for something of Cupola's own.
  package static let ownLabels = DrawnPhotos.labels.union([Labels.unfamiliar])

  /// Refuses names of folders or of a table that would be taken for labels of Cupola's own.
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
  /// Trains with a map whose buildings have the labels of the photos that mean them, see `LabelMatching`: else each would
  /// compete with itself.
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
