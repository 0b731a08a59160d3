internal import Cupola

// 1. Lists a folder: by `split.csv`, by folders of parts, or by folders of labels.
// 2. A folder of negatives gets one label.
// 3. Sets are joined, reduced by a folder, or divided as another set is.
// 4. `IgnoredFiles` counts what is no photo.

/// The photos of a folder with their labels, in a fixed order.
///
/// `root/<label>/*.jpg`, or `root/{train,val,test,test_unknown}/<label>/*.jpg` (one of them is enough), or whatever
/// `root/split.csv` (`path,label,split[,group]`) lists. Photos in folders below that of a label are the label's too; a
/// folder is read once, however many links lead there. Hidden names are ignored; labels beginning with
/// `_` are background.
public struct PhotoSet: Sendable {
  package let root: String
  /// All photos, sorted by name.
  public internal(set) var photos: [LabeledPhoto] = []
  /// Files that are left out, with the reason.
  public internal(set) var skipped: [SkippedFile] = []
  package private(set) var ignoredFiles = IgnoredFiles()
  package var ignored: Int { ignoredFiles.count }
  private(set) var joinedRoots: [String] = []
  package var isDivided: Bool { photos.contains { $0.split != nil } }

  /// The background label of photos from a folder of negatives.
  package static let negativeLabel = "_not_a_building"

  /// Lists the photos of a folder without opening them.
  ///
  /// - Parameters:
  ///   - root: the folder.
  ///   - splitFile: a table instead of `root/split.csv`.
  ///   - allowOutside: whether a table may list photos outside of the folder.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badTable(path:line:problem:)``; folders within that cannot be
  ///   read are in ``skipped``.
  public init(
    root: String, splitFile: String? = nil, allowOutside: Bool = false
  ) throws(TrainingError) {
    let listing = PhotoListing(allowOutside: allowOutside)
    try self.init(root: root, splitFile: splitFile, listing)
  }

  init(root: String, splitFile: String?, _ listing: PhotoListing) throws(TrainingError) {
    let root = PhotoSet.withoutSlash(root)
    self.root = root
    let entries = try listing.entries(of: root)
    let own = listing.readsTable ? PhotoSet.table(in: root, entries) : nil
    if let table = splitFile ?? own {
      photos = try PhotoTable(path: table, allowOutside: listing.allowOutside).photos(in: root)
    } else if entries.contains(where: { Self.isPart($0, in: root, listing) }) {
      addParts(entries, listing)
    } else {
      for step in listing.steps(in: root, entries) {
        add(step, label: Self.folders(of: step).first, split: nil)
      }
    }
    photos.sort { $0.name.precedes($1.name) }
  }

  /// Lists photos of things that are no buildings: all photos below a folder, whatever its layout,
  /// or what its `split.csv` lists.
  ///
  /// - Parameters:
  ///   - root: the folder.
  ///   - splitFile: a table instead of `root/split.csv`.
  ///   - allowOutside: whether a table may list photos outside of the folder.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badTable(path:line:problem:)``.
  public init(
    negatives root: String, splitFile: String? = nil, allowOutside: Bool = false
  ) throws(TrainingError) {
    let listing = PhotoListing(allowOutside: allowOutside)
    let root = PhotoSet.withoutSlash(root)
    self.root = root
    let entries = try listing.entries(of: root)
    if let table = splitFile ?? PhotoSet.table(in: root, entries) {
      photos = try PhotoTable(path: table, allowOutside: allowOutside).photos(in: root)
      for index in photos.indices {
        photos[index].group = photos[index].group.map(SplitTable.groupOfNegatives)
        if !Labels.isBackground(photos[index].label) { photos[index].label = Self.negativeLabel }
      }
    } else {
      for step in listing.steps(in: root, entries) {
        add(step, label: Self.negativeLabel[...], split: nil)
      }
    }
    photos.sort { $0.name.precedes($1.name) }
  }

  /// The photos of this folder and of another, which are named with theirs.
  public func joined(with other: PhotoSet) -> PhotoSet {
    var set = self
    set.joinedRoots.append(other.root)
    set.photos += other.photos.map { photo in
      var photo = photo
      photo.name = photo.path
      return photo
    }
    set.skipped += other.skipped.map {
      SkippedFile(name: other.root + "/" + $0.name, reason: $0.reason)
    }
    set.ignoredFiles.add(other.ignoredFiles)
    return set
  }

  /// The photos for some parts; all of them when they are not divided.
  public func photos(for splits: Set<Split>) -> [LabeledPhoto] {
    photos.filter { $0.split.map(splits.contains) ?? true }
  }

  /// Whether an entry of the folder is one of the parts: `train`, or another that has folders of labels
  /// and no photos itself, as a building of that name would.
  private static func isPart(
    _ entry: Directory.Entry, in root: String, _ listing: PhotoListing
  ) -> Bool {
    guard entry.isDirectory, let part = Split(rawValue: entry.name) else { return false }
    guard part != .train else { return true }
    let inner = (try? listing.entries(of: root + "/" + entry.name)) ?? []
    return inner.contains(where: \.isDirectory)
      && !inner.contains { !$0.isDirectory && looksLikePhoto($0.name) }
  }

  /// What the folders of the parts have; what stands beside them is left out.
  private mutating func addParts(_ entries: [Directory.Entry], _ listing: PhotoListing) {
    let others = entries.filter { $0.isDirectory && Split(rawValue: $0.name) == nil }
    for step in listing.steps(in: root, entries.filter { !others.contains($0) }) {
      let folders = Self.folders(of: step)
      let split = folders.first.flatMap { Split(rawValue: String($0)) }
      add(step, label: folders.dropFirst().first, split: split)
    }
    guard !others.isEmpty else { return }
    // Links in the parts may lead to the others.
    let used = Set(photos.compactMap { FileAccess.resolved($0.path) })
    for step in listing.steps(in: root, others) {
      switch step.kind {
      case .unreadable(let error):
        skipped.append(SkippedFile(name: step.name, reason: .unusable(.file(error))))
      case .file where PhotoSet.looksLikePhoto(String(step.lastName)):
        guard let file = FileAccess.resolved(root + "/" + step.name), !used.contains(file) else {
          continue
        }
        skipped.append(SkippedFile(name: step.name, reason: .besidePartFolders))
      default: continue
      }
    }
  }

  private static func table(in root: String, _ entries: [Directory.Entry]) -> String? {
    entries.contains { $0.name == "split.csv" && !$0.isDirectory } ? root + "/split.csv" : nil
  }

  private static func withoutSlash(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  private static func folders(of step: FolderWalk.Step) -> [Substring] {
    step.name.split(separator: "/").dropLast()
  }

  /// - Parameter label: none for what stands beside the folders of labels.
  private mutating func add(_ step: FolderWalk.Step, label: Substring?, split: Split?) {
    let isPhoto = PhotoSet.looksLikePhoto(String(step.lastName))
    switch step.kind {
    case .notUTF8: skipped.append(SkippedFile(name: step.name, reason: .nameNotUTF8))
    case .repeated: ignoredFiles.repeatedFolders += 1
    case .unreadable(let error) where !isPhoto:
      skipped.append(SkippedFile(name: step.name, reason: .unusable(.file(error))))
    // What is wrong with a photo shows when it is opened.
    case .file, .special, .unreadable:
      guard isPhoto else {
        // Maps, tables and notes stand beside the folders of labels.
        if label != nil || IgnoredFiles.isVideo(step.lastName) { ignoredFiles.add(step.lastName) }
        return
      }
      guard let label else {
        skipped.append(SkippedFile(name: step.name, reason: .outsideLabelFolder))
        return
      }
      photos.append(
        LabeledPhoto(
          path: path(of: step.name), name: step.name, label: String(label), split: split, group: nil
        ))
    }
  }

  private func path(of name: String) -> String {
    root == "/" ? root + name : root + "/" + name
  }

  /// By its extension; what the file really is shows when it is opened.
  package static func looksLikePhoto(_ name: String) -> Bool {
    let extensions: Set<String> = [
      "jpg", "jpeg", "jpe", "jfif", "heic", "heif", "avif", "png", "webp", "gif", "tif", "tiff",
      "bmp", "jxl",
    ]
    return name.fileExtension.map(extensions.contains) ?? false
  }
}

struct PhotoListing {
  var allowOutside = false
  var readsTable = true
  var list: FolderWalk.Lister = Directory.entries

  func entries(of root: String) throws(TrainingError) -> [Directory.Entry] {
    try TrainingError.files { () throws(FileError) in try list(root) }
  }

  func steps(in root: String, _ entries: [Directory.Entry]) -> [FolderWalk.Step] {
    FolderWalk.steps(in: root, entries: entries, listing: list)
  }
}

/// What was found among photos and is none, by kind.
///
/// Hidden files are not counted, nor what systems put beside photos by themselves, such as `Thumbs.db`.
package struct IgnoredFiles: Equatable, Sendable {
  package internal(set) var videos = 0
  package internal(set) var others = 0
  /// Folders that were read already, reached once more by a link.
  package internal(set) var repeatedFolders = 0

  package init() {}

  package var count: Int { videos + others }

  /// Such as "3 videos, 2 other files"; empty without any.
  package var text: String {
    [(videos, "video"), (others, "other file"), (repeatedFolders, "repeated folder")]
      .filter { $0.0 > 0 }.map { FigureText.count($0, $1) }.joined(separator: ", ")
  }

  mutating func add(_ name: Substring) {
    if Self.isVideo(name) { videos += 1 } else { others += 1 }
  }

  package mutating func add(_ other: IgnoredFiles) {
    videos += other.videos
    others += other.others
    repeatedFolders += other.repeatedFolders
  }

  package var json: JSONObject {
    ["videos": videos, "other_files": others, "repeated_folders": repeatedFolders]
  }

  static func isVideo(_ name: Substring) -> Bool {
    name.fileExtension.map(videoExtensions.contains) ?? false
  }

  private static let videoExtensions: Set<String> = [
    "3gp", "avi", "flv", "insv", "lrv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
    "ogv",
    "webm", "wmv",
  ]
}

extension PhotoSet {
  /// The photos, and what is left out, that do not lie in a folder, behind all links.
  package func without(photosIn folder: String) -> PhotoSet {
    guard let folder = FileAccess.resolved(folder) else { return self }
    let slash = UInt8(ascii: "/")
    let start = folder.last == slash ? folder : folder + [slash]
    var set = self
    set.photos.removeAll { FileAccess.resolved($0.path)?.starts(with: start) ?? false }
    // Whoever lists that folder tells what is wrong there.
    set.skipped.removeAll { file in
      let path = path(of: file.name)
      // A link to nowhere, or a name that is no UTF-8, lies where its folder is.
      let place =
        FileAccess.resolved(path)
        ?? FileAccess.resolved(FileAccess.folder(of: path)).map { $0 + [slash] }
      return place?.starts(with: start) ?? false
    }
    return set
  }

  /// The photos with the parts, groups and columns that another set has for the same files, behind all links; those that
  /// have a part already keep it. Where some have one, the others train.
  package func divided(as other: PhotoSet) -> PhotoSet {
    var rows: [[UInt8]: LabeledPhoto] = [:]
    for photo in other.photos where photo.split != nil {
      if let file = FileAccess.resolved(photo.path) { rows[file] = photo }
    }
    var set = self
    for index in photos.indices where photos[index].split == nil {
      guard let row = FileAccess.resolved(photos[index].path).flatMap({ rows[$0] }) else {
        continue
      }
      set.photos[index].split = row.split
      set.photos[index].group = row.group
      set.photos[index].attributes = row.attributes
    }
    // What has no part is of all parts: it would train, and be measured with, too.
    if set.isDivided {
      for index in photos.indices where set.photos[index].split == nil {
        set.photos[index].split = .train
      }
    }
    return set
  }
}
