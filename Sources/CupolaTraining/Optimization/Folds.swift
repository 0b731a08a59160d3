internal import Cupola

/// Divides photos into folds for cross-validation, never parting a group.
struct Folds {
  /// The fold of each photo; `nil` for photos that always train, because their label has one group, or all of its groups
  /// share one fold.
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
    let whole = Self.spread(groupsByLabel, count, &foldOfGroup)
    var assignment = [Int?](repeating: nil, count: labels.count)
    for (label, members) in groupsByLabel where !whole.contains(label) {
      for (group, photos) in members {
        for photo in photos { assignment[photo] = foldOfGroup[group] }
      }
    }
    self.init(assignment: assignment, count: count)
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
  ///
  /// - Returns: The labels whose photos always train, those of one group among them.
  private static func spread(
    _ groupsByLabel: [Int: [Int: [Int]]], _ count: Int, _ foldOfGroup: inout [Int: Int]
  ) -> Set<Int> {
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
    return Set(groupsByLabel.keys.filter { isTogether($0, foldOfGroup) })
  }

  private init(assignment: [Int?], count: Int, mostTested: Int = .max) {
    self.assignment = assignment
    self.count = count
    tested = assignment.indices.filter { assignment[$0] != nil }.sampled(to: mostTested)
  }

  /// The folds of some photos, in the order given.
  func selecting(_ photos: [Int]) -> Folds {
    Folds(assignment: photos.map { assignment[$0] }, count: count)
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
