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
