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
