internal import CupolaCampus
internal import CupolaSupport

// 1. Describe parts by size and digest, sorted by name.
// 2. Write the manifest as `guide.json` and read it back, rejecting wrong formats and names.

/// The contents of `guide.json` in format `cupola.guide/1`: the name, version and parts of a guide.
public struct GuideManifest: Equatable, Sendable {
  package let name: String
  /// The version: any nonempty text. Versions are not ordered.
  public let version: String
  /// The time zone of the opening hours, such as `Europe/Berlin`; `nil` if not given.
  package let timeZone: String?
  /// The attribution to show with every map, such as `© OpenStreetMap contributors`; `nil` if not given.
  package let attribution: String?
  /// At most 64 parts, sorted by the UTF-8 bytes of their names.
  package let parts: [Part]

  static let file = "guide.json"
  static let format = "cupola.guide/1"
  static let mostParts = 64
  static let mostBytes = 1 << 18

  /// Creates a manifest. If the version is `nil`, it is the first 16 digits of the SHA-256 of all digests.
  init(
    name: String, version: String? = nil, timeZone: String? = nil, attribution: String? = nil,
    parts: [String: [UInt8]]
  ) throws(GuideError) {
    precondition(parts.count <= Self.mostParts, "\(parts.count) parts exceed the limit")
    (self.name, self.timeZone, self.attribution) = (name, timeZone, attribution)
    var described: [Part] = []
    for (name, bytes) in parts { described.append(try Part(name: name, of: bytes)) }
    self.parts = Self.sorted(described)
    let digests = self.parts.map(\.sha256).joined()
    self.version = version ?? String(SHA256.hexadecimal(of: Array(digests.utf8)).prefix(16))
    precondition(!self.version.isEmpty, "the version is empty")
  }

  init(
    name: String, version: String, timeZone: String?, attribution: String?, sorting parts: [Part]
  ) {
    (self.name, self.version) = (name, version)
    (self.timeZone, self.attribution) = (timeZone, attribution)
    self.parts = Self.sorted(parts)
  }

  private static func sorted(_ parts: [Part]) -> [Part] {
    parts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The total size of all parts in bytes.
  public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }

  package func part(_ name: String) -> Part? { parts.first { $0.name == name } }

  package struct Part: Equatable, Sendable {
    /// The name, such as `paths.bin`: 1 to 64 lowercase letters, digits, `-` and `.`, not starting with a dot.
    package let name: String
    package let bytes: Int
    /// The SHA-256 (FIPS 180-4) as 64 lowercase hexadecimal digits.
    package let sha256: String

    static let mostBytes = 256 << 20

    /// The file name, which includes the digest: `paths.bin` is stored as `paths-0123456789abcdef.bin`.
    ///
    /// New parts therefore never overwrite old ones, and `guide.json` alone determines the parts of a guide.
    package var file: String {
      let dot = name.firstIndex(of: ".") ?? name.endIndex
      return "\(name[..<dot])-\(sha256.prefix(16))\(name[dot...])"
    }

    init(name: String, of bytes: [UInt8]) throws(GuideError) {
      precondition(Self.isName(name), "\(name) is not a valid part name")
      try self.init(name: name, bytes: bytes.count, sha256: SHA256.hexadecimal(of: bytes))
    }

    init(name: String, bytes: Int, sha256: String) throws(GuideError) {
      guard bytes <= Self.mostBytes else {
        throw .partTooLarge(name: name, bytes: bytes, limit: Self.mostBytes)
      }
      (self.name, self.bytes, self.sha256) = (name, bytes, sha256)
    }

    /// Whether a text is a valid part name. Valid names cannot refer to a file outside the folder.
    static func isName(_ text: String) -> Bool {
      (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
        && text.utf8.allSatisfy { byte in
          Digits.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    func matches(_ bytes: [UInt8]) -> Bool {
      bytes.count == self.bytes && SHA256.hexadecimal(of: bytes) == sha256
    }

    /// Returns whether a file, read in chunks, has the part's size and digest; `false` if it cannot be read.
    func matches(fileAt path: String) -> Bool {
      guard (try? FileAccess.size(of: path)) == bytes else { return false }
      var hash = SHA256()
      for start in stride(from: 0, to: bytes, by: 1 << 20) {
        let range = start..<min(start + 1 << 20, bytes)
        guard let piece = try? FileAccess.read(path, bytes: range) else { return false }
        hash.update(piece)
      }
      return hash.hexadecimal() == sha256
    }
  }

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
      guard let part = try Part(json) else { throw bad("part \(index + 1) is invalid") }
      guard !parts.contains(where: { $0.name == part.name }) else {
        throw bad("two parts are named \(part.name)")
      }
      parts.append(part)
    }
    self.init(
      name: name, version: version,
      timeZone: try Self.text("time_zone", of: members, path: path),
      attribution: try Self.text("attribution", of: members, path: path), sorting: parts)
  }

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
    default: throw .badManifest(path: path, problem: "\"\(key)\" is not a string")
    }
  }

  private static func isOurs(_ format: String) -> Bool { format.hasPrefix("cupola.guide/") }

  static func isForeign(_ bytes: [UInt8]) -> Bool {
    // Invalid JSON may be a damaged `guide.json`.
    guard let value = try? JSONReader.value(of: bytes) else { return false }
    guard case .object(let members) = value, case .string(let format) = members["format"] else {
      return true
    }
    return !isOurs(format)
  }
}

extension GuideManifest.Part {
  /// Returns `nil` if the part is invalid or its name could refer to a file outside the folder.
  fileprivate init?(_ json: JSONValue) throws(GuideError) {
    guard case .object(let members) = json, case .string(let name) = members["name"],
      case .integer(let bytes) = members["bytes"], case .string(let sha256) = members["sha256"],
      Self.isName(name), bytes >= 0, sha256.isSHA256
    else { return nil }
    try self.init(name: name, bytes: bytes, sha256: sha256)
  }
}
