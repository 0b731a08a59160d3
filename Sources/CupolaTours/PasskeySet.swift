public import CupolaGuide
internal import CupolaSupport

/// The passkeys of a tour, each of which opens it for one group, once.
///
/// It holds no codes: of each only what PBKDF2-HMAC-SHA-256 makes of it. One salt serves the whole set, so that a
/// try costs one derivation however many keys there are. That takes away from whoever guesses log2(keys) of the 70
/// bits of a code: at least 60 remain for 1,000 keys, which nobody tries out. Every refusal is the same, takes the
/// same derivation, and every key is compared to its end.
///
/// Wrong tries are counted, for the set and for whoever tries, and delay the next one more and more. A code whose last
/// character does not check is a slip and not counted: it could open nothing.
public struct PasskeySet: Equatable, Sendable {
  /// One passkey.
  struct Key: Equatable, Sendable {
    /// What the derivation makes of its code.
    let hash: [UInt8]
    /// When it was redeemed, seconds since 1970.
    var usedAt: Double?
  }

  /// How often somebody was wrong.
  struct Tries: Equatable, Sendable {
    var count = 0
    /// When it was last, seconds since 1970.
    var last = 0.0
  }

  /// The tour that the keys open.
  public let tour: String
  /// When the keys end, seconds since 1970; `nil` for never.
  public let expiry: Double?
  let salt: [UInt8]
  let iterations: Int
  var keys: [Key]
  var tries = Tries()
  /// By a hash of who tried.
  var origins: [String: Tries] = [:]

  /// Keys of a set at most.
  public static let mostKeys = 10_000
  /// Wrong tries after which a set is closed until ``forgive()``.
  public static let mostTries = 1000
  /// Wrong tries after which an origin is refused until ``forgive()``.
  public static let mostTriesOfOrigin = 50
  /// About 35 ms on the bench. The codes are random, so that guessing is hopeless without this too.
  static let usualIterations = 16_000

  init(
    tour: String, expiry: Double?, salt: [UInt8], iterations: Int, keys: [Key]
  ) {
    (self.tour, self.expiry, self.salt) = (tour, expiry, salt)
    (self.iterations, self.keys) = (iterations, keys)
  }

  /// Makes keys.
  ///
  /// - Parameters:
  ///   - count: 1 to ``mostKeys``; each takes about 35 ms.
  ///   - tour: ``Tour/id`` of the tour that they open.
  ///   - expiry: when they end, seconds since 1970; `nil` for never.
  ///   - generator: one that nobody can predict, but in tests.
  /// - Returns: the set to be kept, and the codes, which are nowhere else.
  public static func make(
    count: Int, tour: String, expiry: Double? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> (set: PasskeySet, codes: [String]) {
    make(count: count, tour: tour, expiry: expiry, usualIterations, using: &generator)
  }

  /// The same from the system's random bytes.
  public static func make(
    count: Int, tour: String, expiry: Double? = nil
  ) -> (set: PasskeySet, codes: [String]) {
    var generator = SystemRandomNumberGenerator()
    return make(count: count, tour: tour, expiry: expiry, using: &generator)
  }

  static func make(
    count: Int, tour: String, expiry: Double?, _ iterations: Int,
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
    let keys = codes.map { Key(hash: derived($0, salt: salt, iterations: iterations)) }
    let set = PasskeySet(
      tour: tour, expiry: expiry, salt: salt, iterations: iterations, keys: keys)
    return (set, codes.map(\.text))
  }

  /// How many keys are not redeemed yet.
  public var unused: Int { keys.count { $0.usedAt == nil } }

  /// How many keys there are.
  public var count: Int { keys.count }

  /// What the derivation makes of a code; of none what no code makes.
  static func derived(_ code: PasskeyCode?, salt: [UInt8], iterations: Int) -> [UInt8] {
    // Longer than any code, so that no key is meant.
    let none = [UInt8](repeating: 0, count: PasskeyCode.count + 1)
    return PBKDF2.key(password: code?.values ?? none, salt: salt, iterations: iterations)
  }
}

extension PasskeySet {
  /// Opens the tour with a code, which opens it once.
  ///
  /// What changed in the set has to be kept whether it opens or not: ``redeem(_:at:origin:file:)`` does that.
  /// - Parameters:
  ///   - code: as somebody typed it.
  ///   - time: seconds since 1970.
  ///   - origin: who tries, such as a device or an address; kept as a hash.
  /// - Throws: ``GuideError/passkeyRefused``, whatever the reason.
  public mutating func redeem(
    _ code: String, at time: Double, origin: String? = nil
  ) throws(GuideError) {
    let code = PasskeyCode(code)
    try redeem(
      isCode: code != nil, hash: Self.derived(code, salt: salt, iterations: iterations),
      at: time, origin: origin)
  }

  /// The same of a derived code.
  mutating func redeem(
    isCode: Bool, hash: [UInt8], at time: Double, origin: String?
  ) throws(GuideError) {
    let (isKey, number) = find(hash)
    let origin = origin.map(originName)
    guard isCode, time.isFinite, time.magnitude < 1e12, !isDelayed(at: time, origin) else {
      throw .passkeyRefused
    }
    guard isKey, keys[number].usedAt == nil, expiry.map({ time < $0 }) ?? true else {
      count(at: time, origin)
      throw .passkeyRefused
    }
    keys[number].usedAt = time
  }

  /// Lets everybody try again who was wrong too often.
  public mutating func forgive() { (tries, origins) = (Tries(), [:]) }

  /// Compares with all keys, each to its end, and takes no other way where one fits.
  private func find(_ hash: [UInt8]) -> (isKey: Bool, number: Int) {
    var (found, place) = (0, 0)
    for (number, key) in keys.enumerated() {
      var difference = UInt8(hash.count == key.hash.count ? 0 : 1)
      for (a, b) in zip(hash, key.hash) { difference |= a ^ b }
      // 1 for no difference, 0 for any.
      let fits = Int((UInt16(difference) &- 1) >> 15)
      found |= fits
      place |= number & (0 &- fits)
    }
    return (found == 1, place)
  }

  // MARK: - Delays

  /// The name under which an origin is counted: a salted hash, so that no address stands in the file. Who has the file
  /// can still try out what there are few of, such as all addresses of IPv4.
  private func originName(_ origin: String) -> String {
    var hash = SHA256()
    hash.update(salt + Array(origin.utf8))
    return String(hash.hexadecimal().prefix(24))
  }

  private mutating func isDelayed(at time: Double, _ origin: String?) -> Bool {
    let ofOrigin = origin.flatMap { origins[$0] } ?? Tries()
    guard tries.count < Self.mostTries, ofOrigin.count < Self.mostTriesOfOrigin else {
      return true
    }
    // A clock that was set back would delay for years.
    if time < tries.last { tries.last = time }
    if let origin, time < ofOrigin.last { origins[origin]?.last = time }
    return time - tries.last < Self.delay(ofSetAfter: tries.count)
      || time - ofOrigin.last < Self.delay(ofOriginAfter: ofOrigin.count)
  }

  /// Seconds: an origin has five tries, then waits 1, 2, 4, ... and at most an hour.
  static func delay(ofOriginAfter count: Int) -> Double {
    count < 5 ? 0 : min(3600, Double(1 << min(count - 5, 12)))
  }

  /// Seconds: who tries as many origins has 100 tries, then each hundred doubles a second.
  static func delay(ofSetAfter count: Int) -> Double {
    count < 100 ? 0 : Double(1 << min(count / 100 - 1, 6))
  }

  private mutating func count(at time: Double, _ origin: String?) {
    tries.count += 1
    tries.last = time
    if let origin {
      origins[origin, default: Tries()].count += 1
      origins[origin]?.last = time
    }
  }
}

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

/// Files of passkeys, which nobody but their owner reads, and no two programs change at once.
extension PasskeySet {
  /// Reads the file of a set.
  ///
  /// - Throws: ``GuideError/file(_:)``, ``GuideError/badTour(path:problem:)``, ``GuideError/newerFormat(_:)``.
  public init(path: String) throws(GuideError) {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    try self.init(json: bytes, path: path)
  }

  /// Writes the set to a new file, readable by its owner only.
  ///
  /// - Throws: ``GuideError/file(_:)``, also when something stands there: passkeys that were handed out are not
  ///   replaced; ``GuideError/busy(path:)``.
  public func create(path: String) throws(GuideError) {
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
  /// - Parameters: as of ``redeem(_:at:origin:)``.
  /// - Returns: the set after that.
  /// - Throws: ``GuideError/passkeyRefused``; ``GuideError/file(_:)``, and the code then opens nothing;
  ///   ``GuideError/busy(path:)`` when others work with the file for long; as ``init(path:)``.
  @discardableResult
  public static func redeem(
    _ code: String, at time: Double, origin: String? = nil, file path: String
  ) throws(GuideError) -> PasskeySet {
    let code = PasskeyCode(code)
    // What takes long is done before others have to wait.
    let early = try PasskeySet(path: path)
    var hash = derived(code, salt: early.salt, iterations: early.iterations)
    var set = early
    try FolderLock.hold(FileAccess.folder(of: path), for: path) { () throws(GuideError) in
      set = try PasskeySet(path: path)
      if set.salt != early.salt || set.iterations != early.iterations {
        hash = derived(code, salt: set.salt, iterations: set.iterations)
      }
      let before = set
      do throws(GuideError) {
        try set.redeem(isCode: code != nil, hash: hash, at: time, origin: origin)
      } catch {
        if set != before { try set.write(path) }
        throw error
      }
      try set.write(path)
    }
    return set
  }

  /// Lets everybody try again who was wrong too often.
  ///
  /// - Throws: as ``redeem(_:at:origin:file:)``, but for the refusal.
  public static func forgive(file path: String) throws(GuideError) {
    try FolderLock.hold(FileAccess.folder(of: path), for: path) { () throws(GuideError) in
      var set = try PasskeySet(path: path)
      set.forgive()
      try set.write(path)
    }
  }

  private func write(_ path: String) throws(GuideError) {
    try GuideError.files { () throws(FileError) in
      try FileAccess.makePrivate(path)
      try FileAccess.write(json, to: path)
    }
  }
}

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

/// Makes keys of what people can type: PBKDF2 with HMAC-SHA-256 (RFC 8018, section 5.2).
enum PBKDF2 {
  /// So many bytes of a password.
  ///
  /// - Parameter iterations: 1 or more; the time grows with them.
  static func key(
    password: [UInt8], salt: [UInt8], iterations: Int, count: Int = 32
  ) -> [UInt8] {
    precondition(iterations > 0 && count > 0 && count <= 1 << 20, "\(iterations), \(count)")
    let hmac = HMAC(key: password)
    var key: [UInt8] = []
    var number: UInt32 = 0
    while key.count < count {
      number += 1
      let index = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      var code = hmac.code(of: salt + index)
      var block = code
      for _ in 1..<max(iterations, 1) {
        code = hmac.code(of: code)
        for byte in block.indices { block[byte] ^= code[byte] }
      }
      key += block
    }
    return Array(key.prefix(count))
  }
}

/// A code that only who knows a key can make of a message: HMAC-SHA-256 (RFC 2104, FIPS 198-1).
struct HMAC {
  /// Hashes that have taken the key already, so that each message costs no more than it is long.
  private let inner, outer: SHA256

  private static let blockSize = 64

  init(key: [UInt8]) {
    var block = key
    if key.count > Self.blockSize {
      var hash = SHA256()
      hash.update(key)
      block = hash.digest()
    }
    block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
    var (inner, outer) = (SHA256(), SHA256())
    inner.update(block.map { $0 ^ 0x36 })
    outer.update(block.map { $0 ^ 0x5C })
    (self.inner, self.outer) = (inner, outer)
  }

  /// The 32 bytes of the code.
  func code(of message: [UInt8]) -> [UInt8] {
    var (hash, code) = (inner, outer)
    hash.update(message)
    code.update(hash.digest())
    return code.digest()
  }
}
