import Foundation

/// What a photo shows.
enum CampusAnswer {
  case building(String, label: String, probability: Double)
  case unsure(String, String)
  case notACampusBuilding
  case notOnCampus
}

/// How sure an answer must be.
struct CampusDecision: Decodable {
  let leastOdds: Double
  let leastShare: Double

  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(CampusDecision.self, from: json)
  }

  /// What the probabilities of all labels mean; `name` says what people call a label.
  func answer(
    _ probabilities: [(label: String, probability: Double)], name: (String) -> String
  ) -> CampusAnswer {
    let none = ["not_a_campus_building", "unknown_building"]
    let nothing = probabilities.filter { none.contains($0.label) }.reduce(0) { $0 + $1.probability }
    let buildings = probabilities.filter { !none.contains($0.label) }
      .sorted { $0.probability > $1.probability }
    let all = buildings.reduce(0) { $0 + $1.probability }
    guard let best = buildings.first, best.probability > 0,
      nothing == 0 || log(best.probability / nothing) >= leastOdds
    else { return .notACampusBuilding }
    let share = best.probability / all
    if share >= leastShare {
      return .building(name(best.label), label: best.label, probability: best.probability)
    }
    guard buildings.count > 1, share + buildings[1].probability / all >= leastShare else {
      return .notACampusBuilding
    }
    return .unsure(name(best.label), name(buildings[1].label))
  }
}

/// campus.geojson: the grounds, and the records of the buildings.
struct CampusMap {
  /// Name, address and what else is known of each building, by its label.
  private(set) var records: [String: [String: Any]] = [:]
  /// Polygons of rings of positions, longitude first; rings after the first are holes.
  private var polygons: [[[[Double]]]] = []

  init(geoJSON: Data) throws {
    let map = try JSONSerialization.jsonObject(with: geoJSON) as? [String: Any]
    for feature in map?["features"] as? [[String: Any]] ?? [] {
      let properties = feature["properties"] as? [String: Any] ?? [:]
      if let label = properties["label"] as? String { records[label] = properties }
      guard properties["role"] as? String == "boundary" else { continue }
      let geometry = feature["geometry"] as? [String: Any]
      if let polygon = geometry?["coordinates"] as? [[[Double]]] {
        polygons.append(polygon)
      } else {
        polygons += geometry?["coordinates"] as? [[[[Double]]]] ?? []
      }
    }
  }

  /// Whether a place is surely off the grounds: outside, and farther from them than the error of the
  /// position in meters. Without an error it is taken to be 15; an error below 0 says that there is no
  /// position, as CoreLocation has it.
  func isOutside(latitude: Double, longitude: Double, error: Double? = nil) -> Bool {
    let error = error ?? 15
    guard !polygons.isEmpty, abs(latitude) <= 90, abs(longitude) <= 180, error >= 0
    else { return false }
    let reach = max(error, 0.01)  // a centimeter is for rounding
    // Meters a degree, on the ellipsoid WGS 84.
    let (sine, cosine) = (sin(latitude * .pi / 180), cos(latitude * .pi / 180))
    let bend = 1 - 0.006694380 * sine * sine
    let (east, north) = (111_319.491 * cosine / sqrt(bend), 110_574.276 / (bend * sqrt(bend)))
    for rings in polygons {
      var isInside = false
      for ring in rings {
        // Of each edge the ends as seen from the place, across the 180th meridian too.
        var ax = remainder(ring[0][0] - longitude, 360) * east
        for (a, b) in zip(ring, ring.dropFirst()) {
          let (ay, by) = ((a[1] - latitude) * north, (b[1] - latitude) * north)
          let (dx, dy) = (remainder(b[0] - a[0], 360) * east, by - ay)
          if (ay > 0) != (by > 0), ax - ay * dx / dy > 0 { isInside.toggle() }
          let square = dx * dx + dy * dy
          let share = square > 0 ? min(max(-(ax * dx + ay * dy) / square, 0), 1) : 0
          if hypot(ax + share * dx, ay + share * dy) <= reach { return false }
          ax += dx
        }
      }
      if isInside { return false }
    }
    return true
  }
}
