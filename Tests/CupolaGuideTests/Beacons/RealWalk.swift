@testable import CupolaGuide

/// A walk of the data beside the repository: each fixed sensor is taken as a beacon, the beacon that was carried as the
/// phone.
struct RealWalk {
  struct Reading {
    let beacon: Int, rssi: Double, time: Double, place: [Double]
  }

  let name: String
  let readings: [Reading]
  /// Seconds with readings.
  let seconds: [(second: Int, readings: [Reading])]

  /// - Parameter places: of the names of beacons.
  init(name: String, text: String, places: [String: Int]) {
    self.name = name
    readings = text.split(separator: "\n").compactMap { line -> Reading? in
      let parts = line.split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
      guard parts.count > 6, let beacon = places[parts[1]], let time = Double(parts[0]),
        let rssi = Double(parts[3]), let x = Double(parts[4]), let y = Double(parts[5]),
        let z = Double(parts[6])
      else { return nil }
      return Reading(beacon: beacon, rssi: rssi, time: time, place: [x, y, z])
    }.sorted { $0.time < $1.time }
    seconds = Dictionary(grouping: readings) { Int($0.time) }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// Walks that lead along the same way, in the same direction.
  var route: String {
    switch name {
    case "straight_01", "straight_04", "straight_05": "straight along 8.5 m"
    default: String(name.prefix { $0 != "_" })
    }
  }

  /// Meters from each beacon.
  static func distances(_ place: [Double], _ beacons: [[Double]]) -> [Double] {
    beacons.map { beacon in
      zip(beacon, place).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }
  }

  /// One a second.
  func fingerprints(_ beacons: [[Double]]) -> [BeaconFingerprint] {
    var survey = BeaconSurvey()
    for reading in readings {
      survey.observe(MadeBeacons.beacon(reading.beacon), rssi: reading.rssi, at: reading.time)
    }
    return seconds.compactMap { second, readings in
      guard let place = readings.last?.place else { return nil }
      let distances = Self.distances(place, beacons)
      let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
      return survey.fingerprint(nearest: MadeBeacons.beacon(nearest), at: Double(second + 1))
    }
  }
}
