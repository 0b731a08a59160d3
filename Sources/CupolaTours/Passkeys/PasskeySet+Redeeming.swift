public import CupolaGuide
internal import CupolaSupport

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
