internal import CupolaSupport

// 1. Read `guide.json`, and verify the digest of each part when reading it.
// 2. Write new parts to `.update`, move them into the folder, and replace `guide.json` last.

/// A guide folder: `guide.json` and one file for each part listed in it.
///
/// During an update, a reader gets the old parts or an error, but never a mixture of old and new parts.
public struct GuideBundle: Equatable, Sendable {
  package let path: String
  /// The contents of `guide.json`.
  public let manifest: GuideManifest

  /// Reads `guide.json`, but does not read the parts.
  ///
  /// - Throws: ``GuideError/file(_:)``, ``GuideError/noGuide(path:)``, ``GuideError/unusable(name:problem:)``,
  ///   ``GuideError/newerFormat(_:)``.
  public init(reading path: String) throws(GuideError) {
    self.path = path
    let file = path + "/" + GuideManifest.file
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileAccess.read(file, limit: GuideManifest.mostBytes)
    } catch .tooLarge {
      throw .badManifest(path: file, problem: "more than \(GuideManifest.mostBytes >> 10) kB")
    } catch {
      throw error.isMissing && Directory.exists(path) ? .noGuide(path: path) : .file(error)
    }
    manifest = try GuideManifest(json: bytes, path: file)
  }

  package func bytes(of part: GuideManifest.Part) throws(GuideError) -> [UInt8] {
    let wrong = GuideError.wrongPart(path: path, name: part.name)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileAccess.read(path + "/" + part.file, limit: part.bytes)
    } catch .tooLarge { throw wrong } catch { throw .file(error) }
    guard part.matches(bytes) else { throw wrong }
    return bytes
  }

  package func bytes(ofPart name: String) throws(GuideError) -> [UInt8] {
    guard let part = manifest.part(name) else {
      throw .badManifest(path: path + "/" + GuideManifest.file, problem: "no part \(name)")
    }
    return try bytes(of: part)
  }

  /// Writes a guide; replaces an existing guide only when the new one is complete, and keeps other files in the folder.
  ///
  /// The same parts always produce the same bytes. If the version is `nil`, it is derived from the parts.
  static func write(
    parts: [String: [UInt8]], name: String, version: String? = nil, timeZone: String? = nil,
    attribution: String? = nil, to path: String
  ) throws(GuideError) -> GuideBundle {
    guard version != "" else {
      throw .badManifest(path: path, problem: "the version is empty; set a version or omit it")
    }
    let manifest = try GuideManifest(
      name: name, version: version, timeZone: timeZone, attribution: attribution, parts: parts)
    let json = manifest.json
    guard json.count <= GuideManifest.mostBytes else {
      throw .badManifest(path: path, problem: "the name of the campus is too long")
    }
    let folder = try GuideFolder(path)
    defer { folder.close() }
    try folder.write(manifest, json: json, parts: parts)
    return try GuideBundle(reading: folder.path)
  }
}

/// A guide folder that is locked for changes.
///
/// New parts are written to `.update` and then moved next to the old parts, which have different names. Replacing
/// `guide.json` switches to the new guide in one step. Old parts are removed last. `.update/guide.json` lists the parts
/// being written, and `.update/replaced.json` the old parts, so that the files of an interrupted change can be
/// identified.
struct GuideFolder {
  let path: String
  let manifest: GuideManifest?
  private let lock: FolderLock
  private let isNew: Bool
  private let known: Set<String>

  init(_ path: String) throws(GuideError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = path
    isNew = !Directory.exists(path)
    if isNew { try Self.file(try Directory.create(path)) }
    guard Directory.isDirectory(path) else { throw .inTheWay(path: path) }
    guard let lock = try Self.file(try FolderLock(path)) else { throw .busy(path: path) }
    self.lock = lock
    manifest = Self.manifest(path + "/" + GuideManifest.file)
    let earlier = Self.stagedManifests.map { Self.manifest(path + Self.stage + "/" + $0) }
    known = Set(([manifest] + earlier).flatMap { $0?.parts ?? [] }.map(\.file))
    do throws(GuideError) { try checkContents() } catch {
      lock.release()
      throw error
    }
    for folder in [path, path + Self.stage] { FileAccess.sweep(folder) }
  }

  /// Releases the lock. Files in `.update` are kept for the next update.
  func close() {
    // `remove` deletes a folder only if it is empty.
    Directory.remove(path + Self.stage)
    if isNew { Directory.remove(path) }
    lock.release()
  }

  private static let stage = "/.update"
  private static let replaced = "replaced.json"
  private static let stagedManifests = [GuideManifest.file, replaced]

  private static func file<Result>(
    _ body: @autoclosure () throws(FileError) -> Result
  ) throws(GuideError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }

  private static func manifest(_ path: String) -> GuideManifest? {
    guard let bytes = try? FileAccess.read(path, limit: GuideManifest.mostBytes) else { return nil }
    return try? GuideManifest(json: bytes, path: path)
  }

  private func checkContents() throws(GuideError) {
    let file = path + "/" + GuideManifest.file
    if Directory.exists(file) {
      guard let bytes = try? FileAccess.read(file, limit: GuideManifest.mostBytes) else { return }
      guard !GuideManifest.isForeign(bytes) else { throw .inTheWay(path: path) }
    } else {
      let entries = try Self.file(try Directory.entries(of: path))
      // The next write of `guide.json` removes temporary files of an interrupted one.
      let isOurs = entries.allSatisfy {
        known.contains($0.name) || FileAccess.isPart($0.name, of: GuideManifest.file)
      }
      guard isOurs else { throw .inTheWay(path: path) }
    }
  }

  // MARK: - Parts

  func staged(_ file: String) -> String { path + Self.stage + "/" + file }

  func staging(
    _ file: String, _ body: () throws(FileError) -> Void
  ) throws(GuideError) {
    try Self.file(try FileError.naming(path + "/" + file, body))
  }

  func has(_ part: GuideManifest.Part) -> Bool { part.matches(fileAt: path + "/" + part.file) }

  func makeStage() throws(GuideError) {
    try Self.file(
      try FileError.naming(path) { () throws(FileError) in
        try Directory.create(path + Self.stage)
      })
  }

  private func stage(_ bytes: [UInt8], as part: GuideManifest.Part) throws(GuideError) {
    try makeStage()
    try staging(part.file) { () throws(FileError) in
      try FileAccess.write(bytes, to: staged(part.file))
    }
  }

  func clearStage(keepingFor manifest: GuideManifest? = nil) {
    let files = manifest?.parts.map(\.file) ?? []
    // The staged manifests identify the parts of an interrupted change until the next ones are written.
    let kept = Set(files + files.map(ETag.file) + (manifest == nil ? [] : Self.stagedManifests))
    for entry in (try? Directory.entries(of: path + Self.stage)) ?? []
    where !kept.contains(entry.name) {
      Directory.remove(staged(entry.name))
    }
  }

  // MARK: - Publishing

  /// Replaces the guide with one whose parts are all given. If this fails, the folder still contains the old guide.
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
      // Also remove parts that an interrupted change had moved: no `.update/guide.json` lists them anymore.
      let files = Set(new.map(\.file)).union(known.intersection(manifest.parts.map(\.file)))
      remove(files.subtracting((self.manifest?.parts ?? []).map(\.file)))
      for name in Self.stagedManifests { Directory.remove(staged(name)) }
      throw error
    }
  }

  /// Replaces the guide with one whose parts are in the folder or staged. If this fails, the folder still contains the
  /// old guide.
  func publish(_ manifest: GuideManifest, json: [UInt8]) throws(GuideError) {
    let new = Set(manifest.parts.map(\.file))
    let old = Set((self.manifest?.parts ?? []).map(\.file))
    remove(known.subtracting(new).subtracting(old))
    try makeStage()
    let manifests = [(GuideManifest.file, json), self.manifest.map { (Self.replaced, $0.json) }]
    for (name, bytes) in manifests.compactMap(\.self) {
      try staging(GuideManifest.file) { () throws(FileError) in
        try FileAccess.write(bytes, to: staged(name), synced: false)
      }
    }
    for file in manifest.parts.map(\.file) where Directory.exists(staged(file)) {
      try staging(file) { () throws(FileError) in
        try FileAccess.sync(staged(file))
        try Directory.rename(staged(file), to: path + "/" + file)
      }
    }
    try Self.file(try FileAccess.write(json, to: path + "/" + GuideManifest.file))
    Directory.remove(etagFile)
    remove(known.subtracting(new))
    clearStage()
  }

  /// Removes the files of earlier changes and keeps the current guide.
  func tidy() {
    guard let manifest else { return }
    remove(known.subtracting(manifest.parts.map(\.file)))
    clearStage()
  }

  private func remove(_ files: Set<String>) {
    for file in files { Directory.remove(path + "/" + file) }
  }
}
