internal import CupolaSupport

/// A guide as a folder: `guide.json`, and a file for each part that it names.
///
/// Who reads while the guide is updated gets the old parts, or an error, never a mixture.
public struct GuideBundle: Equatable, Sendable {
  /// The folder.
  public let path: String
  /// What the folder says that it has.
  public let manifest: GuideManifest

  /// Reads what a guide consists of, and none of its parts.
  ///
  /// - Throws: ``GuideError/file(_:)``, ``GuideError/noGuide(path:)``, ``GuideError/badManifest(path:problem:)``,
  ///   ``GuideError/newerFormat(_:)``, ``GuideError/partTooLarge(name:bytes:limit:)``.
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
  ///
  /// - Throws: ``GuideError/wrongPart(path:name:)`` when they are not those of the manifest;
  ///   ``GuideError/file(_:)`` when there are none.
  public func bytes(of part: GuideManifest.Part) throws(GuideError) -> [UInt8] {
    let wrong = GuideError.wrongPart(path: path, name: part.name)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileAccess.read(path + "/" + part.file, limit: part.bytes)
    } catch .tooLarge { throw wrong } catch { throw .file(error) }
    guard part.matches(bytes) else { throw wrong }
    return bytes
  }

  /// The bytes of a part by its name, such as `paths.bin`.
  ///
  /// - Throws: As ``bytes(of:)``; ``GuideError/badManifest(path:problem:)`` when the guide has no such part.
  public func bytes(ofPart name: String) throws(GuideError) -> [UInt8] {
    guard let part = manifest.part(name) else {
      throw .badManifest(path: path + "/" + GuideManifest.file, problem: "no part \(name)")
    }
    return try bytes(of: part)
  }
}

extension GuideBundle {
  /// Writes a guide, the same bytes for the same parts; an older one is replaced when the new one is whole, and
  /// other files in its folder stay. Whoever is interrupted leaves the old one.
  ///
  /// - Parameters:
  ///   - parts: bytes by name: lower-case letters, digits, `-` and `.`; at most 64.
  ///   - version: `nil` is made of the parts.
  ///   - path: the folder, which is made when it is missing; the one above must be there.
  /// - Throws: ``GuideError/inTheWay(path:)`` when something else stands there, ``GuideError/busy(path:)``,
  ///   ``GuideError/partTooLarge(name:bytes:limit:)``, ``GuideError/badManifest(path:problem:)`` of names too long
  ///   for a `guide.json` and of an empty version, ``GuideError/file(_:)``.
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
