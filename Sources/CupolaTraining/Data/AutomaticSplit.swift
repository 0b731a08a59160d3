public import Cupola

/// Divides photos into those to train with and those to measure with, so that no test photo is nearly a
/// training photo.
///
/// Equal files, copies, bursts and photos of one viewpoint stay together, and so do given groups; every
/// label has its share of test photos as nearly as its groups allow.
public struct AutomaticSplit: Sendable {
  /// Photos that could be read, or that a table had already, with their parts and groups, in the order
  /// given.
  public let photos: [LabeledPhoto]
  /// Photos that could not be read.
  public let skipped: [SkippedFile]
  /// How many of these a table had already: ``photos`` has them.
  package let kept: Int
  /// Labels all of whose photos train, because nothing parts them, sorted.
  public let undivided: [String]
  /// Labels of buildings of whose sessions, or days, the others are measured with and one alone trains,
  /// sorted.
  package let oneSession: [String]

  /// Divides photos; what parts they had means nothing, but for `test_unknown`, which stays; their groups
  /// do.
  ///
  /// - Parameters:
  ///   - all: the photos to be divided.
  ///   - share: of the photos of each label to measure with, more than 0, less than 1.
  ///   - seed: which of the groups these are; the same seed gives the same parts.
  ///   - decoder: how photos are decoded.
  ///   - threads: how many photos are read at a time.
  ///   - progress: told how many photos have been read.
  ///   - comparing: told how many photos have been compared with the others, or cannot be.
  public init(
    of all: [LabeledPhoto], share: Double, seed: UInt64, decoder: PhotoDecoder, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil, comparing: (@Sendable (Int) -> Void)? = nil
  ) async {
    precondition(share > 0 && share < 1, "a share of \(share)")
    let results = await parallelMap(all, threads: threads, progress: progress) { photo in
      Result { () throws(CupolaError) in try PhotoTraits(reading: photo, with: decoder) }
    }
    let traits = zip(all, results).compactMap { photo, result in
      // A disk that is away for a day must not cost a table its rows.
      (try? result.get()) ?? (photo.isListed ? PhotoTraits(unread: photo) : nil)
    }
    skipped = zip(all, results).compactMap { photo, result in
      guard case .failure(let error) = result else { return nil }
      return SkippedFile(name: photo.name, reason: .unusable(error))
    }
    kept = traits.count + skipped.count - all.count
    let unread = all.count - traits.count
    let groups = await Grouping.groups(
      of: traits, threads: threads,
      progress: comparing.map { tell in { @Sendable compared in tell(unread + compared) } })
    let shown = zip(traits, groups).filter { $0.0.photo.split != .testUnknown }
      .map { traits, group -> Shown in
        (traits.photo.label, group, traits.metadata.capture?.dayName)
      }
    var generator = SplitMix64(seed: seed)
    let tests = Self.tests(
      labels: shown.map(\.label), groups: shown.map(\.group), share: share, using: &generator)
    photos = zip(traits, groups).map { traits, group in
      var photo = traits.photo
      if photo.split != .testUnknown { photo.split = tests.contains(group) ? .test : .train }
      photo.group = "g\(group + 1)"
      return photo
    }
    let divided = Set(shown.filter { tests.contains($0.group) }.map(\.label))
    undivided = Set(shown.map(\.label)).subtracting(divided).sorted()
    oneSession = Self.oneSession(shown, tests: tests)
  }

  /// What a photo shows, with which photos it stays together, and when it was taken.
  typealias Shown = (label: String, group: Int, day: String?)

  /// The buildings of which tests leave one group to train with, or one of several days, where all that is left says its.
  static func oneSession(_ photos: [Shown], tests: Set<Int>) -> [String] {
    Dictionary(grouping: photos, by: \.label).filter { label, own in
      let left = own.filter { !tests.contains($0.group) }
      guard !Labels.isBackground(label), !left.isEmpty, left.count < own.count else {
        return false
      }
      return Set(left.map(\.group)).count == 1
        || Set(left.map(\.day)).count == 1 && left[0].day != nil
          && Set(own.compactMap(\.day)).count > 1
    }.keys.sorted()
  }

  /// The groups to measure with.
  static func tests(
    labels: [String], groups: [Int], share: Double, using generator: inout SplitMix64
  ) -> Set<Int> {
    var sizes: [String: [Int: Int]] = [:]
    for (label, group) in zip(labels, groups) { sizes[label, default: [:]][group, default: 0] += 1 }
    var tests: Set<Int> = []
    var training: Set<Int> = []
    // How many groups of each label train, and whose they are: the last group of a label trains, if no other one does.
    var left = sizes.mapValues(\.count)
    var owners: [Int: [String]] = [:]
    for (label, members) in sizes {
      for group in members.keys { owners[group, default: []].append(label) }
    }
    // Labels with few groups choose first: groups of several labels are dealt only once.
    for (_, members) in sizes.sorted(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) }) {
      let wanted = share * Double(members.values.reduce(0, +))
      var held = members.filter { tests.contains($0.key) }.values.reduce(0, +)
      let open = generator.shuffled(
        members.keys.filter { !tests.contains($0) && !training.contains($0) }.sorted())
      func isFree(_ group: Int) -> Bool {
        owners[group]?.allSatisfy { (left[$0] ?? 0) > 1 } ?? false
      }
      func test(_ group: Int) {
        tests.insert(group)
        held += members[group] ?? 0
        for label in owners[group] ?? [] { left[label, default: 1] -= 1 }
      }
      for group in open {
        let size = Double(members[group] ?? 0)
        let isNearer = abs(Double(held) + size - wanted) < abs(Double(held) - wanted)
        if isNearer && isFree(group) { test(group) }
      }
      // Each that may is far more than the share: the smallest comes nearest to it.
      let free = held == 0 ? open.filter(isFree) : []
      let least = free.compactMap { members[$0] }.min()
      if let group = free.last(where: { members[$0] == least }) { test(group) }
      training.formUnion(open.filter { !tests.contains($0) })
    }
    return tests
  }

  /// The table that `split.csv` has.
  public var table: String { SplitTable().text(of: self) }
}
