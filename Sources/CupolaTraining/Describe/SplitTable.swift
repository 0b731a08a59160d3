public import Cupola

// 1. `AutomaticSplit` finds groups of photos that belong together and deals them to train and test.
// 2. `SplitTable` writes the result, with the columns that others added to an earlier table.
// 3. `PhotoSet(dividing:)` lists the photos that a new table must have.

/// The table that `cupola split` writes, with what others added to an earlier one.
///
/// An earlier table is our own when it begins with the columns path, label, split and group, all photos
/// train, test or test_unknown, and all groups are called g and a number.
package struct SplitTable {
  static let columns = ["path", "label", "split", "group"]
  private var others: [String] = []
  /// Their fields, by the bytes of paths: of two that are equal but for their bytes each has its own.
  private var fields: [[UInt8]: [String]] = [:]

  init() {}

  /// A table in place of what stands there, if anything does.
  ///
  /// - Parameter force: replace whatever it is.
  package init(replacing path: String, force: Bool) throws(TrainingError) {
    guard Directory.exists(path) else { return }
    do throws(TrainingError) {
      let table = try PhotoTable.csv(path)
      guard force || Self.isOwn(table) else { throw TrainingError.foreignTable(path: path) }
      keepOthers(of: table)
    } catch {
      guard case .badTable = error else { throw error }
      if !force { throw .foreignTable(path: path) }
    }
  }

  /// Whether a table may take the place of what stands there without force.
  package static func mayReplace(_ path: String) -> Bool {
    (try? SplitTable(replacing: path, force: false)) != nil
  }

  private static func isOwn(_ table: CSV) -> Bool {
    table.header.starts(with: columns)
      && table.rows.allSatisfy { row in
        [Split.train, .test, .testUnknown].contains { $0.rawValue == row[2] }
          && isNumbered(row[3])
      }
  }

  /// Whether a group is called as `cupola split` calls them: g and a number.
  static func isNumbered(_ group: String) -> Bool {
    group.first == "g" && Int(group.dropFirst()) != nil
  }

  /// What a group of a table of negatives is called beside those of buildings: each table has its own g1.
  static func groupOfNegatives(_ group: String) -> String {
    isNumbered(group) ? "g-" + group.dropFirst() : group
  }

  private mutating func keepOthers(of table: CSV) {
    guard let path = table.column("path") else { return }
    let kept = table.header.indices.filter { !Self.columns.contains(table.header[$0]) }
    others = kept.map { table.header[$0] }
    fields = Dictionary(
      table.rows.map { row in (Array(row[path].utf8), kept.map { row[$0] }) },
      uniquingKeysWith: { first, _ in first })
  }

  package func text(of split: AutomaticSplit) -> String {
    let none = others.map { _ in "" }
    let rows = split.photos.map { photo in
      [photo.name, photo.label, photo.split?.rawValue ?? "", photo.group ?? ""]
        + (fields[Array(photo.name.utf8)] ?? none)
    }
    return ([Self.columns + others] + rows)
      .map { $0.map(CSV.field).joined(separator: ",") + "\n" }.joined()
  }
}

extension PhotoSet {
  /// The photos of a folder for `cupola split`: all that its layout has, those that earlier tables list
  /// as these have them.
  package init(
    dividing root: String, replacing table: String, allowOutside: Bool
  ) throws(TrainingError) {
    try self.init(root: root, splitFile: nil, PhotoListing(readsTable: false))
    let own = self.root + "/split.csv"
    var listed: [LabeledPhoto] = []
    if Directory.exists(own) {
      listed = try PhotoTable(path: own, allowOutside: allowOutside).photos(in: self.root)
    }
    if Directory.exists(table), Directory.Identity(of: table) != Directory.Identity(of: own) {
      let names = Self.names(of: listed)
      listed += try replaced(table, allowOutside).filter { !names.contains(Array($0.name.utf8)) }
    }
    let names = Self.names(of: listed)
    skipped.removeAll { names.contains(Array($0.name.utf8)) }
    photos = (listed + unlisted(beside: listed)).sorted { $0.name.precedes($1.name) }
  }

  private func replaced(
    _ table: String, _ allowOutside: Bool
  ) throws(TrainingError) -> [LabeledPhoto] {
    do throws(TrainingError) {
      return try PhotoTable(path: table, allowOutside: allowOutside).photos(in: root)
    } catch {
      // One of others, which --force replaces, may list no photos; of an own one no row may get lost.
      guard !SplitTable.mayReplace(table) else { throw error }
      return []
    }
  }

  /// The photos of the folder that its table leaves out, as ``init(dividing:replacing:allowOutside:)``
  /// takes them in.
  ///
  /// - Parameter negatives: a folder whose photos are no buildings.
  package func unlisted(but negatives: String? = nil) -> [LabeledPhoto] {
    let all = try? PhotoSet(root: root, splitFile: nil, PhotoListing(readsTable: false))
    let folder = negatives.flatMap { all?.without(photosIn: $0) } ?? all
    return folder?.unlisted(beside: photos) ?? []
  }

  private func unlisted(beside listed: [LabeledPhoto]) -> [LabeledPhoto] {
    let names = Self.names(of: listed)
    let others = photos.filter { !names.contains(Array($0.name.utf8)) }
    guard !listed.isEmpty, !others.isEmpty else { return others }
    // A table may name photos by other links, or with "./" before them.
    let files = Set(listed.compactMap { FileAccess.resolved($0.path) })
    var folder = PhotoFolder(root)
    let depth = isDivided ? 2 : 1
    // The label's folder that a photo lies in; none for those elsewhere.
    func home(of photo: LabeledPhoto) -> [Substring]? {
      folder.parts(of: photo.name).map { Array($0.dropLast().prefix(depth)) }
    }
    let siblings = Dictionary(grouping: listed, by: home)
    return others.filter { FileAccess.resolved($0.path).map { !files.contains($0) } ?? false }
      .compactMap { Self.labeled($0, like: siblings[home(of: $0)] ?? []) }
  }

  /// A photo as the table has others of its folder; `nil` where these tell of no label for it.
  private static func labeled(
    _ photo: LabeledPhoto, like siblings: [LabeledPhoto]
  ) -> LabeledPhoto? {
    let labels = Set(siblings.map(\.label))
    guard labels.count < 2 || labels.contains(photo.label) else { return nil }
    var photo = photo
    if !labels.contains(photo.label), let label = labels.first { photo.label = label }
    if !siblings.isEmpty, siblings.allSatisfy({ $0.split == .testUnknown }) {
      photo.split = .testUnknown
    }
    return photo
  }

  /// As bytes: two files may have names that Swift takes to be equal.
  private static func names(of photos: [LabeledPhoto]) -> Set<[UInt8]> {
    Set(photos.map { Array($0.name.utf8) })
  }
}

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
  package let kept: Int
  /// Labels all of whose photos train, because nothing parts them, sorted.
  package let undivided: [String]
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
