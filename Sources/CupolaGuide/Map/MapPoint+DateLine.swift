extension MapPoint {
  /// Ten-millionths of a degree around the Earth.
  package static let wholeTurn = 3_600_000_000

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

  /// Whether it is on the date line.
  package var isOnDateLine: Bool { longitudeE7.magnitude == 1_800_000_000 }

  /// The same place with the one longitude that the date line has on maps that are read: 180 degrees, not -180.
  package var onDateLine: MapPoint {
    guard longitudeE7 == -1_800_000_000 else { return self }
    return MapPoint(latitudeE7: latitudeE7, longitudeE7: 1_800_000_000) ?? self
  }
}
