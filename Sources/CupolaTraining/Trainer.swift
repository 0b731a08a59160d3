public import Cupola

/// Trains a model from labeled photos: the whole bench, one line a step.
public struct Trainer: Sendable {
  /// From a photo to its features.
  public var recipe = Recipe.fisher(.balanced)
  /// Whether ``DrawnPhotos`` train too; never with `hog`, which is the plain baseline.
  public var addsDrawnNegatives = true
  /// How photos are decoded.
  public var decoder = PhotoDecoder()
  /// The map to store in the model.
  public var campus: Campus?
  /// The inverse strength of regularization; `nil` has it chosen by cross-validation.
  public var regularization: Double?
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

  /// A trainer with the usual settings.
  public init() {}

  /// Trains on photos and tells what came of each.
  ///
  /// Equal photos, settings and seed give equal models, whatever the number of threads.
  /// - Parameter progress: told how many photos have been read, the drawn ones among them.
  /// Whether the task is canceled is asked before each photo and each step of a fit.
  /// - Throws: ``TrainingError`` when nothing can be learned from the photos, when the map's coordinates
  ///   are swapped, or when the task is canceled.
  public func train(
    on photos: [LabeledPhoto], progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(TrainingError) -> TrainingResult {
    do {
      return try await result(of: photos, progress: progress)
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

  private func result(
    of photos: [LabeledPhoto], progress: (@Sendable (Int) -> Void)?
  ) async throws -> TrainingResult {
    let all = photos + (usesDrawnNegatives ? try DrawnPhotos.all() : [])
    // Before any photo is read: nothing can be learned from one label.
    _ = try Self.labels(all.map(\.label))
    // Whatever weight was chosen before or is asked for: the search starts from the usual one, and the
    // cache serves all.
    let extractor = try await extractor(for: photos)
      .weighing(color: recipe.features.usualWeight)
    let table = await FeatureTable(
      all, recipe: recipe(of: extractor), extractor: extractor, decoder: decoder, cache: cache,
      threads: threads, progress: progress)
    cache?.trim()
    guard !table.rows.isEmpty else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    let labels = try Self.labels(table.rows.map(\.photo.label))
    try campus?.checkAxes(against: table.rows.compactMap(\.metadata.position))
    try Task.checkCancellation()
    let targets = try targets(table, labels)
    let groups = await Grouping.groups(of: table.rows.map(\.traits), threads: threads)
    let folds = folds(targets, groups)
    let problem = SettingsSearch.Problem(
      features: extractor.settings, views: table.views(recipe), labels: targets, names: labels,
      folds: folds, threads: threads,
      searchedViews: recipe.mirrorsTraining ? recipe.trainingGeometries.count : nil)
    let search = await SettingsSearch(
      examples: table.examples(recipe), problem: problem, regularization: regularization)
    let fit = problem.examples(search.span.coordinates)
      .fits([search.settings], to: Array(targets.indices))[0]
    let fitted = await calibration(search, problem)
    let overFeatures = search.span.classifier(from: fit.classifier, over: search.examples)
    let completion = fitted?.completion ?? FitCompletion(trained: labels)
    let weighed = extractor.weighing(color: search.settings.colorWeight)
    var model = Model(
      recipe: recipe(of: weighed), extractor: weighed, labels: completion.names,
      classifier: completion.completed(overFeatures),
      calibration: fitted?.calibration ?? uncalibrated, campus: campus,
      place: place(
        table, targets: targets, groups: groups, names: completion.names, search: search,
        fitted: fitted),
      provenance: provenance(table, search.settings, search.recall(labels: targets, names: labels))
    ).rounded(to: weightFormat)
    let changes = await RoundingCheck(
      span: search.span, examples: search.examples, problem: problem,
      fits: search.chosen?.classifiers ?? [], completion: completion
    ).changes(of: model)
    try Task.checkCancellation()
    for (format, change) in changes { model.provenance.rounding[format.rawValue] = change }
    return TrainingResult(
      model: model, skipped: table.skipped, faults: table.faults, converged: fit.converged,
      iterations: fit.iterations, trials: search.trials.map(TrainingResult.Trial.init),
      reused: table.rows.count(where: \.isReused), described: table.rows.count { !$0.isReused },
      changedAnswers: changes[weightFormat].map {
        TrainingResult.ChangedAnswers(changed: $0.changed, asked: $0.asked)
      })
  }

  /// How many photos train beside those given.
  package var drawnNegatives: Int { usesDrawnNegatives ? DrawnPhotos.count : 0 }

  private var usesDrawnNegatives: Bool {
    addsDrawnNegatives && type(of: recipe.features.trainable).usesDrawnNegatives
  }

  /// Where no photo at all can be held out.
  private var uncalibrated: Calibration {
    Calibration(temperature: type(of: recipe.features.trainable).usualTemperature)
  }

  private func calibration(
    _ search: SettingsSearch, _ problem: SettingsSearch.Problem
  ) async -> CalibrationFit? {
    guard let trial = search.chosen else { return nil }
    var generator = SplitMix64(seed: seed)
    let unknown =
      problem.canChoose && type(of: recipe.features.trainable).areLearned
      ? await LeaveBuildingsOut(
        problem, search.span.coordinates, search.settings, using: &generator) : nil
    return CalibrationFit(
      logits: trial.logits, truth: search.photos.map { problem.labels[$0] },
      names: problem.names, nested: search.nested, unknown: unknown?.logits,
      usualTemperature: type(of: recipe.features.trainable).usualTemperature)
  }

  /// With the weight of color that the extractor has.
  private func recipe(of extractor: FeatureExtractor) -> Recipe {
    var recipe = recipe
    recipe.features = extractor.settings
    return recipe
  }

  private func extractor(for photos: [LabeledPhoto]) async throws -> FeatureExtractor {
    if let base { return base.extractor }
    let sample = TrainingSample(
      photos: photos, recipe: recipe, decoder: decoder, seed: seed, threads: threads, cache: cache)
    guard let learned = await recipe.features.extractor(for: sample) else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    return learned
  }

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

  private func folds(_ targets: [Int], _ groups: [Int]) -> Folds {
    var generator = SplitMix64(seed: seed)
    return Folds(labels: targets, groups: groups, maximum: 5, using: &generator)
  }

  private func place(
    _ table: FeatureTable, targets: [Int], groups: [Int], names: Labels, search: SettingsSearch,
    fitted: CalibrationFit?
  ) -> PlaceModel? {
    let photos = zip(table.rows, zip(targets, groups)).map { row, place in
      PlaceFit.Photo(metadata: row.metadata, label: place.0, group: place.1)
    }
    let fit = PlaceFit(photos: photos, labels: names, campus: campus)
    guard let fitted, let logits = search.chosen?.logits else { return fit.model(heldOut: []) }
    return fit.model(
      heldOut: search.photos.enumerated().map { row, photo in
        PlaceFit.HeldOut(
          photo: photo,
          probabilities: fitted.probabilities(logits.row(row)))
      })
  }

  private func provenance(
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
  /// Of the photos of each building that carry dates.
  fileprivate var captureDays: [String: Int] {
    let dated = rows.filter {
      !Labels.isBackground($0.photo.label) && $0.metadata.captureTime != nil
    }
    return Dictionary(grouping: dated, by: \.photo.label).mapValues { rows in
      Set(rows.compactMap { $0.metadata.captureTime?.prefix(10) }).count
    }
  }

  /// Photos whose EXIF block is damaged; they were used all the same.
  fileprivate var faults: [String] {
    rows.filter { !$0.metadata.faults.isEmpty }.map(\.photo.name)
  }
}
