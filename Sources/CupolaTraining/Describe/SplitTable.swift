public import Cupola

// 1. Group related photos and assign the groups to train or test, unless a table assigns them (`AutomaticSplit`).
// 2. Write the table, keeping columns that were added to an earlier one, or following moved photos (`SplitTable`).
// 3. List the photos for a new table (`PhotoSet(dividing:)`).

/// The table written by `cupola split`, with the columns added to an earlier table.
package struct SplitTable {
  static let columns = ["path", "label", "split", "group"]
  private var others: [String] = []
  /// The added fields by path; paths are bytes, to distinguish canonically equivalent paths.
  private var fields: [[UInt8]: [String]] = [:]

  init() {}

  /// Prepares to replace the split table at a path, if any; `force` replaces any file.
  package init(replacing path: String, force: Bool) throws(TrainingError) {
    guard Directory.exists(path) else { return }
    do throws(TrainingError) {
      let table = try PhotoTable.csv(path)
      guard force || Self.isSplit(table) else { throw TrainingError.foreignTable(path: path) }
      keepOthers(of: table)
    } catch {
      guard case .badTable = error else { throw error }
      if !force { throw .foreignTable(path: path) }
    }
  }

  fileprivate static func mayReplace(_ path: String) -> Bool {
    (try? SplitTable(replacing: path, force: false)) != nil
  }

  private static func isSplit(_ table: CSV) -> Bool {
    guard ["path", "label"].allSatisfy(table.header.contains), let split = table.column("split")
    else { return false }
    return table.rows.allSatisfy { Split(rawValue: $0[split].trimmed) != nil }
  }

  static func isNumbered(_ group: String) -> Bool {
    group.first == "g" && Int(group.dropFirst()) != nil
  }

  /// Renames a numbered group from a negatives table, because its numbers also start at g1.
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

  /// The text of the table.
  ///
  /// - Parameter missing: The photos whose rows follow them.
  package func text(of split: AutomaticSplit, missing: MissingPhotos = MissingPhotos()) -> String {
    let none = others.map { _ in "" }
    let rows = split.photos.map { photo in
      [photo.name, photo.label, photo.split?.rawValue ?? "", photo.group ?? ""]
        + (fields[missing.moved[Array(photo.name.utf8)] ?? Array(photo.name.utf8)] ?? none)
    }
    return CSV.text([Self.columns + others] + rows)
  }
}

extension SplitTable {
  /// Returns the text of a table whose rows follow moved photos, with their labels; `nil` if no row is affected.
  ///
  /// - Parameters:
  ///   - moves: The new name of each moved photo by its old name, both relative to the photo folder. The rows of
  ///     photos without a new name are removed.
  ///   - root: The photo folder, which contains the table.
  /// - Throws: ``TrainingError/badTable(path:line:problem:)`` or ``TrainingError/file(_:)``.
  package static func following(
    _ moves: [String: String?], in root: String
  ) throws(TrainingError) -> [UInt8]? {
    let table = try PhotoTable.csv(root + "/split.csv")
    guard let path = table.column("path"), let label = table.column("label"),
      let split = table.column("split")
    else { return nil }
    var folder = PhotoFolder(root)
    // Rows may name photos with "./" or by absolute paths.
    let names = table.rows.map { folder.parts(of: $0[path])?.joined(separator: "/") ?? $0[path] }
    guard names.contains(where: { moves[$0] != nil }) else { return nil }
    let targets = Set(moves.values.compactMap(\.self))
    let staying = zip(names, table.rows).filter { moves[$0.0] == nil && !targets.contains($0.0) }
    let siblings = Dictionary(grouping: staying) { Self.home(of: $0.0) }
    let rows = zip(names, table.rows).compactMap { name, row -> [String]? in
      // A row of a photo that no longer exists may have the new name.
      guard let move = moves[name] else { return targets.contains(name) ? nil : row }
      guard let new = move else { return nil }
      let others = (siblings[Self.home(of: new)] ?? []).map(\.1)
      let labels = Set(others.map { $0[label].trimmed })
      let isUnknown = others.allSatisfy { $0[split].trimmed == Split.testUnknown.rawValue }
      var row = row
      row[path] = new
      row[label] = labels.count == 1 ? labels.first ?? "" : String(Self.home(of: new))
      if !others.isEmpty, isUnknown != (row[split].trimmed == Split.testUnknown.rawValue) {
        row[split] = (isUnknown ? Split.testUnknown : .train).rawValue
      }
      return row
    }
    return Array(CSV.text([table.header] + rows).utf8)
  }

  private static func home(of name: String) -> Substring { name.prefix { $0 != "/" } }
}

extension PhotoSet {
  /// Lists the photos for `cupola split`: all photos in the folder, with entries from earlier tables.
  ///
  /// - Parameter anew: Whether to ignore the earlier splits except `test_unknown`.
  package init(
    dividing root: String, replacing table: String, allowOutside: Bool, anew: Bool = false
  ) throws(TrainingError) {
    try self.init(root: root, splitFile: nil, PhotoListing(readsTable: false))
    let own = self.root + "/split.csv"
    var listed: [LabeledPhoto] = []
    let isOwn = Directory.Identity(of: table) == Directory.Identity(of: own)
    if Directory.exists(own) {
      listed =
        isOwn
        ? try replaced(own, allowOutside)
        : try PhotoTable(path: own, allowOutside: allowOutside).photos(in: self.root)
    }
    if Directory.exists(table), !isOwn {
      let names = Self.names(of: listed)
      listed += try replaced(table, allowOutside).filter { !names.contains(Array($0.name.utf8)) }
    }
    let names = Self.names(of: listed)
    skipped.removeAll { names.contains(Array($0.name.utf8)) }
    var others = unlisted(beside: listed)
    missing = try MissingPhotos(&listed, &others, in: self.root)
    photos = (listed + others).sorted { $0.name.precedes($1.name) }
    if anew { forgetSplits() }
  }

  /// Lists the photos of a folder of non-building photos for `cupola split`, with entries from an earlier table.
  package init(
    dividingNegatives root: String, allowOutside: Bool, anew: Bool = false
  ) throws(TrainingError) {
    try self.init(negatives: root, splitFile: nil, PhotoListing(readsTable: false))
    let table = self.root + "/split.csv"
    guard Directory.exists(table) else { return }
    var listed = try replaced(table, allowOutside)
    let names = Self.names(of: listed)
    var others = photos.filter { !names.contains(Array($0.name.utf8)) }
    missing = try MissingPhotos(&listed, &others, in: self.root)
    photos = (listed + others).sorted { $0.name.precedes($1.name) }
    if anew { forgetSplits() }
  }

  /// Uses all photos of a building only for testing, as those of an unknown building; returns `false` if it has none.
  package mutating func testAsUnknown(_ building: String) -> Bool {
    let own = photos.indices.filter { photos[$0].label == building }
    guard !own.isEmpty, !Labels.isBackground(building) else { return false }
    for index in own { photos[index].split = .testUnknown }
    return true
  }

  private mutating func forgetSplits() {
    for index in photos.indices where photos[index].split != .testUnknown {
      photos[index].split = nil
    }
  }

  private func replaced(
    _ table: String, _ allowOutside: Bool
  ) throws(TrainingError) -> [LabeledPhoto] {
    do throws(TrainingError) {
      return try PhotoTable(path: table, allowOutside: allowOutside).photos(in: root)
    } catch {
      // With --force, the file may be no split table; rows of a split table must not be lost.
      guard !SplitTable.mayReplace(table) else { throw error }
      return []
    }
  }

  /// The photos in the folder that its table does not list, excluding the `negatives` folder.
  package func unlisted(but negatives: String? = nil) -> [LabeledPhoto] {
    let all = try? PhotoSet(root: root, splitFile: nil, PhotoListing(readsTable: false))
    let folder = negatives.flatMap { all?.without(photosIn: $0) } ?? all
    return folder?.unlisted(beside: photos) ?? []
  }

  private func unlisted(beside listed: [LabeledPhoto]) -> [LabeledPhoto] {
    let names = Self.names(of: listed)
    let others = photos.filter { !names.contains(Array($0.name.utf8)) }
    guard !listed.isEmpty, !others.isEmpty else { return others }
    // A table may refer to photos through other links or with "./".
    let files = Set(listed.compactMap { FileAccess.resolved($0.path) })
    var folder = PhotoFolder(root)
    let depth = isDivided ? 2 : 1
    func home(of photo: LabeledPhoto) -> [Substring]? {
      folder.parts(of: photo.name).map { Array($0.dropLast().prefix(depth)) }
    }
    let siblings = Dictionary(grouping: listed, by: home)
    return others.filter { FileAccess.resolved($0.path).map { !files.contains($0) } ?? false }
      .compactMap { Self.labeled($0, like: siblings[home(of: $0)] ?? []) }
  }

  /// Assigns a photo the label of the table's other photos in its folder; `nil` if those have different labels.
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

  private static func names(of photos: [LabeledPhoto]) -> Set<[UInt8]> {
    Set(photos.map { Array($0.name.utf8) })
  }
}

/// Splits photos into training and test sets so that no near duplicates are in both.
///
/// Identical files, copies, bursts, photos from one viewpoint and given groups stay together. The fraction of test
/// photos of each label is as close to the requested one as its groups allow.
public struct AutomaticSplit: Sendable {
  /// All photos that are readable or listed in an earlier table, with split and group, in the given order.
  public let photos: [LabeledPhoto]
  /// Unreadable photos.
  public let skipped: [SkippedFile]
  package let kept: Int
  /// The number of building photos without a capture time and a named session.
  package let untimed: Int
  /// The names of photos that the table assigns to the other part.
  package let moved: [String]
  /// Labels without test photos, because all their photos stay together; sorted.
  package let undivided: [Scarce]
  /// Buildings with several groups or days whose training photos are all from one of them; sorted.
  package let oneSession: [Scarce]

  /// A label with too few groups of photos.
  package struct Scarce: Equatable, Sendable {
    package let label: String
    package let origin: Origin

    /// The origin of the label's photos.
    package enum Origin: Hashable, Sendable {
      case session
      case day
      /// A group with photos of several days, which share viewpoints, copies or a group in the table.
      case linkedDays(Int)
      /// A group with photos of several visits, joined by similar photos such as these.
      case similar(String, String)
      /// Groups that also contain photos of other labels.
      case otherLabels
    }
  }

  /// Splits the photos; keeps groups and `test_unknown`.
  ///
  /// With `asTraining`, a new table lists the test photos that training holds back without one, except those of sessions
  /// that training divides.
  ///
  /// If a table assigns the photos of a group to one part, they stay there, so that changes by hand are kept. A group in
  /// both parts, for example after its photos were given one `group`, is assigned again.
  ///
  /// - Parameters:
  ///   - all: The photos to split.
  ///   - share: The fraction of each label's photos to use for testing, more than 0 and less than 1.
  ///   - seed: The seed for the random choice of groups.
  ///   - asTraining: Whether to choose the same photos as training, if no table assigns any.
  ///   - decoder: The decoder of the photos.
  ///   - threads: The number of photos to read concurrently.
  ///   - progress: Called with the number of photos read.
  ///   - comparing: Called with the number of photos compared, including unreadable ones.
  public init(
    of all: [LabeledPhoto], share: Double, seed: UInt64, asTraining: Bool = false,
    decoder: PhotoDecoder, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil, comparing: (@Sendable (Int) -> Void)? = nil
  ) async {
    precondition(share > 0 && share < 1, "share \(share) is not between 0 and 1")
    let results = await parallelMap(all, threads: threads, progress: progress) { photo in
      Result { () throws(CupolaError) in try PhotoTraits(reading: photo, with: decoder) }
    }
    let traits = zip(all, results).compactMap { photo, result in
      // Keep the rows of temporarily unavailable files.
      (try? result.get()) ?? (photo.isListed ? PhotoTraits(unread: photo) : nil)
    }
    skipped = zip(all, results).compactMap { photo, result in
      guard case .failure(let error) = result else { return nil }
      return SkippedFile(name: photo.name, reason: .unusable(error))
    }
    kept = traits.count + skipped.count - all.count
    untimed = results.count { (try? $0.get())?.isUntimedBuilding ?? false }
    let unread = all.count - traits.count
    let copies = await Grouping.copies(
      of: traits, threads: threads,
      progress: comparing.map { tell in { @Sendable compared in tell(unread + compared) } })
    let groups = Grouping.groups(of: traits, joining: copies)
    let isNew = asTraining && traits.allSatisfy { $0.photo.isGivenTest == nil }
    let shown = zip(traits, groups).filter { $0.0.photo.split != .testUnknown }
      .map { traits, group -> Shown in
        (traits.photo.label, group, traits.metadata.capture?.dayName)
      }
    var generator = SplitMix64(seed: seed)
    let tests = Self.tests(
      labels: shown.map(\.label), groups: shown.map(\.group), share: share,
      given: isNew
        ? HeldBackPhotos.parts(of: traits, groups: groups, copies: copies)
        : Self.given(traits.map(\.photo), groups), using: &generator)
    let photos = zip(traits, groups).map { traits, group in
      var (photo, isTest) = (traits.photo, tests.contains(group))
      if photo.split != .testUnknown, photo.isGivenTest != isTest {
        photo.split = isTest ? .test : .train
      }
      photo.group = photo.namedSession ?? "g\(group + 1)"
      return photo
    }
    self.photos = photos
    moved = zip(traits, photos).filter { $0.photo.isGivenTest != nil && $0.photo.split != $1.split }
      .map(\.1.name)
    let divided = Set(shown.filter { tests.contains($0.group) }.map(\.label))
    let undivided = Dictionary(grouping: shown.filter { !divided.contains($0.label) }, by: \.label)
      .map { Scarce(label: $0.key, origin: Self.origin(of: $0.value) ?? .otherLabels) }
      .sorted { $0.label < $1.label }
    let oneSession = Self.oneSession(shown, tests: tests)
    let links = await VisitLinks(
      of: undivided + oneSession, among: traits, groups: groups, threads: threads)
    self.undivided = undivided.map { links.explaining($0) }
    self.oneSession = oneSession.map { links.explaining($0) { !tests.contains($0) } }
  }

  /// Whether each group is for testing, for the groups that a table assigns to one part.
  private static func given(_ photos: [LabeledPhoto], _ groups: [Int]) -> [Int: Bool] {
    undivided(
      zip(photos, groups).compactMap { photo, group in photo.isGivenTest.map { (group, $0) } })
  }

  /// Whether each group is for testing, without the groups in both parts.
  static func undivided(_ parts: [(group: Int, isTest: Bool)]) -> [Int: Bool] {
    Dictionary(grouping: parts, by: \.group).compactMapValues { parts in
      Set(parts.map(\.isTest)).count == 1 ? parts.first?.isTest : nil
    }
  }

  typealias Shown = (label: String, group: Int, day: String?)

  /// The buildings with several groups or days whose training photos are all from one of them.
  static func oneSession(_ photos: [Shown], tests: Set<Int>) -> [Scarce] {
    Dictionary(grouping: photos, by: \.label).compactMap { label, own -> Scarce? in
      let left = own.filter { !tests.contains($0.group) }
      guard !Labels.isBackground(label), !left.isEmpty, left.count < own.count else { return nil }
      if let origin = origin(of: left) { return Scarce(label: label, origin: origin) }
      let isOneDay = Set(left.map(\.day)).count == 1 && left[0].day != nil
      return isOneDay && Set(own.compactMap(\.day)).count > 1
        ? Scarce(label: label, origin: .day) : nil
    }.sorted { $0.label < $1.label }
  }

  /// The origin of photos in one group; `nil` if they are in several groups.
  static func origin(of photos: [Shown]) -> Scarce.Origin? {
    guard Set(photos.map(\.group)).count == 1 else { return nil }
    let days = Set(photos.compactMap(\.day)).count
    return days > 1 ? .linkedDays(days) : .session
  }

  /// Chooses the groups for testing.
  ///
  /// - Parameter given: The groups that were assigned before. Training groups are still open if one of their labels has
  ///   no test group.
  static func tests(
    labels: [String], groups: [Int], share: Double, given: [Int: Bool] = [:],
    using generator: inout SplitMix64
  ) -> Set<Int> {
    var sizes: [String: [Int: Int]] = [:]
    for (label, group) in zip(labels, groups) { sizes[label, default: [:]][group, default: 0] += 1 }
    var tests = Set(given.filter(\.value).keys)
    // Count each label's training groups, because its last one must not become a test group.
    var left = sizes.mapValues(\.count)
    var owners: [Int: [String]] = [:]
    for (label, members) in sizes {
      for group in members.keys { owners[group, default: []].append(label) }
      left[label, default: 0] -= members.keys.count(where: tests.contains)
    }
    var tested = Set(tests.flatMap { owners[$0] ?? [] })
    var training = Set(given.keys.filter { owners[$0]?.allSatisfy(tested.contains) ?? true })
      .subtracting(tests)
    // Process labels with few groups first, because a group is assigned for all its labels at once.
    for (_, members) in sizes.sorted(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) }) {
      let wanted = share * Double(members.values.reduce(0, +))
      var held = members.filter { tests.contains($0.key) }.values.reduce(0, +)
      let open = generator.shuffled(
        members.keys.filter { !tests.contains($0) && !training.contains($0) }.sorted())
      func isFree(_ group: Int, leaving least: Int = 1) -> Bool {
        owners[group]?.allSatisfy { (left[$0] ?? 0) > (tested.contains($0) ? least : 1) } ?? false
      }
      func test(_ group: Int) {
        tests.insert(group)
        held += members[group] ?? 0
        tested.formUnion(owners[group] ?? [])
        for label in owners[group] ?? [] { left[label, default: 1] -= 1 }
      }
      for group in open {
        let size = Double(members[group] ?? 0)
        let isNearer = abs(Double(held) + size - wanted) < abs(Double(held) - wanted)
        // Training calibrates a label with two groups, so more test groups must leave two.
        if isNearer && isFree(group, leaving: 2) { test(group) }
      }
      // All free groups are larger than requested, so use the smallest.
      let free = held == 0 ? open.filter { isFree($0) } : []
      let least = free.compactMap { members[$0] }.min()
      if let group = free.last(where: { members[$0] == least }) { test(group) }
      training.formUnion(open.filter { !tests.contains($0) })
    }
    return tests
  }

  /// Whether some groups are named, so that a photo without a capture time can have a session.
  package var hasNamedSessions: Bool { photos.contains { $0.namedSession != nil } }

  /// What photos of unknown sessions lack.
  package static func lackOfTime(hasNamedSessions: Bool) -> String {
    hasNamedSessions ? "neither a capture time nor a named group" : "no capture time"
  }

  /// What missing capture times mean for the test, and what to do in a split table.
  package static func adviceForUntimed(table: String?) -> String {
    "photos that were taken together can be both in training and in test, so the measured accuracy may be too high and its "
      + "interval too narrow. The model is no worse, so you can go on, and test it with photos from another day. If you "
      + "know which photos were taken together: "
      + (table.map { "in \($0), " } ?? "run cupola split, and in split.csv, ")
      + "write their times into a column time (2026-05-01 14:30), or replace their numbers in the column group (g1, g2, ...) "
      + "by one name per building and session, such as library-1; then run cupola split and cupola train again"
  }

  /// The contents of `split.csv`.
  public var table: String { SplitTable().text(of: self) }
}
