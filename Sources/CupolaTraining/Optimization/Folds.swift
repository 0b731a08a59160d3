internal import Cupola

/// Divides photos into folds for cross-validation, never parting a group.
struct Folds {
  /// The fold of each photo; `nil` for photos that always train, because too few of their label would be left to train
  /// with when they are asked about: none where it has one group.
  ///
  /// But for these, photos of one group have one fold, also when their labels differ.
  let assignment: [Int?]
  /// How many there are; 0 when no label has two groups.
  let count: Int
  /// Photos that are asked about when their fold is held out, ascending: all of them, but for very many.
  let tested: [Int]

  /// - Parameters:
  ///   - groups: photos with the same number stay together.
  ///   - maximum: at most so many folds, and no more than the label with the most groups fills.
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

  /// So many photos of a label are held out for each one that is left to train with, at most: fits to fewer say how few
  /// photos are named, not how photos of another day are.
  private static let mostHeldOut = 3

  /// Without the numbers of folds of which no photo is held out.
  private init(asking assignment: [Int?]) {
    let filled = Set(assignment.compactMap(\.self)).sorted()
    let number = filled.indexByElement
    self.init(assignment: assignment.map { $0.flatMap { number[$0] } }, count: filled.count)
  }

  /// Where enough of the buildings have photos held out to tell of all of them, these folds; elsewhere those in which
  /// photos of buildings always train.
  func telling(of buildings: [Int], labels: [Int]) -> Folds {
    let isBuilding = Set(buildings)
    let asked = Set(tested.map { labels[$0] }).intersection(isBuilding)
    let enough = min(PhotoAmount.tellingBuildings, (buildings.count + 1) / 2)
    guard asked.count < enough else { return self }
    let others = labels.indices.map { isBuilding.contains(labels[$0]) ? nil : assignment[$0] }
    return Folds(asking: others)
  }

  /// The fold of each group, so that the folds have about as many photos of each label.
  private static func dealt(
    _ groupsByLabel: [Int: [Int: [Int]]], _ count: Int, using generator: inout SplitMix64
  ) -> [Int: Int] {
    var foldOfGroup: [Int: Int] = [:]
    for label in groupsByLabel.keys.sorted() where count > 0 {
      guard let members = groupsByLabel[label], members.count > 1 else { continue }
      let shuffled = generator.shuffled(members.keys.sorted())
      var sizes = [Int](repeating: 0, count: count)
      // Starting from a fold drawn by lot keeps labels with few groups from filling the same folds.
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

  /// Moves a group of each label whose groups all came to one fold with those of others: none of its photos would be
  /// left to train with when they are asked about.
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

  /// The same, of which only some photos are asked about.
  func testing(only photos: [Int]) -> Folds {
    let wanted = Set(photos)
    return Folds(assignment: assignment, count: count, tested: tested.filter(wanted.contains))
  }

  /// The same, of which at most so many photos are asked about, evenly spread.
  func testing(_ most: Int) -> Folds {
    Folds(assignment: assignment, count: count, mostTested: most)
  }

  /// The photos of a fold, ascending, whether they are asked about or not.
  func photos(of fold: Int) -> [Int] { assignment.indices.filter { assignment[$0] == fold } }

  /// The first folds that have enough photos to test with; those of the others always train.
  ///
  /// - Parameters:
  ///   - least: at least so many folds, if there are.
  ///   - counts: whether a photo counts.
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
    // Photos of folds that are too large for that are held out all the same, and not asked about.
    return Folds(
      assignment: assignment.map { fold in fold.flatMap { $0 < kept ? $0 : nil } }, count: kept,
      mostTested: 2 * enough)
  }
}
