internal import Cupola

extension SettingsSearch {
  /// What is chosen for photos: of many on a part of them, and then asked of all.
  ///
  /// - Parameter examples: features with the usual weight of color, a row a photo and view.
  static func find(
    _ examples: ExampleRows, _ problem: Problem, regularization: Double?, seed: UInt64
  ) async -> SettingsSearch {
    guard problem.scale == .bounded else {
      return await SettingsSearch(
        examples: examples, problem: problem, regularization: regularization)
    }
    var generator = SplitMix64(seed: seed)
    let part = SettingsPart(
      labelOfPhoto: problem.labels, names: problem.names, using: &generator)
    let searched = await SettingsSearch(
      examples: examples.loading(photos: part.photos), problem: part.problem(of: problem),
      regularization: regularization)
    let sampled = generator.shuffled(problem.labels.indices).prefix(
      PrincipalSubspace.mostSampled / max(1, problem.views.rows(of: 0).count)
    ).sorted()
    return await SettingsSearch(searched, of: examples, problem, sampled: sampled)
  }

  /// How much that is, as it is told to ``Problem/isDone``.
  static func units(of problem: Problem, regularization: Double?) -> Int {
    let features = type(of: problem.features.trainable)
    let tried =
      problem.canChoose
      ? features.candidates(regularization: regularization).count
        + (problem.features.usualWeight == nil ? 0 : features.otherWeights.count)
      : 1
    let again = problem.searchedViews != nil || problem.scale == .bounded
    return problem.folds.count * (tried + (again ? problem.scale.unitsOfFit : 0))
  }

  /// With the settings that were found for a part.
  private init(
    _ searched: SettingsSearch, of examples: ExampleRows, _ problem: Problem, sampled: [Int]
  ) async {
    settings = searched.settings
    let features = problem.features.trainable
    if let usual = problem.features.usualWeight, let weight = settings.colorWeight, weight != usual
    {
      self.examples = features.reweighted(examples, from: usual, to: weight)
    } else {
      self.examples = examples
    }
    span = ExampleSpan(of: self.examples, sample: self.examples.loading(photos: sampled))
    let validation = await problem.validate(span, [settings])
    let chosen = validation.trials.first
    self.chosen = chosen
    // What was chosen was asked of all photos, the others of the part.
    trials = searched.trials.map { trial in
      trial.settings == searched.settings ? chosen ?? trial : trial
    }
    photos = validation.photos
    // The photos that settings were searched on are few among those held out.
    nested = chosen.map { chosen in
      CalibrationFit.Nested(
        logits: chosen.logits,
        folds: validation.photos.compactMap { problem.folds.assignment[$0] })
    }
  }
}
