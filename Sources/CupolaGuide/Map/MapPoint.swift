package import CupolaCampus

// 1. A map's point is two whole numbers, so that equal points are equal.
// 2. Rings across the date line count longitudes beyond 180 degrees.
// 3. Ground is rings of points with a kind.

/// A point of a map, WGS 84, to a ten-millionth of a degree as OpenStreetMap keeps it: a centimeter. Equal points are
/// equal.
package struct MapPoint: Hashable, Sendable {
  package let latitudeE7: Int32
  package let longitudeE7: Int32

  /// Fails when a coordinate is not finite or out of its range.
  package init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    latitudeE7 = Int32((latitude * 1e7).rounded())
    longitudeE7 = Int32((longitude * 1e7).rounded())
  }

  /// Fails when a coordinate is out of its range.
  package init?(latitudeE7: Int32, longitudeE7: Int32) {
    guard latitudeE7.magnitude <= 900_000_000, longitudeE7.magnitude <= 1_800_000_000 else {
      return nil
    }
    (self.latitudeE7, self.longitudeE7) = (latitudeE7, longitudeE7)
  }

  package var latitude: Double { Double(latitudeE7) / 1e7 }
  package var longitude: Double { Double(longitudeE7) / 1e7 }

  /// Ten-millionths of a degree around the Earth.
  static let wholeTurn = 3_600_000_000

  /// Ten-millionths of a degree toward east to the next point of a line.
  ///
  /// More than half a turn, but less than a whole one, means the short way over the date line, as in the fence.
  package func east(to next: MapPoint) -> Int {
    let way = Int(next.longitudeE7) - Int(longitudeE7)
    guard abs(way) > Self.wholeTurn / 2, abs(way) < Self.wholeTurn else { return way }
    return way > 0 ? way - Self.wholeTurn : way + Self.wholeTurn
  }

  /// Whether a ring, whose first point is not repeated, lies across the date line.
  package static func isAcrossDateLine(_ ring: [MapPoint]) -> Bool {
    zip(ring, ring.dropFirst() + ring.prefix(1)).contains { one, other in
      one.east(to: other) != Int(other.longitudeE7) - Int(one.longitudeE7)
    }
  }

  /// What to add to longitudes of places so that one inside of a ring is among its ``longitudes(along:)``.
  package static func turns(of ring: [MapPoint]) -> [Int] {
    isAcrossDateLine(ring) ? [0, -wholeTurn, wholeTurn] : [0]
  }

  /// Longitudes of a ring in ten-millionths of a degree, which go on beyond ±180 degrees where it crosses the date line.
  package static func longitudes(along ring: [MapPoint]) -> [Int] {
    guard let first = ring.first else { return [] }
    return zip(ring, ring.dropFirst()).reduce(into: [Int(first.longitudeE7)]) { all, edge in
      all.append(all[all.count - 1] + edge.0.east(to: edge.1))
    }
  }

  package var isOnDateLine: Bool { longitudeE7.magnitude == 1_800_000_000 }

  /// The same place with the one longitude that the date line has on maps that are read: 180 degrees, not -180.
  package var onDateLine: MapPoint {
    guard longitudeE7 == -1_800_000_000 else { return self }
    return MapPoint(latitudeE7: latitudeE7, longitudeE7: 1_800_000_000) ?? self
  }

  /// The box around rings, in ten-millionths of a degree; all longitudes for what lies across the date line, all the
  /// plane without any point.
  package static func box(around rings: [[MapPoint]]) -> BoxTree.Box {
    var low = SIMD2(repeating: Double.infinity)
    var high = SIMD2(repeating: -Double.infinity)
    for point in rings.joined() {
      let place = SIMD2(Double(point.longitudeE7), Double(point.latitudeE7))
      (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }
    if rings.contains(where: isAcrossDateLine) {
      (low.x, high.x) = (-Double(wholeTurn) / 2, Double(wholeTurn) / 2)
    }
    return BoxTree.Box(low, high)
  }
}

/// A piece of ground that is drawn, and that people see: a building, water, a room.
package struct GroundArea: Equatable, Sendable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    case building, green, water, parking, square, corridor, room
  }

  package var kind: Kind
  /// The feature that it was made of; of all parts of a building the building.
  package var id: String
  package var name: String?
  /// The floor of rooms and corridors; `nil` outdoors.
  package var level: Double?
  /// The outer ring and holes.
  package var rings: [[MapPoint]]

  package init(
    _ kind: Kind, id: String, name: String? = nil, level: Double? = nil, rings: [[MapPoint]]
  ) {
    (self.kind, self.id, self.name, self.level, self.rings) = (kind, id, name, level, rings)
  }
}
