#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The zones of beacons:
// 1. each strength that is heard is smoothed over time;
// 2. the loss since a meter away gives the zone;
// 3. the least loss, or the fingerprints, give the nearest beacon;
// 4. both change only by a margin and after a least stay.

/// Zones around beacons, by the strength with which a phone hears them. Zones, and never meters: on real walks a
/// distance from one strength is wrong by 4.5 m in the median.
///
/// - Strengths are smoothed by an exponential mean over 2 seconds, whatever the time between them.
/// - They count relative to what the beacon has a meter away: of a ``BeaconMap``, else of its advertisement. To measure
///   that where the beacons hang is worth the work.
/// - The nearest beacon is the one with the least loss, or, where the map has fingerprints, the one that was the nearest
///   where it sounded most alike; that need not be heard itself.
/// - A zone or the nearest beacon changes only by 4 dB more, or a fifth more of the fingerprints'
///   votes, and stays for a second.
/// - A beacon that is not heard for more than 10 seconds is gone. So are all when the clock is set back by more
///   than 5 s.
public struct BeaconZones: Equatable, Sendable {
  /// What is known of a beacon.
  struct Heard: Equatable, Sendable {
    var strength: Double
    /// dBm a meter away.
    var power: Double
    var time: Double
    var level: TourZoneLevel
    var since: Double

    /// dB below the strength a meter away.
    var loss: Double { power - strength }
  }

  /// Seconds over which strengths are smoothed.
  static let smoothing = 2.0
  /// dB by which another beacon, or zone, must be better.
  static let hysteresis = 4.0
  /// The part of the fingerprints' votes by which another beacon must be better.
  static let margin = 0.2
  /// Seconds that a zone and the nearest beacon stay.
  static let leastStay = 1.0
  /// Seconds after which a beacon that is not heard is gone.
  static let silence = 10.0
  /// dB below the strength a meter away up to which a beacon is immediate, and near.
  private static let (immediate, near) = (2.0, 12.0)
  /// dBm a meter away of beacons that say nothing, as most makers set them.
  private static let usualPower = -59.0
  /// Beacons that are kept; of more the longest unheard is forgotten.
  private static let mostBeacons = 500
  /// Seconds by which a clock may be late before all begins anew.
  private static let clockStep = 5.0
  /// Seconds between two comparisons with the fingerprints.
  private static let comparison = 0.5

  private let powers: [BeaconID: Double]
  private let table: FingerprintTable
  private(set) var heard: [BeaconID: Heard] = [:]
  private var clock = -Double.infinity
  private var shares: [BeaconID: Double] = [:]
  private var compared = -Double.infinity
  private var nearestSince = -Double.infinity
  /// The beacon that is nearest; `nil` when none is heard.
  private(set) var nearest: BeaconID?

  /// - Parameter map: its strengths count more than what beacons say.
  public init(_ map: BeaconMap? = nil) {
    (powers, table) = (map?.powers ?? [:], FingerprintTable(map))
  }

  /// The zone of a beacon; `nil` when it is not heard.
  func level(of id: BeaconID) -> TourZoneLevel? { heard[id]?.level }

  /// Hears a beacon.
  ///
  /// - Parameters:
  ///   - id: the beacon.
  ///   - rssi: dBm; 0 and 127, which systems give for none, and what is no number are passed over.
  ///   - power: dBm a meter away, as advertised; `nil`: as before.
  ///   - time: seconds of any clock.
  /// - Returns: what changed.
  public mutating func observe(
    _ id: BeaconID, rssi: Double, power: Double? = nil, at time: Double
  ) -> [BeaconSignal] {
    guard BeaconStrength.heard.contains(rssi), var signals = passed(to: time) else { return [] }
    let said = power.flatMap { BeaconStrength.power.contains($0) ? $0 : nil }
    if var one = heard[id] {
      // Of two at one moment both count.
      let share = max(1 - exp(-(clock - one.time) / Self.smoothing), 0.05)
      one.strength += share * (rssi - one.strength)
      one.power = powers[id] ?? said ?? one.power
      one.time = clock
      heard[id] = one
    } else {
      signals += madeRoom()
      let power = powers[id] ?? said ?? Self.usualPower
      let level = Self.level(power - rssi)
      heard[id] = Heard(strength: rssi, power: power, time: clock, level: level, since: clock)
      signals.append(.zone(id, level))
    }
    return signals + settled()
  }

  /// Lets time pass; to be called once a second or so.
  ///
  /// - Returns: what changed.
  public mutating func advance(to time: Double) -> [BeaconSignal] {
    guard let signals = passed(to: time) else { return [] }
    return signals + settled()
  }

  /// What is gone by a time; `nil` for what is none.
  private mutating func passed(to time: Double) -> [BeaconSignal]? {
    guard time.isFinite, time.magnitude < 1e12 else { return nil }
    let gone: [BeaconID]
    if time < clock - Self.clockStep {
      // A clock that was set back says nothing of what was.
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

  /// Forgets the longest unheard where there are too many.
  private mutating func madeRoom() -> [BeaconSignal] {
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

  private mutating func settled() -> [BeaconSignal] {
    var changes: [(id: BeaconID, level: TourZoneLevel)] = []
    for (id, one) in heard where clock - one.since >= Self.leastStay {
      // Both ways half of the hysteresis beyond a line; into the zone between two lines also where both are that near.
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

/// What has changed around somebody with a phone.
public enum BeaconSignal: Equatable, Sendable {
  /// A beacon is in another zone; `nil`: it is heard no more.
  case zone(BeaconID, TourZoneLevel?)
  /// Another beacon is the nearest; `nil`: none is heard.
  case nearest(BeaconID?)
}
