public import CupolaGuide
internal import CupolaSupport

extension PasskeySet {
  static let format = "cupola.passkeys/1"
  static let mostBytes = 16 << 20

  /// The file of the set, `cupola.passkeys/1`: no codes are in it, and the same bytes for the same set.
  public var json: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "tour": .string(tour), "salt": .string(Hex.text(salt)),
      "iterations": .integer(iterations), "tries": Self.json(tries),
      "origins": .object(origins.mapValues(Self.json)),
      "keys": .array(
        keys.map { key in
          var members: [String: JSONValue] = ["hash": .string(Hex.text(key.hash))]
          members["used"] = key.usedAt.map { .number($0) }
          return .object(members)
        }),
    ]
    members["expires"] = expiry.map { .number($0) }
    return JSONWriter.bytes(of: .object(members)) + [UInt8(ascii: "\n")]
  }

  private static func json(_ tries: Tries) -> JSONValue {
    .object(["count": .integer(tries.count), "last": .number(tries.last)])
  }

  /// Reads a set.
  ///
  /// - Parameters:
  ///   - bytes: a JSON text.
  ///   - path: what errors call it.
  /// - Throws: ``GuideError/badTour(path:problem:)``, ``GuideError/newerFormat(_:)``.
  public init(json bytes: [UInt8], path: String) throws(GuideError) {
    let node = try TourNode(
      json: bytes, format: Self.format, mostBytes: Self.mostBytes, file: path)
    try node.checkMembers([
      "format", "tour", "salt", "iterations", "expires", "keys", "tries", "origins",
    ])
    var keys: [Key] = []
    for node in try node.required("keys").list(1...Self.mostKeys) {
      try node.checkMembers(["hash", "used"])
      keys.append(
        Key(hash: try node.required("hash").bytes(32), usedAt: try node["used"]?.time()))
    }
    self.init(
      tour: try node.required("tour").identifier(), expiry: try node["expires"]?.time(),
      salt: try node.required("salt").bytes(16),
      // As many as take seconds.
      iterations: try node.required("iterations").integer(1...2_000_000), keys: keys)
    tries = try Self.tries(node.required("tries"))
    for (name, node) in try node.required("origins").members(atMost: Self.mostTries) {
      origins[name] = try Self.tries(node)
    }
  }

  private static func tries(_ node: TourNode) throws(GuideError) -> Tries {
    try node.checkMembers(["count", "last"])
    return Tries(
      count: try node.required("count").integer(0...mostTries),
      last: try node.required("last").time())
  }
}

extension TourNode {
  /// So many bytes as hexadecimal digits.
  fileprivate func bytes(_ count: Int) throws(GuideError) -> [UInt8] {
    guard case .string(let text) = value, let bytes = Hex.bytes(text), bytes.count == count else {
      throw fault("not \(2 * count) hexadecimal digits")
    }
    return bytes
  }
}
