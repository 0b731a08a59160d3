internal import Cupola

// 1. If there are few photos, search the settings on all of them (`SettingsSearch`).
// 2. If there are many, search on some buildings (`SearchSubset`) and validate on all photos.
// 3. Limit the work per photo (`TrainingScale`).

extension SettingsSearch {
  /// Searches the settings (on a subset of large sets) and validates the chosen one on all photos.
  static func find(
    _ examples: ExampleRows, _ input: Input, regularization: Double?, seed: UInt64
  ) async -> SettingsSearch {
    guard input.scale == .bounded else {
      return await SettingsSearch(
        examples: examples, input: input, regularization: regularization)
    }
    let candidates = input.candidates(regularization: regularization)
    var (settings, trials): (ClassifierSettings, [CrossValidation.Trial]) = (candidates[0], [])
    if let part = input.part(candidates, seed: seed) {
      (settings, trials) = await searched(
        examples.loading(photos: part.photos), part.input(of: input, seed: seed),
        regularization: regularization)
    }
    return await SettingsSearch(
      settings, searched: trials, of: examples, input, sampled: input.sampled(seed: seed))
  }

  /// The best settings for a subset; at equal accuracy, prefers retrieval if it is allowed, because it costs less.
  private static func searched(
    _ examples: ExampleRows, _ input: Input, regularization: Double?
  ) async -> (ClassifierSettings, [CrossValidation.Trial]) {
    let search = await SettingsSearch(
      examples: examples, input: input, regularization: regularization)
    guard input.triesRetrieval,
      let rival = await input.validate(
        ExampleSpan(of: examples, threads: input.threads),
        [.retrieval(colorWeight: input.features.usualWeight)]
      ).trials.first
    else { return (search.settings, search.trials) }
    let best = CrossValidation.best([rival, search.chosen].compactMap(\.self))
    return ((best ?? rival).settings, search.trials + [rival])
  }

  static func units(of input: Input, regularization: Double?, seed: UInt64) -> Int {
    let candidates = input.candidates(regularization: regularization)
    func tried(in input: Input) -> Int {
      let weights = input.features.usualWeight == nil ? 0 : input.otherWeights.count
      return input.folds.count * (input.canChoose ? candidates.count + weights : 1)
    }
    let again = input.folds.count * input.scale.unitsOfFit
    guard input.scale == .bounded else {
      return tried(in: input) + (input.searchedViews == nil ? 0 : again)
    }
    let part = input.part(candidates, seed: seed)?.input(of: input, seed: seed)
    return (part.map(tried) ?? 0) + again
  }

  private init(
    _ settings: ClassifierSettings, searched: [CrossValidation.Trial], of examples: ExampleRows,
    _ input: Input, sampled: [Int]
  ) async {
    self.settings = settings
    let features = input.features.trainable
    if let usual = input.features.usualWeight, let weight = settings.colorWeight, weight != usual {
      self.examples = features.reweighted(examples, from: usual, to: weight)
    } else {
      self.examples = examples
    }
    span = await ExampleSpan(
      of: self.examples, sample: self.examples.loading(photos: sampled), threads: input.threads)
    let validation = await input.validate(span, [settings])
    let chosen = validation.trials.first
    self.chosen = chosen
    let found = searched.isEmpty ? validation.trials : searched
    trials = input.canChoose ? found : []
    isOfPart = !searched.isEmpty
    photos = validation.photos
    // The search used only a few of the held-out photos, so nested cross-validation is unnecessary.
    nested = chosen.map { chosen in
      CalibrationFit.Nested(
        logits: chosen.logits,
        folds: validation.photos.compactMap { input.folds.assignment[$0] })
    }
  }
}

extension SettingsSearch.Input {
  fileprivate func part(_ candidates: [ClassifierSettings], seed: UInt64) -> SearchSubset? {
    guard candidates.count > 1 || !otherWeights.isEmpty else { return nil }
    var generator = SplitMix64(seed: seed)
    return SearchSubset(labelOfPhoto: labels, names: names, using: &generator)
  }

  /// The photos that define the principal directions; the seed determines them, so that fits can be cached.
  func sampled(seed: UInt64) -> [Int] {
    var generator = SplitMix64(seed: seed)
    let most = PrincipalSubspace.mostSampled / max(1, views.rows(of: 0).count)
    return generator.shuffled(labels.indices).prefix(most).sorted()
  }
}

/// A subset for the settings search: all photos of random buildings and some photos of each background class.
struct SearchSubset {
  private static let buildingPhotos = 400
  private static let leastBuildings = 8
  private static let backgroundPhotos = 100
  let photos: [Int]
  let labels: [Int]

  init(
    labelOfPhoto: [Int], names: Labels, using generator: inout SplitMix64
  ) {
    let members = Dictionary(grouping: labelOfPhoto.indices, by: { labelOfPhoto[$0] })
    var (chosen, labels): ([Int], [Int]) = ([], [])
    for building in generator.shuffled(names.buildings) {
      guard let photos = members[building] else { continue }
      if labels.count >= Self.leastBuildings, chosen.count >= Self.buildingPhotos { break }
      chosen += photos
      labels.append(building)
    }
    for background in names.backgrounds {
      guard let photos = members[background] else { continue }
      chosen += generator.shuffled(photos).prefix(Self.backgroundPhotos)
      labels.append(background)
    }
    photos = chosen.sorted()
    self.labels = labels.sorted()
  }

  /// Returns the subset with its own folds; unlike those of the whole set, all of them are scored.
  func input(of whole: SettingsSearch.Input, seed: UInt64) -> SettingsSearch.Input {
    let place = labels.indexByElement
    var part = whole
    part.scale = .full
    part.views = whole.views.selecting(photos)
    part.labels = photos.compactMap { place[whole.labels[$0]] }
    part.names = Labels(labels.map { whole.names.names[$0] })
    part.groups = photos.map { whole.groups[$0] }
    part.folds = part.scale.folds(part.labels, part.groups, part.names, seed: seed)
    part.memory = whole.memory?.adding("photos \(photos)")
    return part
  }
}

/// Whether the work per photo is limited, so that costs grow linearly with the number of photos.
///
/// Above ``mostPhotosInFull``, settings are searched on a subset (``SearchSubset``), fits use a principal subspace
/// (``PrincipalSubspace``), and only the photos that calibration requires are held out.
package enum TrainingScale: String, Sendable {
  case full
  case bounded

  static let mostPhotosInFull = 1_500

  package init(photos: Int) { self = photos > Self.mostPhotosInFull ? .bounded : .full }

  /// The views to use for training; on three sets, `once` (2 views) was as accurate as `all` (4 views).
  var views: TrainingViews { self == .full ? .all : .once }

  func folds(_ labels: [Int], _ groups: [Int], _ names: Labels, seed: UInt64) -> Folds {
    var generator = SplitMix64(seed: seed)
    // In large sets, smaller folds are enough for scoring and leave more photos for training.
    let count =
      self == .full ? Self.usualFolds : max(Self.usualFolds, min(labels.count / 750, 50))
    let folds = Folds(labels: labels, groups: groups, maximum: count, using: &generator)
      .representative(of: names.buildings, labels: labels)
    guard self == .bounded else { return folds }
    let buildings = Set(names.buildings)
    return folds.first(
      holding: Self.enoughHeldOut, least: Self.leastFolds,
      where: { buildings.contains(labels[$0]) })
  }

  private static let usualFolds = 5
  /// The number of held-out photos that is enough for calibration, for known and for unknown buildings.
  static let enoughHeldOut = 1_500
  /// The minimum number of folds: the error rate of each fold is estimated with thresholds from another one.
  static let leastFolds = 2
  /// The maximum number of solver steps per fit; more did not improve accuracy on photos from other days.
  static let mostSteps = 24
  var unitsOfFit: Int { self == .full ? 1 : Self.mostSteps }
  /// The number of photos that is enough to measure the effect of rounding the weights.
  static let enoughRounded = 500
}
