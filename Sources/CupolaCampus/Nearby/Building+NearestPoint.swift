extension Building {
  /// The point of a building that is nearest to someone.
  struct NearestPoint {
    let position: Position
    let isInside: Bool
  }

  /// The nearest point of the footprint, or the building's own point when it has none.
  ///
  /// Points are compared by their distance through the ground, which on the scale of buildings ranks
  /// them as the way over it does, however far they are.
  /// - Parameters:
  ///   - place: the position in space.
  ///   - metres: `nil` is returned early for what is further away.
  func nearestPoint(
    to position: Position, _ place: SIMD3<Double>, within metres: Double
  ) -> NearestPoint? {
    guard footprint.isEmpty || latitudesLie(within: metres, of: position) else { return nil }
    if footprint.contains(where: { $0.contains(position) }) {
      let here = Position(latitude: position.latitude, longitude: position.longitude)
      return here.map { NearestPoint(position: $0, isInside: true) }
    }
    var best: (distance2: Double, edge: Edge, share: Double)?
    for ring in footprint.flatMap(\.rings) {
      // Each corner in space once.
      let corners = ring.map { $0.point - place }
      for end in corners.indices.dropFirst() {
        let (start, way) = (corners[end - 1], corners[end] - corners[end - 1])
        let length2 = (way * way).sum()
        let share = length2 > 0 ? min(max(-(start * way).sum() / length2, 0), 1) : 0
        let nearest = start + share * way
        let distance2 = (nearest * nearest).sum()
        if distance2 < best?.distance2 ?? .infinity {
          best = (distance2, Edge(start: ring[end - 1], end: ring[end]), share)
        }
      }
    }
    guard let best else {
      return self.position.map { NearestPoint(position: $0, isInside: false) }
    }
    // No way over the ground is shorter than the one through it; edges bend by less than that.
    guard best.distance2.squareRoot() <= 1.001 * metres + 1 else { return nil }
    let point = best.edge.point(best.edge.foot(of: place, near: best.share))
    return Position(latitude: point.latitude, longitude: point.longitude)
      .map { NearestPoint(position: $0, isInside: false) }
  }

  /// Whether a parallel of the footprint is within reach: a quick look that spares most buildings of
  /// a town the rest.
  private func latitudesLie(within metres: Double, of position: Position) -> Bool {
    var (south, north) = (Double.infinity, -Double.infinity)
    for vertex in footprint.lazy.flatMap(\.rings).joined() {
      (south, north) = (min(south, vertex.latitude), max(north, vertex.latitude))
    }
    let degrees = max(south - position.latitude, position.latitude - north)
    // A degree of latitude is 110.57 km at least.
    return degrees * 110_000 <= metres
  }
}

/// An edge of a footprint: straight on the map, and so a little bent on the ground.
private struct Edge {
  let start: Polygon.Vertex
  let end: Polygon.Vertex

  /// The point after a share of the edge.
  func point(_ share: Double) -> Polygon.Vertex {
    if share == 1 { return end }
    let turn = Degrees.turn(from: start.longitude, to: end.longitude)
    return Polygon.Vertex(
      longitude: Degrees.turn(from: 0, to: start.longitude + share * turn),
      latitude: start.latitude + share * (end.latitude - start.latitude))
  }

  /// Where the way from a place meets the edge at a right angle, by Newton's method from the share
  /// where it meets the straight line in space; 0...1.
  func foot(of place: SIMD3<Double>, near share: Double) -> Double {
    let turn = Degrees.turn(from: start.longitude, to: end.longitude) * (.pi / 180)
    let climb = (end.latitude - start.latitude) * (.pi / 180)
    var share = share
    for _ in 0..<3 {
      let here = point(share)
      let frame = Geocentric.frame(latitude: here.latitude, longitude: here.longitude)
      // The whole edge in space, in its direction here.
      let way = turn * frame.east + climb * frame.north
      let length2 = (way * way).sum()
      guard length2 > 0 else { return share }
      share = min(max(share - ((frame.point - place) * way).sum() / length2, 0), 1)
    }
    return share
  }
}

extension Polygon.Vertex {
  /// The corner in space.
  fileprivate var point: SIMD3<Double> {
    Geocentric.point(latitude: latitude, longitude: longitude)
  }
}
