import Foundation

/// The answer for a photo.
public enum CampusAnswer {
  case building(String, label: String, probability: Double)
  /// Probably this building, which has no training photos. Based only on position and heading.
  case mappedBuilding(String, label: String, probability: Double)
  case unsure(String, String)
  case notACampusBuilding
  case notOnCampus
}

extension CampusAnswer {
  /// The answer in the words of `cupola classify`.
  public var text: String {
    switch self {
    case .building(let name, _, let probability):
      "\(name) (\(String(format: "%.1f", 100 * probability))%)"
    case .mappedBuilding(let name, _, _): "Probably \(name)"
    case .unsure(let first, let second): "Unsure: \(first) or \(second)"
    case .notACampusBuilding: "Not a Campus Building"
    case .notOnCampus: "Not on Campus"
    }
  }

  /// Converts the result of combining image and place.
  init(_ answer: Places.Answer) {
    let (names, label) = (answer.buildings.map(\.name), answer.buildings.first?.label ?? "")
    self =
      switch answer.verdict {
      case "building": .building(names[0], label: label, probability: answer.probability)
      case "mapped_building":
        .mappedBuilding(names[0], label: label, probability: answer.probability)
      case "unsure": .unsure(names[0], names[1])
      default: .notACampusBuilding
      }
  }
}

/// The thresholds for naming buildings.
struct CampusDecision: Decodable {
  let leastOdds: Double
  let leastShare: Double

  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(CampusDecision.self, from: json)
  }

  /// Interprets the probabilities of all labels. `name` returns a label's display name.
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
      // The reported probability assumes that the building is not unknown.
      let unknown = probabilities.first { $0.label == "unknown_building" }?.probability ?? 0
      return .building(
        name(best.label), label: best.label, probability: best.probability / (1 - unknown))
    }
    guard buildings.count > 1, share + buildings[1].probability / all >= leastShare else {
      return .notACampusBuilding
    }
    return .unsure(name(best.label), name(buildings[1].label))
  }
}

/// campus.geojson: the campus polygons and the buildings' records.
struct CampusMap {
  /// Each building's name, address and other properties, by label.
  private(set) var records: [String: [String: Any]] = [:]
  /// Polygons as lists of rings of positions (longitude first). All rings after the first are
  /// holes.
  private var polygons: [[[SIMD2<Double>]]] = []

  init(geoJSON: Data) throws {
    let map = try JSONSerialization.jsonObject(with: geoJSON) as? [String: Any]
    for feature in map?["features"] as? [[String: Any]] ?? [] {
      let properties = feature["properties"] as? [String: Any] ?? [:]
      if let label = properties["label"] as? String { records[label] = properties }
      guard properties["role"] as? String == "boundary" else { continue }
      let geometry = feature["geometry"] as? [String: Any]
      let polygon = (geometry?["coordinates"] as? [[[Double]]]).map { [$0] }
      polygons += (polygon ?? geometry?["coordinates"] as? [[[[Double]]]] ?? [])
        .map { rings in rings.map { ring in ring.map { SIMD2($0[0], $0[1]) } } }
    }
  }

  /// Whether a place is outside the campus by more than the position error in meters (default: 15).
  /// False for a negative error, which means that there is no position.
  func isOutside(latitude: Double, longitude: Double, error: Double? = nil) -> Bool {
    let error = error ?? 15
    guard !polygons.isEmpty, abs(latitude) <= 90, abs(longitude) <= 180, error >= 0
    else { return false }
    let place = SIMD2(longitude, latitude)
    // 1 cm allows for rounding.
    return polygons.allSatisfy { distance(place, $0) > max(error, 0.01) }
  }
}

/// The distance to an area's nearest point in meters, 0 inside. Supports areas across the 180th
/// meridian.
func distance(_ place: SIMD2<Double>, _ rings: [[SIMD2<Double>]]) -> Double {
  var (isInside, least) = (false, Double.infinity)
  // Edges are straight in degrees, so the same scale applies to the whole edge.
  let scale = way(place, 1e-6, place.y + 1e-6)
  for ring in rings {
    var start = remainder((ring.first?.x ?? 0) - place.x, 360)
    for (from, to) in zip(ring, ring.dropFirst()) {
      let (wide, high) = (remainder(to.x - from.x, 360), to.y - from.y)
      let (a, d) = (SIMD2(start, from.y - place.y) * scale, SIMD2(wide, high) * scale)
      if (from.y > place.y) != (to.y > place.y), a.x - a.y * d.x / d.y > 0 { isInside.toggle() }
      let length2 = (d * d).sum()
      let share = length2 > 0 ? min(max(-(a * d).sum() / length2, 0), 1) : 0
      least = min(least, length(way(place, start + share * wide, from.y + share * high)))
      start += wide
    }
  }
  return isInside ? 0 : least
}

/// The way from a place in meters east and north on the WGS 84 ellipsoid. `wide` is the difference
/// in longitude in degrees.
private func way(_ place: SIMD2<Double>, _ wide: Double, _ latitude: Double) -> SIMD2<Double> {
  let middle = (latitude + place.y) / 2 * .pi / 180
  let bend = 1 - 0.00669437999014 * square(sin(middle))
  let north = 110574.27582159 / (bend * sqrt(bend))
  return SIMD2(wide * 111319.49079327 * cos(middle) / sqrt(bend), (latitude - place.y) * north)
}

func length(_ way: SIMD2<Double>) -> Double { hypot(way.x, way.y) }
func square(_ value: Double) -> Double { value * value }
func gaussian(_ square: Double, _ variance: Double) -> Double {
  exp(-square / (2 * variance)) / variance
}
