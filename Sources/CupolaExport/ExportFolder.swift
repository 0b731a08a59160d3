internal import Cupola

// 1. Refuse to replace what is no export.
// 2. Write the new export beside its place, in a folder that other runs of the program remove when this one dies.
// 3. Move the older export aside, the new one into its place, and files of others into the new one.

/// The folder of an export: written beside its place, then moved there.
public struct ExportFolder: Sendable {
  /// Where the export stands.
  package let path: String

  /// A folder that may not be there yet.
  public init(path: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// Writes an export; an older one, or an empty folder, is replaced when the new one is whole. Files that
  /// others put into an older one stay, and so does a link to the folder.
  ///
  /// - Throws: ``ExportError/inTheWay(path:)`` when anything else stands there;
  ///   ``ExportError/file(_:)``.
  public func write(_ export: ModelExport) throws(ExportError) {
    try ExportError.wrapping { try behindLink.replace(by: export) }
  }

  /// What a link leads to; itself where it is none.
  private var behindLink: ExportFolder {
    guard Directory.isLink(path), let target = FileAccess.resolved(path) else { return self }
    let folder = String(decoding: target, as: UTF8.self)
    // A name that is no UTF-8 has become another one.
    return Directory.exists(folder) ? ExportFolder(path: folder) : self
  }

  private func replace(by export: ModelExport) throws {
    try check()
    StagingFolder.removeDead(prefix: path + ".part-") { part in
      putBack(path + ".old-" + part.suffix(16), into: part)
    }
    let stage = try FileError.naming(path) { () throws(FileError) in
      try StagingFolder(prefix: path + ".part-")
    }
    defer { stage.remove() }
    let (new, old) = (stage.path + "/new", path + ".old-" + stage.path.suffix(16))
    let others = try othersFiles()
    for file in export.files where others.contains(file.path) {
      throw ExportError.inTheWay(path: path + "/" + file.path)
    }
    for file in export.files {
      try FileError.naming(path + "/" + file.path) { () throws(FileError) in
        let place = new + "/" + file.path
        try Directory.createAll(FileAccess.folder(of: place))
        try FileAccess.write(file.bytes, to: place)
      }
    }
    if Directory.exists(path) {
      // An error names the folder itself, such as a mounted or the current one: nobody named the other.
      try FileError.naming(path) { () throws(FileError) in try Directory.rename(path, to: old) }
    }
    do {
      try Directory.rename(new, to: path)
    } catch {
      if Directory.exists(old) { try? Directory.rename(old, to: path) }
      throw error
    }
    // When one cannot move, it is still in the old folder, which stays then.
    for name in others { try move(name, from: old) }
    // Removed with the stage: whatever still stands set aside then has files that may be nowhere else.
    try? Directory.rename(old, to: stage.path + "/old")
  }

  /// Brings back what a run that was killed had set aside: the older export, or files of others where a newer one
  /// stands in its place. What cannot be moved stays.
  ///
  /// - Parameter part: the folder of that run, which is removed afterwards.
  private func putBack(_ old: String, into part: String) {
    guard Directory.isDirectory(old), !Directory.isLink(old) else { return }
    guard Directory.exists(path) else {
      try? Directory.rename(old, to: path)
      return
    }
    guard let names = try? ExportFolder(path: old).othersFiles() else { return }
    for name in names {
      let isFree = !Directory.exists(path + "/" + name) || Directory.isDirectory(old + "/" + name)
      guard isFree, (try? move(name, from: old)) != nil else { return }
    }
    try? Directory.rename(old, to: part + "/old")
  }

  private func move(_ name: String, from old: String) throws {
    let (source, target) = (old + "/" + name, path + "/" + name)
    // An empty folder that the new export has, too.
    if Directory.isDirectory(source), !Directory.isLink(source), Directory.isDirectory(target) {
      return
    }
    try Directory.createAll(FileAccess.folder(of: target))
    try Directory.rename(source, to: target)
  }

  /// Files and empty folders that no export brought: in a folder that seems empty hidden ones.
  private func othersFiles() throws -> [String] {
    guard Directory.exists(path) else { return [] }
    let manifest = manifest()
    return try names().filter { manifest?.files[$0] == nil && $0 != ExportManifest.path }
  }

  /// All files and empty folders below the folder, hidden ones too; a link is one, whatever it leads to.
  ///
  /// - Throws: ``ExportError/inTheWay(path:)`` for one that cannot be moved by its name, and a `FileError`.
  private func names() throws -> [String] {
    var names: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let entries = try Directory.allEntries(of: folder.isEmpty ? path : path + "/" + folder)
      if entries.isEmpty, !folder.isEmpty { names.append(folder) }
      for entry in entries {
        let name = folder.isEmpty ? entry.name : folder + "/" + entry.name
        guard entry.isUTF8 else { throw ExportError.inTheWay(path: path + "/" + name) }
        if entry.isDirectory, !entry.isLink { folders.append(name) } else { names.append(name) }
      }
    }
    return names
  }

  /// Whether a file, by whatever name, is one of an older export, which a new one takes away.
  package func owns(_ file: String) -> Bool {
    guard let manifest = manifest(), let own = Directory.Identity(of: file) else { return false }
    return manifest.files.keys.contains { Directory.Identity(of: path + "/" + $0) == own }
  }

  /// Refuses to replace what is no export.
  ///
  /// - Throws: ``ExportError/inTheWay(path:)`` for what is none, and ``ExportError/file(_:)``.
  package func check() throws(ExportError) {
    guard Directory.exists(path) else {
      return try ExportError.wrapping { try FileAccess.checkFolder(of: path) }
    }
    let isEmpty = try ExportError.wrapping {
      Directory.isDirectory(path) ? try Directory.entries(of: path).isEmpty : false
    }
    guard isEmpty || manifest() != nil else {
      throw ExportError.inTheWay(path: path)
    }
  }

  func manifest() -> ExportManifest? {
    let bytes = try? FileAccess.read(path + "/" + ExportManifest.path, limit: Self.manifestLimit)
    return bytes.flatMap(ExportManifest.init)
  }

  /// A manifest of 10,000 labels is far below.
  static let manifestLimit = 16 << 20
}
