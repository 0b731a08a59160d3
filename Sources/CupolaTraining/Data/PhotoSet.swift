public import Cupola

/// The photos of a folder with their labels, in a fixed order.
///
/// `root/<label>/*.jpg`, or `root/{train,val,test}/<label>/*.jpg`, or whatever `root/split.csv`
/// (`path,label,split[,group]`) lists. Hidden names are ignored; labels beginning with `_` are
/// background.
public struct PhotoSet: Sendable {
  /// The folder.
  public let root: String
  /// All photos, sorted by name.
  public private(set) var photos: [LabeledPhoto] = []
  /// Files that are left out, with the reason.
  public private(set) var skipped: [SkippedFile] = []
  /// Files that are no photos by their names.
  public private(set) var ignored = 0
  /// Whether the photos are divided into parts for training and test.
  public var isDivided: Bool { photos.contains { $0.split != nil } }

  /// The background label of photos from a folder of negatives.
  public static let negativeLabel = "_not_a_building"

  /// Lists the photos of a folder without opening them.
  ///
  /// - Parameters:
  ///   - root: the folder.
  ///   - splitFile: a table instead of `root/split.csv`.
  /// - Throws: ``TrainingError/file(_:)`` and others.
  public init(root: String, splitFile: String? = nil) throws(TrainingError) {
    let root = PhotoSet.withoutSlash(root)
    self.root = root
    let entries = try Self.entries(of: root)
    if let table = splitFile ?? PhotoSet.table(in: root, entries) {
      try read(table: table, root: root)
    } else if entries.contains(where: { $0.isDirectory && $0.name == Split.train.rawValue }) {
      let parts = Split.allCases.map(\.rawValue)
      for entry in entries where entry.isDirectory && !parts.contains(entry.name) {
        skipped.append(SkippedFile(name: entry.name, reason: .besidePartFolders))
      }
      for split in Split.allCases {
        guard entries.contains(where: { $0.isDirectory && $0.name == split.rawValue }) else {
          continue
        }
        try readLabels(root: root, under: split.rawValue + "/", split: split)
      }
    } else {
      try readLabels(root: root, under: "", split: nil)
    }
    photos.sort { $0.name < $1.name }
  }

  /// Lists photos of things that are no buildings: all photos below a folder, whatever its layout,
  /// or what its `split.csv` lists.
  ///
  /// - Throws: ``TrainingError/file(_:)`` and others.
  public init(negatives root: String) throws(TrainingError) {
    let root = PhotoSet.withoutSlash(root)
    self.root = root
    if let table = PhotoSet.table(in: root, try Self.entries(of: root)) {
      try read(table: table, root: root)
      photos = photos.map { photo in
        LabeledPhoto(
          path: photo.path, name: photo.name,
          label: Labels.isBackground(photo.label) ? photo.label : Self.negativeLabel,
          split: photo.split, group: photo.group, attributes: photo.attributes)
      }
    } else {
      try readPhotos(root: root, folder: "", label: Self.negativeLabel, split: nil, deep: true)
    }
    photos.sort { $0.name < $1.name }
  }

  /// The photos of this folder and of another.
  public func joined(with other: PhotoSet) -> PhotoSet {
    var set = self
    set.photos += other.photos
    set.skipped += other.skipped
    set.ignored += other.ignored
    return set
  }

  /// The photos for some parts; all of them when they are not divided.
  public func photos(for splits: Set<Split>) -> [LabeledPhoto] {
    photos.filter { $0.split.map(splits.contains) ?? true }
  }

  private static func table(in root: String, _ entries: [Directory.Entry]) -> String? {
    entries.contains { $0.name == "split.csv" && !$0.isDirectory } ? root + "/split.csv" : nil
  }

  private static func entries(of path: String) throws(TrainingError) -> [Directory.Entry] {
    try TrainingError.files { () throws(FileError) in try Directory.entries(of: path) }
  }

  private static func withoutSlash(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? withoutSlash(String(path.dropLast())) : path
  }

  private mutating func readLabels(
    root: String, under prefix: String, split: Split?
  ) throws(TrainingError) {
    for entry in try Self.entries(of: root + "/" + prefix) {
      let name = prefix + entry.name
      guard entry.isUTF8 else {
        skipped.append(SkippedFile(name: name, reason: .nameNotUTF8))
        continue
      }
      if entry.isDirectory {
        try readPhotos(root: root, folder: name + "/", label: entry.name, split: split, deep: false)
      } else if PhotoSet.looksLikePhoto(entry.name) {
        skipped.append(SkippedFile(name: name, reason: .outsideLabelFolder))
      }
    }
  }

  private mutating func readPhotos(
    root: String, folder: String, label: String, split: Split?, deep: Bool
  ) throws(TrainingError) {
    for entry in try Self.entries(of: root + "/" + folder) {
      let name = folder + entry.name
      if !entry.isUTF8 {
        skipped.append(SkippedFile(name: name, reason: .nameNotUTF8))
      } else if entry.isDirectory {
        guard deep else {
          ignored += 1
          continue
        }
        try readPhotos(root: root, folder: name + "/", label: label, split: split, deep: true)
      } else if PhotoSet.looksLikePhoto(entry.name) {
        photos.append(
          LabeledPhoto(
            path: root + "/" + name, name: name, label: label, split: split, group: nil))
      } else {
        ignored += 1
      }
    }
  }

  private mutating func read(table path: String, root: String) throws(TrainingError) {
    let bytes = try TrainingError.files { () throws(FileError) in try FileAccess.read(path) }
    let table = try CSV(bytes, path: path)
    guard let name = table.column("path"), let label = table.column("label"),
      let split = table.column("split")
    else {
      throw TrainingError.badTable(
        path: path, line: 1, problem: "the header must have path, label and split")
    }
    let group = table.column("group")
    var listed: Set<String> = []
    for (row, line) in zip(table.rows, table.lines) {
      guard let part = Split(rawValue: row[split].trimmed) else {
        throw TrainingError.badTable(
          path: path, line: line,
          problem: "split is \"\(row[split])\"; it can be train, val, test or test_unknown")
      }
      guard listed.insert(row[name]).inserted else {
        throw TrainingError.badTable(
          path: path, line: line, problem: "\(row[name]) is listed a second time")
      }
      let building = row[label].trimmed
      guard !building.isEmpty, !row[name].isEmpty else {
        throw TrainingError.badTable(path: path, line: line, problem: "no path or no label")
      }
      let file = row[name].hasPrefix("/") ? row[name] : root + "/" + row[name]
      let session = group.map { row[$0] }.flatMap { $0.isEmpty ? nil : $0 }
      photos.append(
        LabeledPhoto(
          path: file, name: row[name], label: building, split: part, group: session,
          attributes: PhotoSet.attributes(table.header, row)))
    }
  }

  /// The columns that Cupola gives no meaning to.
  private static func attributes(_ header: [String], _ row: [String]) -> [String: String] {
    let own: Set = ["path", "label", "split", "group", ""]
    let others = zip(header, row).map { ($0, $1.trimmed) }.filter { name, value in
      !own.contains(name) && !value.isEmpty
    }
    return Dictionary(others) { first, _ in first }
  }

  /// By its extension; what the file really is shows when it is opened.
  public static func looksLikePhoto(_ name: String) -> Bool {
    let extensions: Set<String> = [
      "jpg", "jpeg", "jpe", "jfif", "heic", "heif", "avif", "png", "webp", "gif", "tif", "tiff",
      "bmp", "jxl",
    ]
    guard let dot = name.lastIndex(of: ".") else { return false }
    return extensions.contains(name[name.index(after: dot)...].lowercased())
  }
}

/// A file that was left out.
public struct SkippedFile: Equatable, Sendable {
  /// Its name, relative to its folder of photos.
  public let name: String
  /// Why.
  public let reason: Reason

  /// Why a file was left out.
  public enum Reason: Equatable, Sendable {
    /// The photo cannot be used.
    case unusable(CupolaError)
    /// A name that other systems could not read.
    case nameNotUTF8
    /// A photo beside the label folders.
    case outsideLabelFolder
    /// A folder beside those of the parts.
    case besidePartFolders
  }

  /// A file and why it was left out.
  public init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch reason {
    case .unusable(let error): error.message
    case .nameNotUTF8: "its name is not valid UTF-8; rename it"
    case .besidePartFolders: "a folder beside train, val and test; move it into one of them"
    case .outsideLabelFolder: "a photo outside the label folders; move it into one"
    }
  }
}
