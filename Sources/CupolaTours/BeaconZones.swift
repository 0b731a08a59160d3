#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Smooth the strength of each beacon over time.
// 2. Derive the zone from the path loss relative to 1 m.
// 3. Find the nearest beacon by the lowest path loss, or by fingerprints.
// 4. Require a margin and a minimum stay before a change of zone or nearest beacon.

/// Computes beacon zones from signal strengths.
///
/// Zones are used instead of distances: on real walks, a distance computed from a single strength had a median error of
/// 4.5 m.
///
/// - Strengths are smoothed with an exponential mean over 2 s.
/// - The path loss is relative to the power at 1 m, from a ``BeaconMap`` or the advertisement. Measure the power on
///   site.
/// - The nearest beacon is the one with the lowest path loss. With fingerprints, it is the nearest beacon according to
///   the most similar fingerprints, even if that beacon itself is not received.
/// - A change requires a difference of 4 dB, or of 20% of the votes, and at least 1 s since the last change.
/// - A beacon is gone if it was not received for 10 s. All beacons are gone if the clock is set back by more than 5 s.
public struct BeaconZones: Equatable, Sendable {
  struct TrackedBeacon: Equatable, Sendable {
    var strength: Double
    var power: Double
    var time: Double
    var level: TourZoneLevel
    var since: Double

    /// The path loss in dB relative to 1 m.
    var loss: Double { power - strength }
  }

  static let smoothing = 2.0
  /// The margin in dB for changing the nearest beacon or a zone.
  static let hysteresis = 4.0
  /// The margin for changing the nearest beacon by votes, as a fraction of all votes.
  static let margin = 0.2
  static let leastStay = 1.0
  /// The time in seconds without readings after which a beacon is gone.
  static let silence = 10.0
  /// The largest path loss in dB in each zone.
  private static let (immediate, near) = (2.0, 12.0)
  /// The power in dBm at 1 m for beacons that do not advertise it; most manufacturers use this value.
  private static let usualPower = -59.0
  private static let mostBeacons = 500
  /// The number of seconds that the clock may be set back without a reset.
  private static let clockStep = 5.0
  private static let comparison = 0.5

  private let powers: [BeaconID: Double]
  private let table: FingerprintTable
  private(set) var heard: [BeaconID: TrackedBeacon] = [:]
  private var clock = -Double.infinity
  private var shares: [BeaconID: Double] = [:]
  private var compared = -Double.infinity
  private var nearestSince = -Double.infinity
  private(set) var nearest: BeaconID?

  /// Creates zones; the powers of `map` override advertised ones.
  public init(_ map: BeaconMap? = nil) {
    (powers, table) = (map?.powers ?? [:], FingerprintTable(map))
  }

  func level(of id: BeaconID) -> TourZoneLevel? { heard[id]?.level }

  /// Handles a reading and returns the changes.
  ///
  /// `rssi` and the advertised `power` at 1 m are in dBm; invalid values, such as 0 and 127, are ignored.
  public mutating func observe(
    _ id: BeaconID, rssi: Double, power: Double? = nil, at time: Double
  ) -> [BeaconSignal] {
    guard BeaconStrength.heard.contains(rssi), var signals = passed(to: time) else { return [] }
    let advertised = power.flatMap { BeaconStrength.power.contains($0) ? $0 : nil }
    if var one = heard[id] {
      let share = max(1 - exp(-(clock - one.time) / Self.smoothing), 0.05)
      one.strength += share * (rssi - one.strength)
      one.power = powers[id] ?? advertised ?? one.power
      one.time = clock
      heard[id] = one
    } else {
      signals += dropOldest()
      let power = powers[id] ?? advertised ?? Self.usualPower
      let level = Self.level(power - rssi)
      heard[id] = TrackedBeacon(
        strength: rssi, power: power, time: clock, level: level, since: clock)
      signals.append(.zone(id, level))
    }
    return signals + updateZones()
  }

  /// Updates the clock and returns the changes; call it every second.
  public mutating func advance(to time: Double) -> [BeaconSignal] {
    guard let signals = passed(to: time) else { return [] }
    return signals + updateZones()
  }

  /// Updates the clock and removes beacons that are no longer received; `nil` for an invalid time.
  private mutating func passed(to time: Double) -> [BeaconSignal]? {
    guard time.isFinite, time.magnitude < 1e12 else { return nil }
    let gone: [BeaconID]
    if time < clock - Self.clockStep {
      // After the clock is set back, earlier times are meaningless.
      gone = Array(heard.keys)
      (shares, compared, nearestSince) = ([:], -.infinity, -.infinity)
      clock = time
    } else {
      clock = max(clock, time)
      gone = heard.filter { clock - $0.value.time > Self.silence }.map(\.key)
    }
    return gone.sorted().map { id in
      heard[id] = nil
      return .zone(id, nil)
    }
  }

  private mutating func dropOldest() -> [BeaconSignal] {
    guard heard.count >= Self.mostBeacons else { return [] }
    let oldest = heard.filter { $0.key != nearest }
      .min { ($0.value.time, $0.key) < ($1.value.time, $1.key) }
    guard let oldest else { return [] }
    heard[oldest.key] = nil
    return [.zone(oldest.key, nil)]
  }

  private static func level(_ loss: Double) -> TourZoneLevel {
    loss <= immediate ? .immediate : loss <= near ? .near : .far
  }

  private mutating func updateZones() -> [BeaconSignal] {
    var changes: [(id: BeaconID, level: TourZoneLevel)] = []
    for (id, one) in heard where clock - one.since >= Self.leastStay {
      // Half of the hysteresis applies in each direction.
      let farther = Self.level(one.loss - Self.hysteresis / 2)
      let nearer = Self.level(one.loss + Self.hysteresis / 2)
      if nearer < one.level || farther > one.level {
        changes.append((id, nearer < one.level ? nearer : farther))
      }
    }
    var signals: [BeaconSignal] = changes.sorted { $0.id < $1.id }.map { change in
      heard[change.id]?.level = change.level
      heard[change.id]?.since = clock
      return .zone(change.id, change.level)
    }
    let next = nextNearest()
    if next != nearest {
      (nearest, nearestSince) = (next, clock)
      signals.append(.nearest(next))
    }
    return signals
  }

  private mutating func nextNearest() -> BeaconID? {
    let mayChange = clock - nearestSince >= Self.leastStay
    if !table.isEmpty, clock - compared >= Self.comparison {
      (shares, compared) = (table.shares { heard[$0]?.strength }, clock)
    }
    if let best = shares.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
      guard let nearest else { return best.key }
      let isBetter = best.value > (shares[nearest] ?? 0) + Self.margin
      return isBetter && mayChange ? best.key : nearest
    }
    guard let best = heard.min(by: { ($0.value.loss, $0.key) < ($1.value.loss, $1.key) }) else {
      return nil
    }
    guard let nearest, let current = heard[nearest] else { return best.key }
    return best.value.loss < current.loss - Self.hysteresis && mayChange ? best.key : nearest
  }
}

/// A change in the beacons around the phone.
public enum BeaconSignal: Equatable, Sendable {
  /// A beacon's zone changed; `nil` if the beacon is no longer received.
  case zone(BeaconID, TourZoneLevel?)
  /// The nearest beacon changed; `nil` if no beacon is received.
  case nearest(BeaconID?)
}
