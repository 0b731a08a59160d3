/// A building near a position, and which way it is.
public struct NearbyBuilding: Equatable, Codable, Sendable {
  /// Its record.
  public let building: Building
  /// Meters to the nearest point, along the ellipsoid; 0 inside of the footprint.
  public let distance: Double
  /// Whether the position lies in the footprint, or on its edge.
  public let isInside: Bool
  /// The point of the footprint that is nearest, or the building's own point when it has none.
  public let nearestPoint: Position
  /// The direction of the nearest point, degrees clockwise from true north, 0..<360; `nil` at no
  /// distance.
  public let bearing: Double?
  /// The bearing from where someone looks, -180...180 degrees, positive to the right; `nil` without a
  /// heading or a bearing.
  public let turn: Double?
  /// Where the nearest point is in meters.
  public let placement: LocalPlacement

  /// The point of the compass that is nearest to the bearing.
  public var compassPoint: CompassPoint? { bearing.map(CompassPoint.init) }

  /// On which side of someone who looks to the heading.
  public var side: Side? { turn.map(Side.init) }

  private enum CodingKeys: String, CodingKey {
    case building, placement
    case distance = "distance_m"
    case isInside = "inside"
    case nearestPoint = "nearest_point"
    case bearing = "bearing_deg"
    case turn = "turn_deg"
  }
}

extension Campus {
  /// The buildings within some meters of a position, the nearest first; equally near ones in the
  /// order of the map.
  ///
  /// Buildings without a position are never near. Edges of footprints are straight on the map, as RFC
  /// 7946 has them; distances are right to a millionth, bearings to a thousandth of a degree up to 100 km.
  ///
  /// - Parameters:
  ///   - position: where someone stands.
  ///   - meters: 0 or more; a building exactly that far away counts.
  ///   - heading: where someone looks. A magnetic one is turned to true north.
  ///   - year: when a magnetic heading was measured; see ``MagneticField``.
  public func buildings(
    near position: Position, within meters: Double = 100, heading: Heading? = nil,
    year: Double = MagneticField.usualYear
  ) -> [NearbyBuilding] {
    precondition(meters >= 0, "within \(meters) m")
    let heading = heading?.trueNorth(at: position, year: year)
    let near = buildings.compactMap { building in
      building.nearestPoint(to: position, within: meters)
        .map { NearbyBuilding(building, $0, from: position, heading: heading) }
    }
    // Stable, so that the map's order remains.
    return near.enumerated().filter { $0.element.distance <= meters }
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element)
  }
}

extension NearbyBuilding {
  fileprivate init(
    _ building: Building, _ nearest: Building.NearestPoint, from position: Position,
    heading: Heading?
  ) {
    self.building = building
    isInside = nearest.isInside
    nearestPoint = nearest.position
    let way = Geodesic(from: position, to: nearest.position)
    distance = way.distance
    bearing = way.distance > 0 ? way.azimuth : nil
    turn = bearing.flatMap { bearing in
      heading.map { (bearing - $0.degrees).remainder(dividingBy: 360) }
    }
    placement = LocalPlacement(of: nearest.position, from: position)
  }
}
