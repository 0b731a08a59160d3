internal import CupolaSupport

/// What a guide consists of: `guide.json` in its folder, format `cupola.guide/1`.
public struct GuideManifest: Equatable, Sendable {
  /// What the grounds are called.
  public let name: String
  /// What tells this guide from earlier ones: any text, not empty; no order is in it.
  public let version: String
  /// The identifier of the time zone of its opening hours, such as `Europe/Berlin`; `nil` when nobody said.
  public let timeZone: String?
  /// Whose data it is made of, to be shown with every map, such as `© OpenStreetMap contributors`; `nil` when
  /// nobody said.
  public let attribution: String?
  /// Sorted by the bytes of their names, at most 64.
  public let parts: [Part]

  /// The name of its file.
  static let file = "guide.json"
  static let format = "cupola.guide/1"
  /// Parts that a guide may have.
  static let mostParts = 64
  /// Bytes that a `guide.json` may have; one of 64 parts is far below.
  static let mostBytes = 1 << 18

  /// Describes parts.
  ///
  /// - Parameters:
  ///   - version: `nil` is made of the parts: the first 16 hexadecimal digits of the SHA-256 of their digests.
  ///   - parts: bytes by name, which ``Part/isName(_:)``; at most 64.
  /// - Throws: ``GuideError/partTooLarge(name:bytes:limit:)``.
  init(
    name: String, version: String? = nil, timeZone: String? = nil, attribution: String? = nil,
    parts: [String: [UInt8]]
  ) throws(GuideError) {
    precondition(parts.count <= Self.mostParts, "\(parts.count) parts are too many")
    (self.name, self.timeZone, self.attribution) = (name, timeZone, attribution)
    var described: [Part] = []
    for (name, bytes) in parts { described.append(try Part(name: name, of: bytes)) }
    self.parts = Self.sorted(described)
    self.version = version ?? Self.version(of: self.parts)
    precondition(!self.version.isEmpty, "a version is some text")
  }

  init(
    name: String, version: String, timeZone: String?, attribution: String?, sorting parts: [Part]
  ) {
    (self.name, self.version) = (name, version)
    (self.timeZone, self.attribution) = (timeZone, attribution)
    self.parts = Self.sorted(parts)
  }

  /// Bytes of all parts.
  public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }

  /// A part by its name; `nil` when the guide has none.
  public func part(_ name: String) -> Part? { parts.first { $0.name == name } }

  private static func sorted(_ parts: [Part]) -> [Part] {
    parts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func version(of parts: [Part]) -> String {
    let digests = parts.map(\.sha256).joined()
    return String(SHA256.hexadecimal(of: Array(digests.utf8)).prefix(16))
  }
}
