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
    let candidates = problem.candidates(regularization: regularization)
    var (settings, trials): (ClassifierSettings, [CrossValidation.Trial]) = (candidates[0], [])
    if problem.searchesPart(candidates) {
      let part = SettingsPart(
        labelOfPhoto: problem.labels, names: problem.names, using: &generator)
      (settings, trials) = await searched(
        examples.loading(photos: part.photos), part.problem(of: problem),
        regularization: regularization)
    }
    let sampled = generator.shuffled(problem.labels.indices).prefix(
      PrincipalSubspace.mostSampled / max(1, problem.views.rows(of: 0).count)
    ).sorted()
    return await SettingsSearch(
      settings, searched: trials, of: examples, problem, sampled: sampled)
  }

  /// The best settings for a part; where retrieval may be chosen, it is when it is as good: it costs less.
  private static func searched(
    _ examples: ExampleRows, _ problem: Problem, regularization: Double?
  ) async -> (ClassifierSettings, [CrossValidation.Trial]) {
    let search = await SettingsSearch(
      examples: examples, problem: problem, regularization: regularization)
    guard problem.mayRemember,
      let rival = await problem.validate(
        ExampleSpan(of: examples, threads: problem.threads),
        [.retrieval(colorWeight: problem.features.usualWeight)]
      ).trials.first
    else { return (search.settings, search.trials) }
    let best = CrossValidation.best([rival, search.chosen].compactMap(\.self))
    return ((best ?? rival).settings, search.trials + [rival])
  }

  /// How much that is, as it is told to ``Problem/isDone``.
  static func units(of problem: Problem, regularization: Double?) -> Int {
    let candidates = problem.candidates(regularization: regularization)
    let tried =
      problem.canChoose
      ? candidates.count + (problem.features.usualWeight == nil ? 0 : problem.otherWeights.count)
      : 1
    let isSearched = problem.scale == .full || problem.searchesPart(candidates)
    let again = problem.searchedViews != nil || problem.scale == .bounded
    return problem.folds.count
      * ((isSearched ? tried : 0) + (again ? problem.scale.unitsOfFit : 0))
  }

  /// With settings that are known.
  ///
  /// - Parameter searched: what was tried to find them.
  private init(
    _ settings: ClassifierSettings, searched: [CrossValidation.Trial], of examples: ExampleRows,
    _ problem: Problem, sampled: [Int]
  ) async {
    self.settings = settings
    let features = problem.features.trainable
    if let usual = problem.features.usualWeight, let weight = settings.colorWeight, weight != usual
    {
      self.examples = features.reweighted(examples, from: usual, to: weight)
    } else {
      self.examples = examples
    }
    span = await ExampleSpan(
      of: self.examples, sample: self.examples.loading(photos: sampled), threads: problem.threads)
    let validation = await problem.validate(span, [settings])
    let chosen = validation.trials.first
    self.chosen = chosen
    // What was chosen was asked of all photos, the others of the part.
    trials =
      searched.isEmpty
      ? validation.trials
      : searched.map { trial in trial.settings == settings ? chosen ?? trial : trial }
    photos = validation.photos
    // The photos that settings were searched on are few among those held out.
    nested = chosen.map { chosen in
      CalibrationFit.Nested(
        logits: chosen.logits,
        folds: validation.photos.compactMap { problem.folds.assignment[$0] })
    }
  }
}

extension SettingsSearch.Problem {
  /// Whether some of many photos tell which settings are best.
  fileprivate func searchesPart(_ candidates: [ClassifierSettings]) -> Bool {
    candidates.count > 1 || !otherWeights.isEmpty
  }
}
