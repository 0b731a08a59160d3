internal import Cupola

// 1. Cross-validate whitening and regularization at the default color weight.
// 2. Try other color weights with the best of these settings.
// 3. Validate the choice with all views.
// 4. Keep the out-of-fold logits, including those of a nested search.

struct SettingsSearch: Sendable {
  let settings: ClassifierSettings
  let chosen: CrossValidation.Trial?
  /// The trials in order; for large sets, they use a subset of the photos.
  let trials: [CrossValidation.Trial]
  /// Whether ``trials`` used a subset of the photos; ``chosen`` always uses all photos.
  let isOfPart: Bool
  /// Out-of-fold logits, each with settings chosen on the other folds; `nil` if no photos were held out.
  let nested: CalibrationFit.Nested?
  let photos: [Int]
  let examples: ExampleRows
  let span: ExampleSpan

  /// The examples, labels and folds of a search.
  struct Input: Sendable {
    let features: FeatureSettings
    var views: PhotoViews
    var labels: [Int]
    var names: Labels
    var folds: Folds
    /// The group of each photo, which is its session; if empty, each photo is its own session.
    ///
    /// A subset uses the groups to create its own folds.
    var groups: [Int] = []
    let threads: Int
    /// The number of views to use for training during the search, starting with the first; `nil` uses all.
    ///
    /// Mirrored views rarely change the best setting.
    var searchedViews: Int?
    var scale = TrainingScale.full
    var classifier = ClassifierKind.softmax
    /// Whether the search may choose retrieval instead of softmax.
    var triesRetrieval = false
    /// The fraction of visits to unknown buildings for which to fit a novelty detector; `nil` fits none.
    var unknownVisits: Double?
    var memory: FitCache?
    var isDone: (@Sendable (Int) -> Void)?

    /// Whether building photos can be held out, so that settings can be compared.
    var canChoose: Bool {
      let buildings = Set(names.buildings)
      return zip(labels, folds.assignment).contains { $1 != nil && buildings.contains($0) }
    }

    func candidates(regularization: Double?) -> [ClassifierSettings] {
      switch classifier {
      case .softmax: type(of: features.trainable).candidates(regularization: regularization)
      case .retrieval: [.retrieval(colorWeight: features.usualWeight)]
      }
    }

    var otherWeights: [Float] {
      classifier == .softmax ? type(of: features.trainable).otherWeights : []
    }

    func examples(_ coordinates: Coordinates) -> LabeledExamples {
      LabeledExamples(
        source: coordinates, views: views, labels: labels, names: names, scale: scale,
        memory: memory)
    }

    func fitsAtOnce(_ search: SettingsSearch) -> Bool {
      scale == .full
        && CrossValidation.fitsAtOnce(
          search.span.coordinates, [search.settings], threads: threads) > 1
    }

    func validate(
      _ span: ExampleSpan, _ settings: [ClassifierSettings], trainedViews: Int? = nil,
      threads: Int? = nil
    ) async -> CrossValidation {
      await CrossValidation(
        examples(span.coordinates), trainedViews: trainedViews, folds: folds,
        sessions: groups.isEmpty ? nil : groups, settings: settings,
        threads: threads ?? self.threads, isDone: isDone)
    }

    func sessions(of photos: [Int]) -> [Int]? {
      groups.isEmpty ? nil : photos.map { groups[$0] }
    }
  }

  /// - Parameter candidates: The settings to try at the default color weight; `nil` uses the feature kind's settings.
  init(
    examples: ExampleRows, input: Input, regularization: Double?,
    candidates: [ClassifierSettings]? = nil
  ) async {
    let candidates = candidates ?? input.candidates(regularization: regularization)
    let usable = input.canChoose ? candidates : Array(candidates.prefix(1))
    let others = input.weighed(examples)
    let products = await ExampleSpan.products(
      of: others.first?.examples ?? examples, threads: input.threads)
    var span = ExampleSpan(of: examples, products: products)
    let first = await input.validate(span, usable, trainedViews: input.searchedViews)
    let firstTrials = first.trials.count
    var settings = CrossValidation.best(first.trials)?.settings ?? usable[0]
    let reweighed = await input.trials(of: others, settings, products, like: span)
      .filter { $0.trial != nil }
    let searched = first.trials + reweighed.compactMap(\.trial)
    let best = CrossValidation.best(of: searched.map(\.share), candidates: firstTrials)
    var chosen = best.map { searched[$0] }
    var weighed = examples
    if let best, best >= firstTrials {
      (span, weighed) = (reweighed[best - firstTrials].span, reweighed[best - firstTrials].examples)
    }
    settings = chosen?.settings ?? settings
    var trials = searched
    if input.searchedViews != nil, chosen != nil {
      chosen = await input.validate(span, [settings]).trials.first
      trials = trials.map { trial in trial.settings == settings ? chosen ?? trial : trial }
    }
    self.settings = settings
    self.chosen = chosen
    self.trials = input.canChoose ? trials : []
    isOfPart = false
    photos = first.photos
    nested = chosen.map { chosen in
      let folds = first.photos.compactMap { input.folds.assignment[$0] }
      return CalibrationFit.Nested(
        logits: Self.nested(chosen, among: searched, candidates: firstTrials, folds: folds),
        folds: folds)
    }
    self.examples = weighed
    self.span = span
  }

  /// The logits of each fold, from the setting that the same rule selects on the other folds.
  private static func nested(
    _ chosen: CrossValidation.Trial, among searched: [CrossValidation.Trial], candidates: Int,
    folds: [Int]
  ) -> Matrix {
    var logits = chosen.logits
    for fold in Set(folds) {
      let others = folds.indices.filter { folds[$0] != fold }
      let best = CrossValidation.best(
        of: searched.map { $0.share(of: others) }, candidates: candidates)
      guard let best, searched[best].settings != chosen.settings else { continue }
      for row in folds.indices where folds[row] == fold {
        logits.values.replaceSubrange(
          logits.range(ofRow: row), with: searched[best].logits.row(row))
      }
    }
    return logits
  }
}

extension SettingsSearch.Input {
  typealias Weighed = (weight: Float, examples: ExampleRows)
  typealias WeighedTrial = (examples: ExampleRows, span: ExampleSpan, trial: CrossValidation.Trial?)

  fileprivate func weighed(_ examples: ExampleRows) -> [Weighed] {
    guard canChoose, let usual = features.usualWeight else { return [] }
    return otherWeights.map {
      ($0, features.trainable.reweighted(examples, from: usual, to: $0))
    }
  }

  /// Validates one setting with each color weight, with as many concurrent fits as memory allows.
  fileprivate func trials(
    of weighed: [Weighed], _ settings: ClassifierSettings, _ products: InnerProducts?,
    like span: ExampleSpan
  ) async -> [WeighedTrial] {
    guard settings.colorWeight != nil else { return [] }
    let atOnce = min(
      weighed.count, CrossValidation.fitsAtOnce(span.coordinates, [settings], threads: threads))
    var trials = [WeighedTrial?](repeating: nil, count: weighed.count)
    for start in stride(from: 0, to: weighed.count, by: max(1, atOnce)) {
      let places = start..<min(start + atOnce, weighed.count)
      await withTaskGroup(of: (Int, WeighedTrial).self) { group in
        for place in places {
          let own = weighed[place]
          group.addTask {
            var tried = settings
            tried.colorWeight = own.weight
            let span = ExampleSpan(of: own.examples, products: products)
            let validation = await validate(
              span, [tried], trainedViews: searchedViews, threads: max(1, threads / places.count))
            return (place, (own.examples, span, validation.trials.first))
          }
        }
        for await (place, trial) in group { trials[place] = trial }
      }
    }
    return trials.compactMap(\.self)
  }
}

extension SettingsSearch {
  func recall(labels: [Int], names: Labels) -> [String: Provenance.Recall] {
    guard let logits = chosen?.logits else { return [:] }
    var recall: [String: Provenance.Recall] = [:]
    let buildings = Set(names.buildings)
    for (row, photo) in photos.enumerated() where buildings.contains(labels[photo]) {
      let answer = names.buildings.max { logits[row, $0] < logits[row, $1] }
      var own = recall[names.names[labels[photo]]] ?? Provenance.Recall(right: 0, asked: 0)
      own.asked += 1
      if answer == labels[photo] { own.right += 1 }
      recall[names.names[labels[photo]]] = own
    }
    return recall
  }
}

extension SettingsSearch.Input {
  init(
    _ described: DescribedPhotos, labels names: Labels, groups: [Int], for trainer: Trainer
  ) {
    let (table, recipe) = (described.table, trainer.recipe)
    let index = names.names.indexByElement
    (features, views) = (described.extractor.settings, table.views(recipe))
    (self.names, self.groups) = (names, groups)
    (threads, scale) = (trainer.threads, described.scale)
    labels = table.rows.compactMap { index[$0.photo.label] }
    folds = described.scale.folds(labels, groups, names, seed: trainer.seed)
    classifier = trainer.classifier ?? .softmax
    unknownVisits = trainer.detectsNovelty ? trainer.unknownVisits : nil
    triesRetrieval =
      trainer.classifier == nil && names.buildings.count > ClassifierKind.mostInSoftmax
    if scale == .full, recipe.mirrorsTraining, classifier == .softmax {
      searchedViews = recipe.trainingGeometries.count
    }
    let sampled = scale == .bounded ? self.sampled(seed: trainer.seed) : []
    memory = trainer.cache.map { cache in
      FitCache(
        cache,
        identity: described.identity + ["\(trainer.seed)", "sample \(sampled)"]
          + zip(table.rows, groups).map { "\($0.photo.label)\n\($0.digest)\n\($1)" },
        failures: table.failures)
    }
  }
}
