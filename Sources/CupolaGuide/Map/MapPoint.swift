package import CupolaCampus

// 1. Store map points as integers, so that they can be compared exactly.
// 2. Extend longitudes beyond 180 degrees for rings that cross the antimeridian.

/// A WGS 84 point in units of 1e-7 degrees (about 1 cm), the precision of OpenStreetMap.
package struct MapPoint: Hashable, Sendable {
  package let latitudeE7: Int32
  package let longitudeE7: Int32

  package init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    latitudeE7 = Int32((latitude * 1e7).rounded())
    longitudeE7 = Int32((longitude * 1e7).rounded())
  }

  package init?(latitudeE7: Int32, longitudeE7: Int32) {
    guard latitudeE7.magnitude <= 900_000_000, longitudeE7.magnitude <= 1_800_000_000 else {
      return nil
    }
    (self.latitudeE7, self.longitudeE7) = (latitudeE7, longitudeE7)
  }

  package var latitude: Double { Double(latitudeE7) / 1e7 }
  package var longitude: Double { Double(longitudeE7) / 1e7 }

  static let wholeTurn = 3_600_000_000

  /// Returns the longitude difference to the next point of a line, in units of 1e-7 degrees. A difference of more than
  /// half a turn is replaced by the shorter way across the antimeridian.
  package func east(to next: MapPoint) -> Int {
    let way = Int(next.longitudeE7) - Int(longitudeE7)
    guard abs(way) > Self.wholeTurn / 2, abs(way) < Self.wholeTurn else { return way }
    return way > 0 ? way - Self.wholeTurn : way + Self.wholeTurn
  }

  /// Whether a ring, whose first point is not repeated, crosses the antimeridian.
  package static func isAcrossDateLine(_ ring: [MapPoint]) -> Bool {
    zip(ring, ring.dropFirst() + ring.prefix(1)).contains { one, other in
      one.east(to: other) != Int(other.longitudeE7) - Int(one.longitudeE7)
    }
  }

  /// Returns the offsets that can be added to a longitude to match the ring's ``longitudes(along:)``.
  package static func turns(of ring: [MapPoint]) -> [Int] {
    isAcrossDateLine(ring) ? [0, -wholeTurn, wholeTurn] : [0]
  }

  /// Returns the longitudes of a ring in units of 1e-7 degrees, extended beyond ±180 degrees across the antimeridian.
  package static func longitudes(along ring: [MapPoint]) -> [Int] {
    guard let first = ring.first else { return [] }
    return zip(ring, ring.dropFirst()).reduce(into: [Int(first.longitudeE7)]) { all, edge in
      all.append(all[all.count - 1] + edge.0.east(to: edge.1))
    }
  }

  package var isOnDateLine: Bool { longitudeE7.magnitude == 1_800_000_000 }

  /// The same point with longitude 180 instead of -180, the form used after reading a map.
  package var onDateLine: MapPoint {
    guard longitudeE7 == -1_800_000_000 else { return self }
    return MapPoint(latitudeE7: latitudeE7, longitudeE7: 1_800_000_000) ?? self
  }

  /// Returns the bounding box of rings in units of 1e-7 degrees. The box spans all longitudes if a ring crosses the
  /// antimeridian.
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

package struct GroundArea: Equatable, Sendable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    case building, green, water, parking, square, corridor, room
  }

  package var kind: Kind
  /// The identifier of the source feature; for parts of a building, the building's identifier.
  package var id: String
  package var name: String?
  package var level: Double?
  /// The outer ring, followed by the holes.
  package var rings: [[MapPoint]]

  package init(
    _ kind: Kind, id: String, name: String? = nil, level: Double? = nil, rings: [[MapPoint]]
  ) {
    (self.kind, self.id, self.name, self.level, self.rings) = (kind, id, name, level, rings)
  }
}
