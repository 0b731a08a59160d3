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
    let candidates = problem.candidates(regularization: regularization)
    var (settings, trials): (ClassifierSettings, [CrossValidation.Trial]) = (candidates[0], [])
    if let part = problem.part(candidates, seed: seed) {
      (settings, trials) = await searched(
        examples.loading(photos: part.photos), part.problem(of: problem, seed: seed),
        regularization: regularization)
    }
    return await SettingsSearch(
      settings, searched: trials, of: examples, problem, sampled: problem.sampled(seed: seed))
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
  static func units(of problem: Problem, regularization: Double?, seed: UInt64) -> Int {
    let candidates = problem.candidates(regularization: regularization)
    func tried(in problem: Problem) -> Int {
      let weights = problem.features.usualWeight == nil ? 0 : problem.otherWeights.count
      return problem.folds.count * (problem.canChoose ? candidates.count + weights : 1)
    }
    let again = problem.folds.count * problem.scale.unitsOfFit
    guard problem.scale == .bounded else {
      return tried(in: problem) + (problem.searchedViews == nil ? 0 : again)
    }
    let part = problem.part(candidates, seed: seed)?.problem(of: problem, seed: seed)
    return (part.map(tried) ?? 0) + again
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
    let found = searched.isEmpty ? validation.trials : searched
    trials = problem.canChoose ? found : []
    isOfPart = !searched.isEmpty
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
  /// The part of many photos that tells which settings are best; `nil` where there is nothing to choose.
  fileprivate func part(_ candidates: [ClassifierSettings], seed: UInt64) -> SettingsPart? {
    guard candidates.count > 1 || !otherWeights.isEmpty else { return nil }
    var generator = SplitMix64(seed: seed)
    return SettingsPart(labelOfPhoto: labels, names: names, using: &generator)
  }

  /// The photos that the principal directions of many are found from, ascending: the same ones whatever else is drawn,
  /// because fits are kept in their coordinates.
  func sampled(seed: UInt64) -> [Int] {
    var generator = SplitMix64(seed: seed)
    let most = PrincipalSubspace.mostSampled / max(1, views.rows(of: 0).count)
    return generator.shuffled(labels.indices).prefix(most).sorted()
  }
}
