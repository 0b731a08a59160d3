internal import Cupola

// 1. Reject a folder that is neither an export nor empty.
// 2. Write the new export to a staging folder next to the target. Later exports remove staging folders of killed
//    processes.
// 3. Exchange the old and the new export in one step, and move unrelated files into the new export.

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
    StagingFolder.removeDead(prefix: path + ".part-", rescue: rescue)
    let stage = try FileError.naming(path) { () throws(FileError) in
      try StagingFolder(prefix: path + ".part-")
    }
    do {
      try replace(by: export, using: stage.path)
    } catch {
      // The staging folder may contain the only copy of the old export or of unrelated files.
      if rescue(stage.path) { stage.remove() } else { stage.abandon() }
      throw error
    }
    stage.remove()
  }

  private func replace(by export: ModelExport, using stage: String) throws {
    let others = try unrelatedFiles()
    for file in export.files where others.contains(file.path) {
      throw ExportError.inTheWay(path: path + "/" + file.path)
    }
    for file in export.files {
      try FileError.naming(path + "/" + file.path) { () throws(FileError) in
        let place = stage + "/new/" + file.path
        try Directory.createAll(FileAccess.folder(of: place))
        try FileAccess.write(file.bytes, to: place)
      }
    }
    // Report the given path instead of the internal one, for example if the folder is a mount point.
    try FileError.naming(path) { () throws(FileError) in try publish(stage) }
    for name in others { try move(name, from: stage + "/old") }
    if Directory.exists(stage + "/old") { discard(stage + "/old", in: stage) }
  }

  /// Removes an old export. If this is interrupted, the rest is not rescued: without the manifest, its files would seem
  /// to be unrelated files.
  private func discard(_ old: String, in stage: String) {
    let rest = stage + "/rest"
    Directory.removeAll(rest)
    try? Directory.rename(old, to: rest)
    Directory.removeAll(rest)
  }

  /// Replaces the folder by `new` in a staging folder, which then contains the old export as `old`.
  ///
  /// The folder exists at every moment, unless the file system cannot exchange folders.
  private func publish(_ stage: String) throws(FileError) {
    let (new, old, spare) = (stage + "/new", stage + "/old", stage + "/spare")
    guard Directory.exists(path) else { return try Directory.rename(new, to: path) }
    // Until the exchange, `old` is the new export, which contains no unrelated files. If this process is killed, a later
    // process can therefore rescue `old` without knowing whether the exchange has happened.
    try Directory.rename(new, to: old)
    guard try !Directory.exchange(old, with: path) else { return }
    try Directory.rename(path, to: spare)
    try Directory.rename(old, to: path)
    try Directory.rename(spare, to: old)
  }

  /// Restores what a killed or failed process moved aside: an older export, or unrelated files next to a newer export.
  ///
  /// Earlier versions moved the old export to `PATH.old-` plus the digits of the staging folder.
  /// - Returns: Whether nothing of value is left in the staging folder.
  private func rescue(_ stage: String) -> Bool {
    [stage + "/spare", stage + "/old", kept(of: stage)].allSatisfy { old in
      guard Directory.isDirectory(old), !Directory.isLink(old) else { return true }
      if restore(old) {
        discard(old, in: stage)
        return true
      }
      // Move the old export out of the staging folder, which is going to be removed.
      return old == kept(of: stage) || (try? Directory.rename(old, to: kept(of: stage))) != nil
    }
  }

  private func restore(_ old: String) -> Bool {
    guard Directory.exists(path) else { return (try? Directory.rename(old, to: path)) != nil }
    guard let names = try? ExportFolder(path: old).unrelatedFiles() else { return false }
    return names.allSatisfy { name in
      let isFree = !Directory.exists(path + "/" + name) || Directory.isDirectory(old + "/" + name)
      return isFree && (try? move(name, from: old)) != nil
    }
  }

  private func kept(of stage: String) -> String { path + ".old-" + stage.suffix(16) }

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
