internal import CupolaCampus
internal import CupolaSupport

extension GuideManifest {
  /// The text of `guide.json`: the same bytes for the same manifest.
  var json: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "name": .string(name), "version": .string(version),
      "parts": .array(
        parts.map { part in
          .object([
            "name": .string(part.name), "bytes": .integer(part.bytes),
            "sha256": .string(part.sha256),
          ])
        }),
    ]
    members["time_zone"] = timeZone.map { .string($0) }
    members["attribution"] = attribution.map { .string($0) }
    return JSONWriter.bytes(of: .object(members)) + [UInt8(ascii: "\n")]
  }

  /// Reads a `guide.json`; members that it does not know are passed over.
  ///
  /// - Parameter path: what errors call it.
  /// - Throws: ``GuideError/badManifest(path:problem:)``, ``GuideError/newerFormat(_:)``,
  ///   ``GuideError/partTooLarge(name:bytes:limit:)``.
  init(json bytes: [UInt8], path: String) throws(GuideError) {
    func bad(_ problem: String) -> GuideError { .badManifest(path: path, problem: problem) }
    let members = try Self.members(of: bytes, path: path)
    guard case .string(let name) = members["name"] else { throw bad("no \"name\"") }
    guard case .string(let version) = members["version"], !version.isEmpty else {
      throw bad("no \"version\"")
    }
    guard case .array(let list) = members["parts"] else { throw bad("no \"parts\"") }
    guard list.count <= Self.mostParts else { throw bad("more than \(Self.mostParts) parts") }
    var parts: [Part] = []
    for (index, json) in list.enumerated() {
      guard let part = try Part(json) else { throw bad("part \(index + 1) is none") }
      guard !parts.contains(where: { $0.name == part.name }) else {
        throw bad("two parts are called \(part.name)")
      }
      parts.append(part)
    }
    self.init(
      name: name, version: version,
      timeZone: try Self.text("time_zone", of: members, path: path),
      attribution: try Self.text("attribution", of: members, path: path), sorting: parts)
  }

  /// The members of a `guide.json` whose format is known.
  private static func members(
    of bytes: [UInt8], path: String
  ) throws(GuideError) -> [String: JSONValue] {
    guard bytes.count <= mostBytes else {
      throw .badManifest(path: path, problem: "more than \(mostBytes >> 10) kB")
    }
    let value: JSONValue
    do throws(JSONFault) {
      value = try JSONReader.value(of: bytes, limits: .init(depth: 16, values: 10_000))
    } catch { throw .badManifest(path: path, problem: error.message) }
    guard case .object(let members) = value, case .string(let format) = members["format"],
      isOurs(format)
    else { throw .badManifest(path: path, problem: "no \"format\": \"\(Self.format)\"") }
    guard format == Self.format else { throw .newerFormat(format) }
    return members
  }

  private static func text(
    _ key: String, of members: [String: JSONValue], path: String
  ) throws(GuideError) -> String? {
    switch members[key] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw .badManifest(path: path, problem: "\"\(key)\" is no text")
    }
  }

  /// Whether a format is that of guides, of whatever version.
  private static func isOurs(_ format: String) -> Bool { format.hasPrefix("cupola.guide/") }

  /// Whether a `guide.json` is another program's.
  static func isForeign(_ bytes: [UInt8]) -> Bool {
    // What is no JSON may be one of ours that was damaged.
    guard let value = try? JSONReader.value(of: bytes) else { return false }
    guard case .object(let members) = value, case .string(let format) = members["format"] else {
      return true
    }
    return !isOurs(format)
  }
}

extension GuideManifest.Part {
  /// `nil` for what is no part, or could lie elsewhere than in the folder.
  ///
  /// - Throws: ``GuideError/partTooLarge(name:bytes:limit:)``.
  fileprivate init?(_ json: JSONValue) throws(GuideError) {
    guard case .object(let members) = json, case .string(let name) = members["name"],
      case .integer(let bytes) = members["bytes"], case .string(let sha256) = members["sha256"],
      Self.isName(name), bytes >= 0, sha256.isSHA256
    else { return nil }
    try self.init(name: name, bytes: bytes, sha256: sha256)
  }
}
