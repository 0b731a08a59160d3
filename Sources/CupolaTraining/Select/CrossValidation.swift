internal import Cupola

// 1. Assign groups of photos to folds, leaving enough photos for training (`Folds`).
// 2. For each fold, fit several settings to the other folds (`CrossValidation`).
// 3. Choose the first setting within one standard error of the highest accuracy (`best`).

struct CrossValidation: Sendable {
  struct Trial: Equatable, Sendable {
    let settings: ClassifierSettings
    let logits: Matrix
    let classifiers: [Classifier]
    /// Whether each held-out photo was named correctly; `nil` for background photos.
    let isRight: [Bool?]
    let loss: Double
    /// The session of each held-out photo; `nil` if each photo is its own session.
    var sessions: [Int]?

    var share: Share { Share(isRight, sessions: sessions) }
    var accuracy: Double { share.accuracy ?? 0 }

    func share(of rows: [Int]) -> Share {
      Share(rows.map { isRight[$0] }, sessions: sessions.map { all in rows.map { all[$0] } })
    }
  }

  let trials: [Trial]
  let photos: [Int]

  init(
    _ examples: LabeledExamples, trainedViews: Int? = nil, folds: Folds, sessions: [Int]? = nil,
    settings: [ClassifierSettings], threads: Int, isDone: (@Sendable (Int) -> Void)? = nil
  ) async {
    let (labels, names) = (examples.labels, examples.names)
    let photos = folds.tested
    self.photos = photos
    guard !photos.isEmpty else {
      trials = []
      return
    }
    let atOnce = Self.fitsAtOnce(examples.source, settings, threads: threads)
    let alike = Self.alike(settings)
    let tasks = (0..<folds.count).flatMap { fold in alike.map { (fold: fold, settings: $0) } }
    let done = await parallelMap(tasks, threads: atOnce) { task in
      let tests = examples.tests(of: photos.filter { folds.assignment[$0] == task.fold })
      let training = labels.indices.filter { folds.assignment[$0] != task.fold }
      return examples.fits(
        task.settings, to: training, firstViews: trainedViews, isDone: isDone
      ).map { (classifier: $0.classifier, logits: $0.classifier.logits(ofRows: tests)) }
    }
    let byFold = (0..<folds.count).map { fold in
      done[fold * alike.count..<(fold + 1) * alike.count].flatMap(\.self)
    }
    let truth = photos.map { labels[$0] }
    let tested = sessions.map { all in photos.map { all[$0] } }
    trials = settings.enumerated().map { index, setting in
      var logits = Matrix(rows: photos.count, columns: names.names.count)
      var nextInFold = [Int](repeating: 0, count: folds.count)
      for (row, photo) in photos.enumerated() {
        guard let fold = folds.assignment[photo] else { continue }
        let part = byFold[fold][index].logits
        let source = part.values[part.range(ofRow: nextInFold[fold])]
        logits.values.replaceSubrange(logits.range(ofRow: row), with: source)
        nextInFold[fold] += 1
      }
      return Trial(
        setting, logits: logits, classifiers: byFold.map { $0[index].classifier }, truth: truth,
        sessions: tested, names: names)
    }
  }

  /// Groups consecutive settings with the same whitening, which share its cost and start from each other's solutions.
  private static func alike(_ settings: [ClassifierSettings]) -> [[ClassifierSettings]] {
    settings.reduce(into: []) { groups, setting in
      if let last = groups.last?.last, last.whitening == setting.whitening {
        groups[groups.count - 1].append(setting)
      } else {
        groups.append([setting])
      }
    }
  }

  private static let fitBytes = 128 << 20

  /// The number of fits that can run at the same time within the memory limit.
  static func fitsAtOnce(
    _ examples: Coordinates, _ settings: [ClassifierSettings], threads: Int
  ) -> Int {
    let copies = settings.contains { $0.whitening != nil } ? 2 : 1
    let bytes = copies * MemoryLayout<Float>.size * examples.rows * examples.columns
    return max(1, min(threads, fitBytes / max(1, bytes)))
  }

  /// The first setting, in order of preference, whose accuracy is within one standard error of the highest.
  ///
  /// The rule counters a bias toward overfitting: held-out photos share days and cameras with the training photos. The
  /// standard error takes into account that the photos of a session share their errors.
  static func best(_ trials: [Trial]) -> Trial? {
    best(of: trials.map(\.share)).map { trials[$0] }
  }

  static func best(of shares: [Share]) -> Int? {
    func accuracy(_ share: Share) -> Double { share.accuracy ?? 0 }
    guard let top = shares.max(by: { accuracy($0) < accuracy($1) }) else { return nil }
    return shares.firstIndex { accuracy($0) >= accuracy(top) - top.standardError }
  }

  /// The best of the first `candidates` settings, or a later one, if that is better by more than its standard error.
  ///
  /// Each later setting is compared with the best one so far.
  static func best(of shares: [Share], candidates: Int) -> Int? {
    guard var best = best(of: Array(shares.prefix(candidates))) else { return nil }
    for later in shares.indices.dropFirst(candidates)
    where self.best(of: [shares[best], shares[later]]) == 1 {
      best = later
    }
    return best
  }
}

extension CrossValidation.Trial {
  fileprivate init(
    _ settings: ClassifierSettings, logits: Matrix, classifiers: [Classifier], truth: [Int],
    sessions: [Int]?, names: Labels
  ) {
    let buildings = Set(names.buildings)
    let isRight = truth.enumerated().map { row, label -> Bool? in
      guard buildings.contains(label) else { return nil }
      return names.buildings.max { logits[row, $0] < logits[row, $1] } == label
    }
    let temperature = TemperatureScaling.temperature(logits: logits, labels: truth)
    self.init(
      settings: settings, logits: logits, classifiers: classifiers, isRight: isRight,
      loss: truth.isEmpty ? 0 : TemperatureScaling.loss(logits, truth, temperature),
      sessions: sessions)
  }
}

struct Folds {
  /// The fold of each photo; `nil` for photos that are always used for training, because their label has too few
  /// others.
  let assignment: [Int?]
  let count: Int
  /// The photos to score when their fold is held out, in ascending order; a sample if there are very many.
  let tested: [Int]

  init(labels: [Int], groups: [Int], maximum: Int, using generator: inout SplitMix64) {
    var groupsByLabel: [Int: [Int: [Int]]] = [:]
    for (photo, label) in labels.enumerated() {
      groupsByLabel[label, default: [:]][groups[photo], default: []].append(photo)
    }
    let most = groupsByLabel.values.map(\.count).max() ?? 0
    let count = most < 2 ? 0 : min(maximum, most)
    var foldOfGroup = Self.dealt(groupsByLabel, count, using: &generator)
    Self.spread(groupsByLabel, count, &foldOfGroup)
    var assignment = [Int?](repeating: nil, count: labels.count)
    for members in groupsByLabel.values {
      let all = members.values.reduce(0) { $0 + $1.count }
      let folds = Dictionary(grouping: members) { foldOfGroup[$0.key] }
      for (fold, members) in folds {
        let photos = members.flatMap(\.value)
        guard Self.mostHeldOut * (all - photos.count) >= photos.count else { continue }
        for photo in photos { assignment[photo] = fold }
      }
    }
    self.init(asking: assignment)
  }

  /// The maximum ratio of held-out to training photos for a label; higher ratios would underestimate accuracy.
  private static let mostHeldOut = 3

  private init(asking assignment: [Int?]) {
    let filled = Set(assignment.compactMap(\.self)).sorted()
    let number = filled.indexByElement
    self.init(assignment: assignment.map { $0.flatMap { number[$0] } }, count: filled.count)
  }

  /// Returns these folds if their held-out buildings are a representative sample; otherwise, building photos are never
  /// held out.
  func representative(of buildings: [Int], labels: [Int]) -> Folds {
    let isBuilding = Set(buildings)
    let asked = Set(tested.map { labels[$0] }).intersection(isBuilding)
    guard asked.count < PhotoAmount.heldOutBuildings(of: buildings.count) else { return self }
    let others = labels.indices.map { isBuilding.contains(labels[$0]) ? nil : assignment[$0] }
    return Folds(asking: others)
  }

  /// Distributes groups over the folds so that each fold has about the same number of photos of each label.
  private static func dealt(
    _ groupsByLabel: [Int: [Int: [Int]]], _ count: Int, using generator: inout SplitMix64
  ) -> [Int: Int] {
    var foldOfGroup: [Int: Int] = [:]
    for label in groupsByLabel.keys.sorted() where count > 0 {
      guard let members = groupsByLabel[label], members.count > 1 else { continue }
      let shuffled = generator.shuffled(members.keys.sorted())
      var sizes = [Int](repeating: 0, count: count)
      // Start at a random fold, so that labels with few groups do not fill the same folds.
      let first = generator.below(count)
      for group in shuffled {
        let order = (0..<count).map { (first + $0) % count }
        guard let fold = foldOfGroup[group] ?? order.min(by: { sizes[$0] < sizes[$1] }) else {
          continue
        }
        foldOfGroup[group] = fold
        sizes[fold] += members[group]?.count ?? 0
      }
    }
    return foldOfGroup
  }

  /// If all groups of a label are in one fold, moves one of them, to leave training photos for the label.
  private static func spread(
    _ groupsByLabel: [Int: [Int: [Int]]], _ count: Int, _ foldOfGroup: inout [Int: Int]
  ) {
    func isTogether(_ label: Int, _ foldOfGroup: [Int: Int]) -> Bool {
      Set((groupsByLabel[label] ?? [:]).keys.map { foldOfGroup[$0] }).count == 1
    }
    let several = groupsByLabel.filter { $0.value.count > 1 }.keys.sorted()
    let together = several.filter { isTogether($0, foldOfGroup) }
    for label in together where isTogether(label, foldOfGroup) {
      for group in (groupsByLabel[label] ?? [:]).keys.sorted() where isTogether(label, foldOfGroup)
      {
        let own = several.filter { groupsByLabel[$0]?[group] != nil }
        let others = own.filter { !isTogether($0, foldOfGroup) }
        for step in 1..<count {
          var moved = foldOfGroup
          moved[group] = foldOfGroup[group].map { ($0 + step) % count }
          guard !others.contains(where: { isTogether($0, moved) }) else { continue }
          foldOfGroup = moved
          break
        }
      }
    }
  }

  private init(assignment: [Int?], count: Int, mostTested: Int = .max) {
    self.init(
      assignment: assignment, count: count,
      tested: assignment.indices.filter { assignment[$0] != nil }.sampled(to: mostTested))
  }

  private init(assignment: [Int?], count: Int, tested: [Int]) {
    (self.assignment, self.count, self.tested) = (assignment, count, tested)
  }

  func testing(only photos: [Int]) -> Folds {
    let wanted = Set(photos)
    return Folds(assignment: assignment, count: count, tested: tested.filter(wanted.contains))
  }

  func testing(_ most: Int) -> Folds {
    Folds(assignment: assignment, count: count, mostTested: most)
  }

  func photos(of fold: Int) -> [Int] { assignment.indices.filter { assignment[$0] == fold } }

  /// Keeps the first folds with enough test photos, at least `least` folds; all other photos are always used for
  /// training.
  func first(holding enough: Int, least: Int, where counts: (Int) -> Bool) -> Folds {
    var sizes = [Int](repeating: 0, count: count)
    for (photo, fold) in assignment.enumerated() where counts(photo) {
      if let fold { sizes[fold] += 1 }
    }
    var (kept, held) = (0, 0)
    while kept < count, kept < least || held < enough {
      held += sizes[kept]
      kept += 1
    }
    // Hold out all photos of a large fold, but score only a sample of them.
    return Folds(
      assignment: assignment.map { fold in fold.flatMap { $0 < kept ? $0 : nil } }, count: kept,
      mostTested: 2 * enough)
  }
}
