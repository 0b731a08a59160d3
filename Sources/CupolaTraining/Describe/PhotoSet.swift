package import Cupola

// 1. List a folder according to `split.csv`, split folders or label folders.
// 2. Assign one label to all photos of a negatives folder.
// 3. Join, filter or split sets.

/// The photos of a folder with their labels, sorted by name.
///
/// Supports `root/<label>/*.jpg`, `root/{train,val,test,test_unknown}/<label>/*.jpg` (any of these folders, also under
/// other names such as `Training` and `valid`), and `root/split.csv` (`path,label,split[,group]`). Includes subfolders of
/// label folders, and reads each folder once, even if several links lead to it. Ignores hidden files and folders, except
/// iCloud placeholders of photos. Labels with prefix `_` are background classes.
public struct PhotoSet: Sendable {
  package let root: String
  /// The file name of the table that lists the photos, for messages; reports omit its path.
  private(set) var table: String?
  /// All photos, sorted by name.
  public internal(set) var photos: [LabeledPhoto] = []
  /// Skipped files and the reasons.
  public internal(set) var skipped: [SkippedFile] = []
  package private(set) var ignoredFiles = IgnoredFiles()
  package var ignored: Int { ignoredFiles.count }
  /// The rows of an earlier table whose photos are missing; empty except for `cupola split`.
  package internal(set) var missing = MissingPhotos()
  private(set) var joinedRoots: [String] = []
  /// The ignored files that were counted; some of them can be Live Photo movies or sidecars.
  private var companions: [String] = []
  package var isDivided: Bool { photos.contains { $0.split != nil } }

  /// Whether photos of buildings are divided into training and test; a table of non-building photos does not count.
  var areBuildingsDivided: Bool {
    photos.contains { $0.split != nil && !Labels.isBackground($0.label) }
  }

  package static let negativeLabel = "_not_a_building"

  /// Lists the photos of a folder without opening them.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - splitFile: The table to use instead of `root/split.csv`.
  ///   - allowOutside: Whether a table may list photos outside the folder.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badTable(path:line:problem:)``; unreadable subfolders are
  ///   listed in ``skipped``.
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
      self.table = table.split(separator: "/").last.map(String.init)
      photos = try PhotoTable(path: table, allowOutside: listing.allowOutside).photos(in: root)
    } else {
      let parts = Self.parts(among: entries, in: root, listing)
      if parts.isEmpty {
        for step in listing.steps(in: root, entries) {
          add(step, label: Self.folders(of: step).first, split: nil)
        }
      } else {
        add(parts, entries, listing)
      }
    }
    finish()
  }

  /// Lists non-building photos: all photos below a folder, or the photos in its `split.csv`.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - splitFile: The table to use instead of `root/split.csv`.
  ///   - allowOutside: Whether a table may list photos outside the folder.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badTable(path:line:problem:)``.
  public init(
    negatives root: String, splitFile: String? = nil, allowOutside: Bool = false
  ) throws(TrainingError) {
    let listing = PhotoListing(allowOutside: allowOutside)
    try self.init(negatives: root, splitFile: splitFile, listing)
  }

  init(negatives root: String, splitFile: String?, _ listing: PhotoListing) throws(TrainingError) {
    let root = PhotoSet.withoutSlash(root)
    self.root = root
    let entries = try listing.entries(of: root)
    let own = listing.readsTable ? PhotoSet.table(in: root, entries) : nil
    if let table = splitFile ?? own {
      photos = try PhotoTable(path: table, allowOutside: listing.allowOutside).photos(in: root)
      for index in photos.indices {
        photos[index].group = photos[index].group.map(SplitTable.groupOfNegatives)
        if !Labels.isBackground(photos[index].label) { photos[index].label = Self.negativeLabel }
      }
    } else {
      for step in listing.steps(in: root, entries) {
        add(step, label: Self.negativeLabel[...], split: nil)
      }
    }
    finish()
  }

  private mutating func finish() {
    photos.sort { $0.name.precedes($1.name) }
    ignoredFiles.findCompanions(among: companions, photos: photos.lazy.map(\.name))
    companions = []
  }

  /// Adds the photos of another set; the added photos are named by their full paths.
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

  /// The photos of the given splits, or all photos if the set is not split.
  public func photos(for splits: Set<Split>) -> [LabeledPhoto] {
    photos.filter { $0.split.map(splits.contains) ?? true }
  }

  private mutating func add(
    _ parts: [String: Split], _ entries: [Directory.Entry], _ listing: PhotoListing
  ) {
    let others = entries.filter { $0.isDirectory && parts[$0.name] == nil }
    for step in listing.steps(in: root, entries.filter { !others.contains($0) }) {
      let folders = Self.folders(of: step)
      let split = folders.first.flatMap { parts[String($0)] }
      add(step, label: folders.dropFirst().first, split: split)
    }
    guard !others.isEmpty else { return }
    let used = Set(photos.compactMap { FileAccess.resolved($0.path) })
    for step in listing.steps(in: root, others) {
      switch step.kind {
      case .unreadable(let error):
        skipped.append(SkippedFile(name: step.name, reason: .unusable(.file(error))))
      case .file where PhotoSet.looksLikePhoto(step.lastName):
        guard let file = FileAccess.resolved(root + "/" + step.name), !used.contains(file) else {
          continue
        }
        skipped.append(SkippedFile(name: step.name, reason: .outsideSplitFolders))
      default: continue
      }
    }
  }

  private static func table(in root: String, _ entries: [Directory.Entry]) -> String? {
    entries.contains { $0.name == "split.csv" && !$0.isDirectory } ? root + "/split.csv" : nil
  }

  /// Returns a path without slashes at its end.
  package static func withoutSlash(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  private static func folders(of step: FolderWalk.Step) -> [Substring] {
    step.name.split(separator: "/").dropLast()
  }

  private mutating func add(_ step: FolderWalk.Step, label: Substring?, split: Split?) {
    let isPhoto = PhotoSet.looksLikePhoto(step.lastName)
    switch step.kind {
    case .notUTF8: skipped.append(SkippedFile(name: step.name, reason: .nameNotUTF8))
    case .repeated: ignoredFiles.repeatedFolders += 1
    case .unreadable(let error) where !isPhoto:
      skipped.append(SkippedFile(name: step.name, reason: .unusable(.file(error))))
    case .file, .special, .unreadable:
      switch HiddenFile(step.lastName) {
      case .placeholder:
        return skipped.append(SkippedFile(name: step.name, reason: .notDownloaded))
      case .appleDouble:
        ignoredFiles.appleDoubles += 1
        return
      case nil: break
      }
      guard isPhoto else {
        // Do not count maps, tables and notes next to the label folders.
        guard label != nil || IgnoredFiles.isVideo(step.lastName) else { return }
        ignoredFiles.add(step.lastName, at: path(of: step.name))
        companions.append(step.name)
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

  /// Whether a name is not hidden and has the extension of an image; the format is checked when the file is opened.
  package static func looksLikePhoto(_ name: some StringProtocol) -> Bool {
    let extensions: Set<String> = [
      "jpg", "jpeg", "jpe", "jfif", "heic", "heif", "avif", "png", "webp", "gif", "tif", "tiff",
      "bmp", "jxl",
    ]
    return !name.hasPrefix(".") && name.fileExtension.map(extensions.contains) ?? false
  }
}

struct PhotoListing {
  var allowOutside = false
  var readsTable = true
  var list: FolderWalk.Lister = HiddenFile.entries

  func entries(of root: String) throws(TrainingError) -> [Directory.Entry] {
    try TrainingError.files { () throws(FileError) in try list(root) }
  }

  func steps(in root: String, _ entries: [Directory.Entry]) -> [FolderWalk.Step] {
    FolderWalk.steps(in: root, entries: entries, listing: list)
  }
}

extension PhotoSet {
  /// Returns the photos that cannot be decoded, and the reasons.
  package static func unreadable(
    _ photos: [LabeledPhoto], decoder: PhotoDecoder
  ) -> [SkippedFile] {
    photos.compactMap { photo -> SkippedFile? in
      do throws(CupolaError) {
        _ = try PhotoTraits(reading: photo, with: decoder)
        return nil
      } catch {
        return SkippedFile(name: photo.name, reason: .unusable(error))
      }
    }
  }

  /// Removes the photos and skipped files inside a folder, and follows links.
  package func without(photosIn folder: String) -> PhotoSet {
    guard let folder = FileAccess.resolved(folder) else { return self }
    func isBelow(_ path: [UInt8]?) -> Bool {
      path.map { FileAccess.isBelow($0, folder: folder) } ?? false
    }
    var set = self
    set.photos.removeAll { isBelow(FileAccess.resolved($0.path)) }
    // The listing of that folder reports its skipped files.
    set.skipped.removeAll { file in
      let path = path(of: file.name)
      // For broken links and names that are not UTF-8, use the parent folder.
      return isBelow(
        FileAccess.resolved(path)
          ?? FileAccess.resolved(FileAccess.folder(of: path)).map { $0 + [UInt8(ascii: "/")] })
    }
    return set
  }

  /// Copies split, group and columns from another set that lists the same files.
  ///
  /// If any photo then has a split, photos without a split are assigned to training.
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
    // A photo without a split would count in every split, both for training and for testing.
    if set.isDivided {
      for index in photos.indices where set.photos[index].split == nil {
        set.photos[index].split = .train
      }
    }
    return set
  }
}
