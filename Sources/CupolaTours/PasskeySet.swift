public import CupolaGuide
internal import CupolaSupport

// One-time passkeys that open a tour:
// 1. random codes are made, of which the set keeps salted hashes only;
// 2. a file holds the set, which only its owner reads;
// 3. a code that somebody types is read, hashed, and looked up; its key is then marked as used;
// 4. the file is locked meanwhile, so that no two programs redeem one key.

/// The passkeys of a tour, each of which opens it for one group, once.
///
/// It holds no codes: of each only the SHA-256 of the set's salt and the code. One salt serves the whole set. That takes
/// away from whoever guesses log2(keys) of the 70 random bits of a code: at least 60 remain for 1,000 keys, which nobody
/// tries out. Every refusal is the same.
public struct PasskeySet: Equatable, Sendable {
  /// One passkey.
  struct Key: Equatable, Sendable {
    /// The SHA-256 of the salt and the code.
    let hash: [UInt8]
    /// When it was redeemed, seconds since 1970.
    var usedAt: Double?
  }

  /// The tour that the keys open.
  public let tour: String
  /// When the keys end, seconds since 1970; `nil` for never.
  package let expiry: Double?
  let salt: [UInt8]
  private(set) var keys: [Key]

  /// Keys of a set at most.
  package static let mostKeys = 10_000
  static let format = "cupola.passkeys/2"
  static let mostBytes = 16 << 20

  /// Makes keys of the system's random bytes.
  ///
  /// - Parameters:
  ///   - count: 1 to 10,000.
  ///   - tour: ``Tour/id`` of the tour that they open.
  ///   - expiry: when they end, seconds since 1970; `nil` for never.
  /// - Returns: the set to be kept, and the codes, which are nowhere else.
  package static func make(
    count: Int, tour: String, expiry: Double? = nil
  ) -> (set: PasskeySet, codes: [String]) {
    var generator = SystemRandomNumberGenerator()
    return make(count: count, tour: tour, expiry: expiry, using: &generator)
  }

  /// The same from a generator: one that nobody can predict, but in tests.
  static func make(
    count: Int, tour: String, expiry: Double? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> (set: PasskeySet, codes: [String]) {
    precondition((1...mostKeys).contains(count), "\(count) passkeys")
    precondition(expiry?.isFinite ?? true, "keys that end at \(expiry ?? 0)")
    let salt = (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 56) }
    var (codes, known): ([PasskeyCode], Set<PasskeyCode>) = ([], [])
    while codes.count < count {
      let code = PasskeyCode(using: &generator)
      if known.insert(code).inserted { codes.append(code) }
    }
    let keys = codes.map { Key(hash: $0.hash(salt)) }
    return (PasskeySet(tour: tour, expiry: expiry, salt: salt, keys: keys), codes.map(\.text))
  }

  /// How many keys are not redeemed yet.
  package var unused: Int { keys.count { $0.usedAt == nil } }

  /// How many keys there are.
  package var count: Int { keys.count }

  /// Opens the tour with a code, which opens it once; the set has to be kept after that.
  ///
  /// - Parameters:
  ///   - code: as somebody typed it.
  mutating func redeem(_ code: String, at time: Double) throws(GuideError) {
    guard let hash = PasskeyCode(code)?.hash(salt), time.isFinite, time.magnitude < 1e12,
      let number = keys.firstIndex(where: { $0.hash == hash }), keys[number].usedAt == nil,
      expiry.map({ time < $0 }) ?? true
    else { throw .passkeyRefused }
    keys[number].usedAt = time
  }
}

// MARK: - The file

extension PasskeySet {
  /// Reads the file of a set.
  package init(path: String) throws(GuideError) {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    try self.init(json: bytes, path: path)
  }

  /// Writes the set to a new file, readable by its owner only.
  package func create(path: String) throws(GuideError) {
    try FolderLock.hold(FileAccess.folder(of: path), for: path) { () throws(GuideError) in
      try GuideError.files { () throws(FileError) in try FileAccess.createPrivate(path) }
      do throws(GuideError) { try write(path) } catch {
        Directory.remove(path)
        throw error
      }
    }
  }

  /// Opens the tour with a code of a file, which is changed before this returns: no two programs redeem one key.
  ///
  /// - Parameters:
  ///   - code: as somebody typed it.
  ///   - time: seconds since 1970.
  ///   - path: the file.
  /// - Returns: the set after that.
  /// - Throws: `GuideError.passkeyRefused`, whatever the reason; `GuideError.file(_:)`, and the code then opens
  ///   nothing; `GuideError.busy(path:)` when others work with the file for long;
  ///   `GuideError.badFile(path:problem:)`, `GuideError.newerFormat(_:)`.
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
      try FileAccess.makePrivate(path)
      try FileAccess.write(json, to: path)
    }
  }

  /// The file of the set, `cupola.passkeys/2`: no codes are in it, and the same bytes for the same set.
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

  /// Reads a set; `path` is what errors call it.
  package init(json bytes: [UInt8], path: String) throws(GuideError) {
    let node: TourNode
    do throws(GuideError) {
      node = try TourNode(
        json: bytes, format: Self.format, mostBytes: Self.mostBytes, file: path)
    } catch {
      guard error == .newerFormat("cupola.passkeys/1") else { throw error }
      throw .badFile(
        path: path,
        problem: "its passkeys are of an earlier version; make new ones and hand them out")
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
  /// So many bytes as hexadecimal digits.
  fileprivate func bytes(_ count: Int) throws(GuideError) -> [UInt8] {
    guard case .string(let text) = value, let bytes = Hex.bytes(text), bytes.count == count else {
      throw fault("not \(2 * count) hexadecimal digits")
    }
    return bytes
  }
}

// MARK: - Codes

/// The code of a passkey as people read it aloud, such as `7KQ4N-9M2XW-HT3V8`.
///
/// 14 random characters of 5 bits and one that checks them, of Crockford's alphabet without I, L, O and U.
/// The last is a sum over the field of 32 elements in which every character has another weight: one wrong
/// character, or two exchanged ones, are always found.
struct PasskeyCode: Hashable {
  /// Values 0..<32, the check character not among them.
  let values: [UInt8]

  /// Characters before the one that checks: 70 bits.
  static let count = 14
  private static let groupSize = 5
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  /// What nobody types.
  private static let mostBytes = 100

  init(using generator: inout some RandomNumberGenerator) {
    values = (0..<Self.count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 59) }
  }

  /// Reads what somebody typed: in small letters too, with I and L for 1, O for 0, and hyphens and blanks anywhere.
  ///
  /// Fails for anything else, and when the last character does not check.
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

  /// The code in groups.
  var text: String {
    var text = ""
    for (number, value) in (values + [Self.check(values[...])]).enumerated() {
      if number > 0, number % Self.groupSize == 0 { text += "-" }
      text += String(UnicodeScalar(Self.alphabet[Int(value)]))
    }
    return text
  }

  /// What a set keeps of it.
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

  /// The sum of `value[i] * x^(i + 1)` modulo `x^5 + x^2 + 1`, whose root has the order 31.
  private static func check(_ values: ArraySlice<UInt8>) -> UInt8 {
    // By Horner's rule, from the last.
    values.reversed().reduce(0) { sum, value in
      let double = (sum ^ value) << 1
      return double & 32 == 0 ? double : double ^ 37
    }
  }
}
