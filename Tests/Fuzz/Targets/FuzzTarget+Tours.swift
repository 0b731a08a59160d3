@testable import CupolaGuide
@testable import CupolaTours

/// Targets for tours, passkeys and beacons.
extension FuzzTarget {
  static let tours: [FuzzTarget] = [
    FuzzTarget("tour") { bytes in
      guard let tour = try? Tour(json: bytes, path: "tour.json") else { return }
      for finding in TourCheck(of: tour, places: { _ in (48.3, 10.9) }).findings.prefix(20) {
        _ = "\(finding)"
      }
      var visit = TourVisit(of: tour) { _ in (48.3, 10.9) }
      for second in 0..<8 {
        _ = visit.handle(
          .position(latitude: 48.3, longitude: 10.9, accuracy: 5, time: 10 * Double(second)))
      }
      let again: TourVisit
      do throws(GuideError) {
        again = try TourVisit.resumed(json: visit.json, path: "visit.json", of: tour) { _ in
          (48.3, 10.9)
        }.visit
      } catch {
        throw FuzzFailure("a visit cannot be written and read again: \(error)")
      }
      try FuzzFailure.unless(again == visit, "the visit changed after writing and reading")
    },
    FuzzTarget("tour-visit") { bytes in
      guard let tour = smallTour,
        var visit = try? TourVisit.resumed(json: bytes, path: "visit.json", of: tour).visit
      else { return }
      for second in 0..<8 {
        _ = visit.handle(
          .position(latitude: 48.3, longitude: 10.9, accuracy: 5, time: 10 * Double(second)))
      }
      _ = visit.json
    },
    FuzzTarget("passkeys") { bytes in
      guard let keys = try? PasskeySet(json: bytes, path: "keys.json") else { return }
      try FuzzFailure.unless(
        (try? PasskeySet(json: keys.json, path: "keys.json"))?.json == keys.json,
        "the passkeys changed after writing and reading")
    },
    FuzzTarget("beacon-map") { bytes in
      guard let map = try? BeaconMap(json: bytes, path: "beacons.json") else { return }
      _ = BeaconZones(map)
      try FuzzFailure.unless(
        (try? BeaconMap(json: map.json, path: "beacons.json"))?.json == map.json,
        "the map changed after writing and reading")
    },
    FuzzTarget("beacon") { bytes in
      for beacon in [
        BeaconAdvertisement(payload: bytes), BeaconAdvertisement(manufacturerData: bytes),
        BeaconAdvertisement(appleData: bytes), BeaconAdvertisement(eddystoneData: bytes),
      ].compactMap(\.self) {
        try FuzzFailure.unless(
          BeaconID("\(beacon.id)") == beacon.id, "\(beacon.id) changed after formatting and parsing"
        )
      }
      _ = BeaconID(String(decoding: bytes, as: UTF8.self))
    },
  ]

  private static let smallTour = try? Tour(
    json: Array(
      """
      {"format": "cupola.tour/1", "id": "walk", "title": {"en": "Walk"}, "languages": ["en"],
       "order": "free", "stops": [
         {"id": "a", "title": {"en": "A"}, "latitude": 48.3, "longitude": 10.9, "radius": 20},
         {"id": "b", "title": {"en": "B"}, "latitude": 48.301, "longitude": 10.9, "radius": 20}]}
      """.utf8), path: "tour.json")
}
