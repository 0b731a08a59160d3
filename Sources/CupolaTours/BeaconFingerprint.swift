internal import CupolaCampus
internal import CupolaGuide

// 1. Average the readings of a survey over a short time.
// 2. Compare a phone's readings with all fingerprints.
// 3. Let the nine most similar fingerprints vote for the nearest beacon.

/// The signal strengths of the beacons at a location, and the nearest beacon.
public struct BeaconFingerprint: Equatable, Sendable {
  let nearest: BeaconID
  /// The strengths in dBm, from -127 to -1, rounded to 0.1.
  let strengths: [BeaconID: Double]

  /// Creates a fingerprint; ignores invalid strengths, such as 0 and 127.
  package init(nearest: BeaconID, strengths: [BeaconID: Double]) {
    self.nearest = nearest
    self.strengths = strengths.filter { BeaconStrength.heard.contains($0.value) }
      .mapValues { max(min(($0 * 10).rounded() / 10, -1), -127) }
  }
}

/// Records fingerprints in a building during walks along the routes that visitors take.
///
/// A fingerprint averages the readings from 1.5 s before to 1.5 s after a moment, so the walking direction has no
/// effect.
public struct BeaconSurvey: Equatable, Sendable {
  private struct Reading: Equatable, Sendable {
    let id: BeaconID
    let strength: Double
    let time: Double
  }

  private var readings: [Reading] = []
  static let reach = 1.5
  /// The maximum number of readings: one minute with 100 beacons.
  static let mostReadings = 60_000

  /// Creates an empty survey.
  public init() {}

  /// Records a signal strength in dBm at a time in seconds; above 60,000 readings, discards the older half.
  public mutating func observe(_ id: BeaconID, rssi: Double, at time: Double) {
    guard BeaconStrength.heard.contains(rssi), time.isFinite else { return }
    if readings.count >= Self.mostReadings { readings.removeFirst(Self.mostReadings / 2) }
    readings.append(Reading(id: id, strength: rssi, time: time))
  }

  /// Returns the fingerprint at a moment, or `nil` for fewer than three beacons. Call this method at least 1.5 s later.
  public func fingerprint(nearest: BeaconID, at time: Double) -> BeaconFingerprint? {
    var sums: [BeaconID: (sum: Double, count: Double)] = [:]
    for reading in readings
    where reading.time >= time - Self.reach && reading.time < time + Self.reach {
      sums[reading.id, default: (0, 0)].sum += reading.strength
      sums[reading.id, default: (0, 0)].count += 1
    }
    guard sums.count >= FingerprintTable.leastBeacons else { return nil }
    return BeaconFingerprint(nearest: nearest, strengths: sums.mapValues { $0.sum / $0.count })
  }
}

/// Finds the most similar fingerprints by signal strength (RADAR, Bahl & Padmanabhan 2000).
///
/// Phones measure the same signal differently (Kjærgaard & Munk 2008), so the mean difference is subtracted. On real
/// walks with an offset of 8 dB, only a quarter of the results were correct without this. If a beacon is in only one of
/// two compared fingerprints, its strength in the other is assumed to be ``floor``.
struct FingerprintTable: Equatable, Sendable {
  private let beacons: [BeaconID]
  /// The strengths in dBm for each fingerprint and beacon, or ``unheard``.
  private let strengths: [[Double]]
  private let places: [BeaconID]

  static let leastBeacons = 3
  /// The number of fingerprints that vote.
  static let neighbors = 9
  /// The strength in dBm below which a beacon cannot be received.
  static let floor = -100.0
  /// Marks a missing strength. With `nan`, a table would not be equal to itself.
  static let unheard = 0.0

  init(_ map: BeaconMap?) {
    let (beacons, fingerprints) = (map?.beacons.map(\.id) ?? [], map?.fingerprints ?? [])
    self.beacons = beacons
    strengths = fingerprints.map { one in beacons.map { one.strengths[$0] ?? Self.unheard } }
    places = fingerprints.map(\.nearest)
  }

  var isEmpty: Bool { places.isEmpty }

  /// Returns the fraction of votes for each beacon; empty if no fingerprint can be compared.
  func shares(_ heard: (BeaconID) -> Double?) -> [BeaconID: Double] {
    let live = beacons.map { heard($0) ?? Self.unheard }
    var best: [(distance: Double, row: Int)] = []
    for (row, strengths) in strengths.enumerated() {
      guard let distance = Self.distance(live, strengths) else { continue }
      // In case of a tie, keep the earlier fingerprint.
      let place = best.firstIndex { distance < $0.distance } ?? best.count
      guard place < Self.neighbors else { continue }
      best.insert((distance, row), at: place)
      if best.count > Self.neighbors { best.removeLast() }
    }
    var shares: [BeaconID: Double] = [:]
    let all = best.reduce(0) { $0 + 1 / (1 + $1.distance) }
    for one in best { shares[places[one.row], default: 0] += 1 / (1 + one.distance) / all }
    return shares
  }

  /// Returns the squared distance in dB², or `nil` if there are too few common beacons.
  static func distance(_ a: [Double], _ b: [Double]) -> Double? {
    var (count, sum, squares, alone) = (0.0, 0.0, 0.0, 0.0)
    for (a, b) in zip(a, b) {
      if a == unheard && b == unheard { continue }
      if a == unheard || b == unheard {
        let height = max(min(a, b) - floor, 0)
        alone += height * height
      } else {
        count += 1
        sum += a - b
        squares += (a - b) * (a - b)
      }
    }
    guard count >= Double(leastBeacons) else { return nil }
    // Rounding may produce a negative value.
    return max(squares - sum * sum / count, 0) + alone
  }
}
