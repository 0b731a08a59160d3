internal import CupolaSupport

// 1. `guide.json` names the parts; each is verified by its digest when it is read.
// 2. New parts wait in `.update` and move beside the old ones.
// 3. A new `guide.json` makes the folder the new guide in one step.

/// A guide as a folder: `guide.json`, and a file for each part that it names.
///
/// Who reads while the guide is updated gets the old parts, or an error, never a mixture.
public struct GuideBundle: Equatable, Sendable {
  /// The folder.
  package let path: String
  /// What the folder says that it has.
  public let manifest: GuideManifest

  /// Reads what a guide consists of, and none of its parts.
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

  /// The bytes of a part, whose size and digest are verified.
  package func bytes(of part: GuideManifest.Part) throws(GuideError) -> [UInt8] {
    let wrong = GuideError.wrongPart(path: path, name: part.name)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileAccess.read(path + "/" + part.file, limit: part.bytes)
    } catch .tooLarge { throw wrong } catch { throw .file(error) }
    guard part.matches(bytes) else { throw wrong }
    return bytes
  }

  /// The bytes of a part by its name, such as `paths.bin`.
  package func bytes(ofPart name: String) throws(GuideError) -> [UInt8] {
    guard let part = manifest.part(name) else {
      throw .badManifest(path: path + "/" + GuideManifest.file, problem: "no part \(name)")
    }
    return try bytes(of: part)
  }

  /// Writes a guide, the same bytes for the same parts; an older one is replaced when the new one is whole, and
  /// other files in its folder stay. Whoever is interrupted leaves the old one.
  ///
  /// - Parameters:
  ///   - parts: bytes by name: lower-case letters, digits, `-` and `.`; at most 64.
  ///   - version: `nil` is made of the parts.
  ///   - path: the folder, which is made when it is missing; the one above must be there.
  static func write(
    parts: [String: [UInt8]], name: String, version: String? = nil, timeZone: String? = nil,
    attribution: String? = nil, to path: String
  ) throws(GuideError) -> GuideBundle {
    guard version != "" else {
      throw .badManifest(path: path, problem: "its version is empty; name one, or none")
    }
    let manifest = try GuideManifest(
      name: name, version: version, timeZone: timeZone, attribution: attribution, parts: parts)
    let json = manifest.json
    guard json.count <= GuideManifest.mostBytes else {
      throw .badManifest(path: path, problem: "the name of the grounds is too long")
    }
    let folder = try GuideFolder(path)
    defer { folder.close() }
    try folder.write(manifest, json: json, parts: parts)
    return try GuideBundle(reading: folder.path)
  }
}

/// The folder of a guide while somebody changes it, and keeps all others from changing it.
///
/// New parts wait in the folder `.update` within it. Then they move beside the old ones, whose names differ, and a
/// new `guide.json` takes the place of the old one in one step: before it the folder is the old guide, after it
/// the new one. Old parts go last. `.update/guide.json` names the parts on their way, so that what somebody who was
/// killed left is known.
struct GuideFolder {
  let path: String
  /// What the folder has; `nil` when it has none that can be read.
  let manifest: GuideManifest?
  private let lock: FolderLock
  private let isNew: Bool
  private let known: Set<String>

  /// Makes the folder unless it is there, and locks it.
  init(_ path: String) throws(GuideError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = path
    isNew = !Directory.exists(path)
    if isNew { try Self.file(try Directory.create(path)) }
    guard Directory.isDirectory(path) else { throw .inTheWay(path: path) }
    guard let lock = try Self.file(try FolderLock(path)) else { throw .busy(path: path) }
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

  private static func file<Result>(
    _ body: @autoclosure () throws(FileError) -> Result
  ) throws(GuideError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }

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
      let entries = try Self.file(try Directory.entries(of: path))
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
    try Self.file(try FileAccess.write(json, to: path + "/" + GuideManifest.file))
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
