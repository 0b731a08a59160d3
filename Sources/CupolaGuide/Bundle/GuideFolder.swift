internal import CupolaSupport

/// The folder of a guide while somebody changes it, and keeps all others from changing it.
///
/// New parts wait in the folder `.update` within it. Then they move beside the old ones, whose names differ, and a
/// new `guide.json` takes the place of the old one in one step: before it the folder is the old guide, after it
/// the new one. Old parts go last. `.update/guide.json` names the parts on their way, so that what somebody who was
/// killed left is known.
struct GuideFolder {
  /// Without a slash at its end.
  let path: String
  /// What the folder has; `nil` when it has none that can be read.
  let manifest: GuideManifest?
  private let lock: FolderLock
  private let isNew: Bool
  /// Files of parts that may be there.
  private let known: Set<String>

  /// Makes the folder unless it is there, and locks it.
  ///
  /// - Throws: ``GuideError/inTheWay(path:)``, ``GuideError/busy(path:)``, ``GuideError/file(_:)``.
  init(_ path: String) throws(GuideError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = path
    isNew = !Directory.exists(path)
    if isNew { try GuideError.files { () throws(FileError) in try Directory.create(path) } }
    guard Directory.isDirectory(path) else { throw .inTheWay(path: path) }
    let lock = try GuideError.files { () throws(FileError) in try FolderLock(path) }
    guard let lock else { throw .busy(path: path) }
    self.lock = lock
    manifest = Self.manifest(path + "/" + GuideManifest.file)
    let earlier = Self.manifest(path + Self.stage + "/" + GuideManifest.file)
    known = Set(((manifest?.parts ?? []) + (earlier?.parts ?? [])).map(\.file))
    do throws(GuideError) { try checkContents() } catch {
      lock.release()
      throw error
    }
  }

  /// Lets others in; what waits for another time stays.
  func close() {
    // Folders go only when they are empty.
    Directory.remove(path + Self.stage)
    if isNew { Directory.remove(path) }
    lock.release()
  }

  private static let stage = "/.update"

  private static func manifest(_ path: String) -> GuideManifest? {
    guard let bytes = try? FileAccess.read(path, limit: GuideManifest.mostBytes) else { return nil }
    return try? GuideManifest(json: bytes, path: path)
  }

  /// Refuses a folder that is no guide, unless it is empty.
  private func checkContents() throws(GuideError) {
    let file = path + "/" + GuideManifest.file
    if Directory.exists(file) {
      guard let bytes = try? FileAccess.read(file, limit: GuideManifest.mostBytes) else { return }
      guard !GuideManifest.isForeign(bytes) else { throw .inTheWay(path: path) }
    } else {
      let entries = try GuideError.files { () throws(FileError) in
        try Directory.entries(of: path)
      }
      // What somebody who was killed left of a guide.json goes when the next one is written.
      let isOurs = entries.allSatisfy {
        known.contains($0.name) || FileAccess.isPart($0.name, of: GuideManifest.file)
      }
      guard isOurs else { throw .inTheWay(path: path) }
    }
  }

  // MARK: - Parts

  /// Where the file of a part waits, and beside it what is kept about it.
  func staged(_ file: String) -> String { path + Self.stage + "/" + file }

  /// What writes a file that waits: errors name its place in the guide.
  ///
  /// - Throws: ``GuideError/file(_:)``.
  func staging(
    _ file: String, _ body: () throws(FileError) -> Void
  ) throws(GuideError) {
    try GuideError.files { () throws(FileError) in try FileError.naming(path + "/" + file, body) }
  }

  /// Whether a part is there, and is what it should be.
  func has(_ part: GuideManifest.Part) -> Bool { part.matches(fileAt: path + "/" + part.file) }

  /// - Throws: ``GuideError/file(_:)``.
  func makeStage() throws(GuideError) {
    try GuideError.files { () throws(FileError) in
      try FileError.naming(path) { () throws(FileError) in
        try Directory.create(path + Self.stage)
      }
    }
  }

  /// - Throws: ``GuideError/file(_:)``.
  private func stage(_ bytes: [UInt8], as part: GuideManifest.Part) throws(GuideError) {
    try makeStage()
    try staging(part.file) { () throws(FileError) in
      try FileAccess.write(bytes, to: staged(part.file))
    }
  }

  /// Removes what waits but is of no use for a newer guide.
  func clearStage(keepingFor manifest: GuideManifest? = nil) {
    let files = manifest?.parts.map(\.file) ?? []
    // The manifest of an interrupted change is needed until the next one is written.
    let kept = Set(files + files.map(ETag.file) + (manifest == nil ? [] : [GuideManifest.file]))
    for entry in (try? Directory.entries(of: path + Self.stage)) ?? []
    where !kept.contains(entry.name) {
      Directory.remove(staged(entry.name))
    }
  }

  // MARK: - Swap

  /// Makes the folder another guide, whose parts are all at hand: what fails leaves nothing of them.
  ///
  /// - Parameter parts: bytes by name.
  /// - Throws: ``GuideError/file(_:)``; the folder is then the old guide.
  func write(
    _ manifest: GuideManifest, json: [UInt8], parts: [String: [UInt8]]
  ) throws(GuideError) {
    let new = manifest.parts.filter { !has($0) }
    do throws(GuideError) {
      for part in new { try stage(parts[part.name] ?? [], as: part) }
    } catch {
      for part in new { Directory.remove(staged(part.file)) }
      throw error
    }
    do throws(GuideError) { try publish(manifest, json: json) } catch {
      for part in new { Directory.remove(staged(part.file)) }
      // Also what a change that was killed had moved: no .update/guide.json names it any more.
      let files = Set(new.map(\.file)).union(known.intersection(manifest.parts.map(\.file)))
      remove(files.subtracting((self.manifest?.parts ?? []).map(\.file)))
      Directory.remove(staged(GuideManifest.file))
      throw error
    }
  }

  /// Makes the folder another guide, whose parts are there or wait.
  ///
  /// - Throws: ``GuideError/file(_:)``; the folder is then the old guide.
  func publish(_ manifest: GuideManifest, json: [UInt8]) throws(GuideError) {
    let new = Set(manifest.parts.map(\.file))
    let old = Set((self.manifest?.parts ?? []).map(\.file))
    remove(known.subtracting(new).subtracting(old))
    try makeStage()
    try staging(GuideManifest.file) { () throws(FileError) in
      try FileAccess.write(json, to: staged(GuideManifest.file), synced: false)
    }
    for file in manifest.parts.map(\.file) where Directory.exists(staged(file)) {
      try staging(file) { () throws(FileError) in
        try FileAccess.sync(staged(file))
        try Directory.rename(staged(file), to: path + "/" + file)
      }
    }
    try GuideError.files { () throws(FileError) in
      try FileAccess.write(json, to: path + "/" + GuideManifest.file)
    }
    Directory.remove(etagFile)
    remove(known.subtracting(new))
    clearStage()
  }

  /// Removes what earlier changes left beside the guide, which stays.
  func tidy() {
    guard let manifest else { return }
    remove(known.subtracting(manifest.parts.map(\.file)))
    clearStage()
  }

  private func remove(_ files: Set<String>) {
    for file in files { Directory.remove(path + "/" + file) }
  }
}
