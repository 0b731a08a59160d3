internal import Cupola

// 1. Reject a folder that is neither an export nor empty.
// 2. Write the new export to a staging folder next to the target. Later exports remove staging folders of killed
//    processes.
// 3. Move the old export aside, move the new export into place, and move unrelated files into the new export.

/// An export's folder, written to a staging folder and then moved into place.
public struct ExportFolder: Sendable {
  package let path: String

  /// Creates a reference to a folder, which need not exist.
  public init(path: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// Writes an export. An older export or an empty folder is replaced after all files are written.
  ///
  /// Unrelated files in an older export are kept. If the path is a symbolic link, the link is kept.
  ///
  /// - Throws: ``ExportError/inTheWay(path:)`` if the path is anything else; ``ExportError/file(_:)``.
  public func write(_ export: ModelExport) throws(ExportError) {
    try ExportError.wrapping { try resolved.replace(by: export) }
  }

  /// The target of a symbolic link, or this folder.
  private var resolved: ExportFolder {
    guard Directory.isLink(path), let target = FileAccess.resolved(path) else { return self }
    let folder = String(decoding: target, as: UTF8.self)
    // Exclude a target whose name is not UTF-8, because decoding changed the name.
    return Directory.exists(folder) ? ExportFolder(path: folder) : self
  }

  private func replace(by export: ModelExport) throws {
    try check()
    StagingFolder.removeDead(prefix: path + ".part-") { part in
      restore(path + ".old-" + part.suffix(16), into: part)
    }
    let stage = try FileError.naming(path) { () throws(FileError) in
      try StagingFolder(prefix: path + ".part-")
    }
    defer { stage.remove() }
    let (new, old) = (stage.path + "/new", path + ".old-" + stage.path.suffix(16))
    let others = try unrelatedFiles()
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
      // Report the given path instead of the internal one, for example if the folder is a mount point.
      try FileError.naming(path) { () throws(FileError) in try Directory.rename(path, to: old) }
    }
    do {
      try Directory.rename(new, to: path)
    } catch {
      if Directory.exists(old) { try? Directory.rename(old, to: path) }
      throw error
    }
    // Files that cannot be moved stay in the old folder, which is then kept.
    for name in others { try move(name, from: old) }
    // Move the old folder, so that it is removed together with the staging folder. If moving the files failed, the old
    // folder may contain the only copy of some of them.
    try? Directory.rename(old, to: stage.path + "/old")
  }

  /// Restores what a killed process moved aside: an older export, or unrelated files next to a newer export.
  private func restore(_ old: String, into part: String) {
    guard Directory.isDirectory(old), !Directory.isLink(old) else { return }
    guard Directory.exists(path) else {
      try? Directory.rename(old, to: path)
      return
    }
    guard let names = try? ExportFolder(path: old).unrelatedFiles() else { return }
    for name in names {
      let isFree = !Directory.exists(path + "/" + name) || Directory.isDirectory(old + "/" + name)
      guard isFree, (try? move(name, from: old)) != nil else { return }
    }
    try? Directory.rename(old, to: part + "/old")
  }

  private func move(_ name: String, from old: String) throws {
    let (source, target) = (old + "/" + name, path + "/" + name)
    if Directory.isDirectory(source), !Directory.isLink(source), Directory.isDirectory(target) {
      return
    }
    try Directory.createAll(FileAccess.folder(of: target))
    try Directory.rename(source, to: target)
  }

  /// The files and empty folders that are not part of the export. Also counts hidden files in folders that seem empty.
  private func unrelatedFiles() throws -> [String] {
    guard Directory.exists(path) else { return [] }
    let manifest = manifest()
    return try names().filter { manifest?.files[$0] == nil && $0 != ExportManifest.path }
  }

  /// All files, links and empty folders, including hidden ones. Throws if a name is not UTF-8.
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

  /// Whether a path refers to a file in an older export, which a new export would replace.
  package func owns(_ file: String) -> Bool {
    guard let manifest = manifest(), let own = Directory.Identity(of: file) else { return false }
    return manifest.files.keys.contains { Directory.Identity(of: path + "/" + $0) == own }
  }

  /// Throws ``ExportError/inTheWay(path:)`` if the folder exists and is neither empty nor an export.
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

  /// The maximum manifest size. A manifest with 10,000 labels is much smaller.
  static let manifestLimit = 16 << 20
}
