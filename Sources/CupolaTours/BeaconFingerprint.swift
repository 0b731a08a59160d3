internal import CupolaCampus
internal import CupolaGuide

// Fingerprints of places:
// 1. a survey takes the mean of what was heard around a moment;
// 2. a table compares what a phone hears with all fingerprints;
// 3. the nine most alike vote for the nearest beacon.

/// How strongly a phone heard the beacons around a place.
public struct BeaconFingerprint: Equatable, Sendable {
  /// The beacon that was the nearest there.
  let nearest: BeaconID
  /// dBm from -127 to -1, by beacon, in tenths.
  let strengths: [BeaconID: Double]

  /// - Parameters:
  ///   - nearest: the beacon that is the nearest at that place.
  ///   - strengths: dBm; what is none (0, 127, no number) is left out.
  package init(nearest: BeaconID, strengths: [BeaconID: Double]) {
    self.nearest = nearest
    self.strengths = strengths.filter { BeaconStrength.heard.contains($0.value) }
      .mapValues { max(min(($0 * 10).rounded() / 10, -1), -127) }
  }
}

/// Makes fingerprints of a building: somebody walks where visitors walk, with a phone that listens, and says every second
/// or so which beacon is the nearest.
///
/// A fingerprint is the mean of 1.5 s before and after a moment, so that it does not matter which way one walks.
public struct BeaconSurvey: Equatable, Sendable {
  private struct Reading: Equatable, Sendable {
    let id: BeaconID
    let strength: Double
    let time: Double
  }

  private var readings: [Reading] = []
  /// Seconds before and after a moment.
  static let reach = 1.5
  /// Readings that are kept: a minute of 100 beacons.
  static let mostReadings = 60_000

  /// Of nothing.
  public init() {}

  /// Hears a beacon. What is no strength or no time is passed over; of more than 60,000 readings the older half is
  /// forgotten.
  ///
  /// - Parameters:
  ///   - id: the beacon.
  ///   - rssi: dBm.
  ///   - time: seconds of any clock.
  public mutating func observe(_ id: BeaconID, rssi: Double, at time: Double) {
    guard BeaconStrength.heard.contains(rssi), time.isFinite else { return }
    if readings.count >= Self.mostReadings { readings.removeFirst(Self.mostReadings / 2) }
    readings.append(Reading(id: id, strength: rssi, time: time))
  }

  /// What was heard around a moment; to be asked for 1.5 s after it.
  ///
  /// - Returns: `nil` where fewer than three beacons were heard, which tell no place.
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

/// The fingerprints of a map, to be compared with what a phone hears: the nearest neighbors in signal space (Bahl &
/// Padmanabhan 2000, RADAR).
///
/// Phones call one strength differently (Kjærgaard & Munk 2008), so the mean of the differences does not count: on the
/// real walks, 8 dB less would otherwise leave a quarter of the seconds right. A beacon that one side alone heard
/// counts as if the other had heard it at the lowest.
struct FingerprintTable: Equatable, Sendable {
  private let beacons: [BeaconID]
  /// dBm, row by row; ``unheard`` where a beacon was not.
  private let strengths: [[Double]]
  private let places: [BeaconID]

  /// Beacons that both sides must have heard: of fewer the differences tell nothing.
  static let leastBeacons = 3
  /// Fingerprints that have a say.
  static let neighbors = 9
  /// dBm up to which a beacon is not heard.
  static let floor = -100.0
  /// No strength; a number that is none would make a table differ from itself.
  static let unheard = 0.0

  init(_ map: BeaconMap?) {
    let (beacons, fingerprints) = (map?.beacons.map(\.id) ?? [], map?.fingerprints ?? [])
    self.beacons = beacons
    strengths = fingerprints.map { one in beacons.map { one.strengths[$0] ?? Self.unheard } }
    places = fingerprints.map(\.nearest)
  }

  var isEmpty: Bool { places.isEmpty }

  /// How much speaks for each beacon as the nearest; together 1, or empty when nothing can be said.
  func shares(_ heard: (BeaconID) -> Double?) -> [BeaconID: Double] {
    let live = beacons.map { heard($0) ?? Self.unheard }
    var best: [(distance: Double, row: Int)] = []
    for (row, strengths) in strengths.enumerated() {
      guard let distance = Self.distance(live, strengths) else { continue }
      // Of equals the earlier one stands before.
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

  /// dB squared; `nil` where too few beacons were heard by both.
  static func distance(_ a: [Double], _ b: [Double]) -> Double? {
    var (count, sum, squares, alone) = (0.0, 0.0, 0.0, 0.0)
    for (a, b) in zip(a, b) {
      if a == unheard && b == unheard { continue }
      if a == unheard || b == unheard {
        // The other is 0, and less than it.
        let height = max(min(a, b) - floor, 0)
        alone += height * height
      } else {
        count += 1
        sum += a - b
        squares += (a - b) * (a - b)
      }
    }
    guard count >= Double(leastBeacons) else { return nil }
    // Rounding may lead below 0.
    return max(squares - sum * sum / count, 0) + alone
  }
}
