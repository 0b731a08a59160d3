import CupolaTestSupport
import Foundation

@testable import CupolaGuide

/// The walks of the data beside the repository.
struct RealWalks {
  let walks: [RealWalk]
  /// Meters east, north and up.
  let beacons: [[Double]]
  /// What a survey of each walk makes of it, by its name.
  let fingerprints: [String: [BeaconFingerprint]]

  static let folder = Repository.root.appending(path: "../shared/data/guide/beacons")
  static let areThere = Repository.exists(folder)
  /// Read once.
  static let all = Result { try RealWalks() }

  private init() throws {
    let devices = try String(contentsOf: Self.folder.appending(path: "tetam.dev"), encoding: .utf8)
    let sensors = devices.matches(of: /"([0-9a-f]{12})": \[\[([0-9.]+), ([0-9.]+), ([0-9.]+)\]/)
      .map { ($0.1, [Double($0.2), Double($0.3), Double($0.4)].compactMap { $0 }) }
      .sorted { $0.0 < $1.0 }
    let places = Dictionary(
      uniqueKeysWithValues: sensors.enumerated().map { (String($1.0), $0) })
    let beacons = sensors.map(\.1)
    self.beacons = beacons
    let end = "_all_sensors.mbd"
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    walks = try names.sorted().filter { $0.hasSuffix(end) }.map { name in
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      return RealWalk(name: String(name.dropLast(end.count)), text: text, places: places)
    }
    fingerprints = Dictionary(
      uniqueKeysWithValues: walks.map { ($0.name, $0.fingerprints(beacons)) })
  }
}
