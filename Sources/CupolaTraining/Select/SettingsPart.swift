internal import Cupola

// 1. Few photos: `SettingsSearch` with all of them.
// 2. Many photos: settings are searched on some buildings (`SettingsPart`), and validated on all.
// 3. `TrainingScale` has the numbers that bound the work.

extension SettingsSearch {
  /// What is chosen for photos: of many on a part of them, and then asked of all.
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

/// A part of many photos that settings are searched on: all photos of some buildings, drawn by lot, and
/// some of each background.
///
/// The whole photos of a building stay, so that folds, light and sessions are as they are.
struct SettingsPart {
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

  /// The part as a problem of its own, with folds in which all of its photos are asked about that can be: of the whole's
  /// only the first few folds are.
  func problem(of whole: SettingsSearch.Problem, seed: UInt64) -> SettingsSearch.Problem {
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

/// How much work goes into each photo: of many photos every cost must grow with their number and no faster.
///
/// Below ``mostPhotosInFull`` everything is done with all photos. Above it settings are searched on a part of the
/// labels (``SettingsPart``), fits work in the principal directions of a sample (``PrincipalSubspace``), and no more
/// photos are held out than calibration needs.
enum TrainingScale: String, Sendable {
  case full
  case bounded

  static let mostPhotosInFull = 1_500

  /// - Parameter photos: how many are to train, the drawn ones among them.
  init(photos: Int) { self = photos > Self.mostPhotosInFull ? .bounded : .full }

  /// Which views of a photo train.
  ///
  /// Measured on three sets: fits to both views of `once` name as many photos right, and tell other things and
  /// unknown buildings apart as well, as fits to all four.
  var views: TrainingViews { self == .full ? .all : .once }

  func folds(_ labels: [Int], _ groups: [Int], _ names: Labels, seed: UInt64) -> Folds {
    var generator = SplitMix64(seed: seed)
    // Of very many photos a smaller part is enough to ask about, and leaves more to learn from.
    let count =
      self == .full ? Self.usualFolds : max(Self.usualFolds, min(labels.count / 750, 50))
    let folds = Folds(labels: labels, groups: groups, maximum: count, using: &generator)
      .telling(of: names.buildings, labels: labels)
    guard self == .bounded else { return folds }
    let buildings = Set(names.buildings)
    return folds.first(
      holding: Self.enoughHeldOut, least: Self.leastFolds,
      where: { buildings.contains(labels[$0]) })
  }

  private static let usualFolds = 5
  /// Held-out photos of buildings that settle calibration, and as many of buildings left out.
  static let enoughHeldOut = 1_500
  /// At least so many folds are held out: the promises of each rest on the others.
  static let leastFolds = 2
  /// Steps of each fit: photos of other days are named as well after these as after those that would follow.
  static let mostSteps = 24
  /// How much of the work one fit to all photos counts as, where one to a few counts as 1.
  var unitsOfFit: Int { self == .full ? 1 : Self.mostSteps }
  /// So many photos tell what rounding the weights changes.
  static let enoughRounded = 500
}
