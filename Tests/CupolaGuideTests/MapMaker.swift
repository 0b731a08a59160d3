import Foundation

@testable import CupolaGuide
@testable import CupolaGuideBuilder

/// Creates maps from positions in meters east and north of 50° N, 8° E. Equal positions become one point.
struct MapMaker {
  private(set) var map = GuideMap()

  static func place(_ x: Double, _ y: Double) -> (latitude: Double, longitude: Double) {
    plane.place([x, y])
  }

  static func point(_ x: Double, _ y: Double, level: Double? = nil) -> RoutePoint {
    let (latitude, longitude) = place(x, y)
    return RoutePoint(latitude: latitude, longitude: longitude, level: level)
  }

  static let plane = MapPlane(around: MapPoint(latitude: 50, longitude: 8))

  private mutating func number(_ place: (Double, Double)) -> Int {
    let (latitude, longitude) = Self.place(place.0, place.1)
    guard let point = MapPoint(latitude: latitude, longitude: longitude) else {
      preconditionFailure("invalid coordinates of a test map")
    }
    return map.point(point)
  }

  mutating func node(_ id: String, _ place: (Double, Double), _ tags: [String: String]) {
    map.add(MapFeature(id: id, tags: tags, geometry: .point(number(place))))
  }

  mutating func line(_ id: String, _ places: [(Double, Double)], _ tags: [String: String]) {
    map.add(MapFeature(id: id, tags: tags, geometry: .line(places.map { number($0) })))
  }

  mutating func area(_ id: String, _ ring: [(Double, Double)], _ tags: [String: String]) {
    map.add(MapFeature(id: id, tags: tags, geometry: .area([ring.map { number($0) }])))
  }

  mutating func area(_ id: String, _ ring: [MapPoint], _ tags: [String: String]) {
    map.add(MapFeature(id: id, tags: tags, geometry: .area([ring.map { map.point($0) }])))
  }

  mutating func building(
    _ id: String, _ name: String, x: ClosedRange<Double>, y: ClosedRange<Double>,
    passing extra: [(Double, Double)] = []
  ) {
    area(
      id,
      [
        (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound),
      ] + extra + [(x.upperBound, y.upperBound), (x.lowerBound, y.upperBound)],
      ["building": "university", "name": name])
  }

  /// Adds Long Street from west to east and North Street, which branches off at (100, 0).
  mutating func addCrossing() {
    let street = ["highway": "residential", "name": "Long Street"]
    line("way/1", [(0, 0), (100, 0)], street)
    line("way/2", [(100, 0), (100, 100)], ["highway": "residential", "name": "North Street"])
    line("way/3", [(100, 0), (200, 0)], street)
  }

  mutating func restriction(
    _ id: String, only: Bool = false, from: String, at via: (Double, Double), to: String,
    turningRound: Bool = false
  ) {
    map.add(
      TurnRestriction(
        id: id, isOnly: only, from: from, viaPoint: number(via), to: to,
        isTurningRound: turningRound))
  }

  mutating func restriction(
    _ id: String, only: Bool = false, from: String, over ways: [String], to: String
  ) {
    map.add(
      TurnRestriction(
        id: id, isOnly: only, from: from, viaPoint: nil, viaWays: ways, to: to))
  }

  var guide: Guide { GuideBuilder(map).guide }
}
