internal import Cupola

extension PhotoSet {
  /// The photos of a folder for `cupola split`: all that its layout has, those that earlier tables list
  /// as these have them.
  ///
  /// - Parameters:
  ///   - root: the folder.
  ///   - table: the table that is replaced, if one stands there; `root/split.csv` comes before it.
  ///   - allowOutside: whether tables may list photos outside of the folder.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badTable(path:line:problem:)``.
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

  /// What the table lists that is replaced.
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

  /// - Parameter listed: what a table has of the same folder.
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
