public import CupolaGuide
internal import CupolaSupport

// 1. Create random codes and store salted hashes of them.
// 2. Read and write the file, which is readable only by its owner.
// 3. Redeem a code while the file is locked: parse the code, find its hash, and mark the key as used.

/// The one-time passkeys of a tour.
///
/// The set does not store codes, only the SHA-256 of its salt and each code. Because all keys share a salt, an attacker
/// who searches for any of them saves log2(number of keys) of 70 bits, so at least 60 bits remain for 1,000 keys. All
/// failures produce the same error.
public struct PasskeySet: Equatable, Sendable {
  struct Key: Equatable, Sendable {
    let hash: [UInt8]
    /// The time at which the key was redeemed, in seconds since 1970.
    var usedAt: Double?
  }

  /// The identifier of the tour.
  public let tour: String
  /// The expiry time in seconds since 1970, if there is one.
  package let expiry: Double?
  let salt: [UInt8]
  private(set) var keys: [Key]

  package static let mostKeys = 10_000
  static let format = "cupola.passkeys/2"
  static let mostBytes = 16 << 20

  /// Creates keys from the system's random bytes.
  ///
  /// - Returns: The set to store, and the codes, which are not stored.
  package static func make(
    count: Int, tour: String, expiry: Double? = nil
  ) -> (set: PasskeySet, codes: [String]) {
    var generator = SystemRandomNumberGenerator()
    return make(count: count, tour: tour, expiry: expiry, using: &generator)
  }

  /// Creates keys with a random number generator, which must be unpredictable except in tests.
  static func make(
    count: Int, tour: String, expiry: Double? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> (set: PasskeySet, codes: [String]) {
    precondition((1...mostKeys).contains(count), "invalid number of passkeys: \(count)")
    precondition(expiry?.isFinite ?? true, "invalid expiry: \(expiry ?? 0)")
    let salt = (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 56) }
    var (codes, known): ([PasskeyCode], Set<PasskeyCode>) = ([], [])
    while codes.count < count {
      let code = PasskeyCode(using: &generator)
      if known.insert(code).inserted { codes.append(code) }
    }
    let keys = codes.map { Key(hash: $0.hash(salt)) }
    return (PasskeySet(tour: tour, expiry: expiry, salt: salt, keys: keys), codes.map(\.text))
  }

  /// Whether a typed code has a valid form and check character. Requires no file.
  package static func isWellFormed(_ code: String) -> Bool { PasskeyCode(code) != nil }

  package var unused: Int { keys.count { $0.usedAt == nil } }

  package var count: Int { keys.count }

  /// Redeems a code that was typed; save the set afterwards.
  mutating func redeem(_ code: String, at time: Double) throws(GuideError) {
    guard let hash = PasskeyCode(code)?.hash(salt), time.isFinite, time.magnitude < 1e12,
      let number = keys.firstIndex(where: { $0.hash == hash }), keys[number].usedAt == nil,
      expiry.map({ time < $0 }) ?? true
    else { throw .passkeyRefused }
    keys[number].usedAt = time
  }
}

extension PasskeySet {
  package init(path: String) throws(GuideError) {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    try self.init(json: bytes, path: path)
  }

  /// Writes the set to a new file, readable only by its owner.
  package func create(path: String) throws(GuideError) {
    try FolderLock.hold(FileAccess.folder(of: path), for: path) { () throws(GuideError) in
      try GuideError.files { () throws(FileError) in
        try FileAccess.createPrivate(json, at: path)
      }
    }
  }

  /// Redeems a typed code from a file of keys; a file lock ensures that each key is redeemed only once.
  ///
  /// - Returns: The updated set.
  /// - Throws: `GuideError.passkeyRefused` for any invalid code; `GuideError.file(_:)`, in which case the code is not
  ///   redeemed; `GuideError.busy(path:)` if the file stays locked; `GuideError.badFile(path:problem:)`,
  ///   `GuideError.newerFormat(_:)`.
  @discardableResult
  public static func redeem(
    _ code: String, at time: Double, file path: String
  ) throws(GuideError) -> PasskeySet {
    try FolderLock.hold(FileAccess.folder(of: path), for: path) { () throws(GuideError) in
      var set = try PasskeySet(path: path)
      try set.redeem(code, at: time)
      try set.write(path)
      return set
    }
  }

  private func write(_ path: String) throws(GuideError) {
    try GuideError.files { () throws(FileError) in
      try FileAccess.write(json, to: path, isPrivate: true)
    }
  }

  /// The set as JSON (`cupola.passkeys/2`), without codes; equal sets have equal bytes.
  package var json: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "tour": .string(tour), "salt": .string(Hex.text(salt)),
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

  package init(json bytes: [UInt8], path: String) throws(GuideError) {
    let node: TourNode
    do throws(GuideError) {
      node = try TourNode(
        json: bytes, format: Self.format, mostBytes: Self.mostBytes, file: path)
    } catch {
      guard error == .newerFormat("cupola.passkeys/1") else { throw error }
      throw .badFile(
        path: path,
        problem: "unsupported old format; create and distribute new passkeys")
    }
    try node.checkMembers(["format", "tour", "salt", "expires", "keys"])
    var keys: [Key] = []
    for node in try node.required("keys").list(1...Self.mostKeys) {
      try node.checkMembers(["hash", "used"])
      keys.append(
        Key(hash: try node.required("hash").bytes(32), usedAt: try node["used"]?.time()))
    }
    self.init(
      tour: try node.required("tour").identifier(), expiry: try node["expires"]?.time(),
      salt: try node.required("salt").bytes(16), keys: keys)
  }
}

extension TourNode {
  fileprivate func bytes(_ count: Int) throws(GuideError) -> [UInt8] {
    guard case .string(let text) = value, let bytes = Hex.bytes(text), bytes.count == count else {
      throw fault("must be \(2 * count) hexadecimal digits")
    }
    return bytes
  }
}

/// The code of a passkey, for example `7KQ4N-9M2XW-HT3V8`.
///
/// A code has 14 random characters of 5 bits each and a check character, in Crockford's alphabet without I, L, O and U.
/// The check character is a weighted sum over GF(32), which detects any single wrong character and any two swapped
/// characters.
struct PasskeyCode: Hashable {
  /// The values of the characters, 0 to 31, without the check character.
  let values: [UInt8]

  /// The number of random characters, which contain 70 bits.
  static let count = 14
  private static let groupSize = 5
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let mostBytes = 100

  init(using generator: inout some RandomNumberGenerator) {
    values = (0..<Self.count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 59) }
  }

  /// Parses a typed code; ignores case, hyphens and spaces, and reads I and L as 1, and O as 0.
  ///
  /// Returns `nil` if the code is invalid or the check character does not match.
  init?(_ text: String) {
    guard text.utf8.count <= Self.mostBytes else { return nil }
    var values: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard let value = Self.value(byte) else { return nil }
      values.append(value)
    }
    guard values.count == Self.count + 1, Self.check(values.dropLast()) == values.last else {
      return nil
    }
    self.values = values.dropLast()
  }

  /// The code, in groups of five characters.
  var text: String {
    var text = ""
    for (number, value) in (values + [Self.check(values[...])]).enumerated() {
      if number > 0, number % Self.groupSize == 0 { text += "-" }
      text += String(UnicodeScalar(Self.alphabet[Int(value)]))
    }
    return text
  }

  func hash(_ salt: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(salt + values)
    return hash.digest()
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    let small = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    let letter =
      switch small ? byte & 0xDF : byte {
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      default: small ? byte & 0xDF : byte
      }
    return alphabet.firstIndex(of: letter).map { UInt8($0) }
  }

  /// The sum of `value[i] * x^(i + 1)` modulo `x^5 + x^2 + 1`, a polynomial whose root has order 31.
  private static func check(_ values: ArraySlice<UInt8>) -> UInt8 {
    values.reversed().reduce(0) { sum, value in
      let double = (sum ^ value) << 1
      return double & 32 == 0 ? double : double ^ 37
    }
  }
}
