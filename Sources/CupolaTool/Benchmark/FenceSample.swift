import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The fence that `cupola benchmark` asks.
enum FenceSample {
  /// A ring with seven bays and many small ones, one kilometer across.
  static func fence(corners: Int) -> Geofence {
    var ring = (0..<corners).map { corner in
      let turn = 2 * Double.pi * Double(corner) / Double(corners)
      let radius = 0.01 * (1 + 0.3 * sin(7 * turn) + 0.1 * sin(91 * turn))
      return Polygon.Vertex(
        longitude: 10 + 1.5 * radius * cos(turn), latitude: 48 + radius * sin(turn))
    }
    ring.append(ring[0])
    return Geofence(polygons: [Polygon(rings: [ring])])
  }

  /// Places spread evenly over the fence's surroundings.
  static func places(_ count: Int) -> [Position] {
    func share(_ index: Int, _ step: Double) -> Double {
      (Double(index) * step).truncatingRemainder(dividingBy: 1) - 0.5
    }
    return (0..<count).compactMap { index in
      Position(
        latitude: 48 + 0.03 * share(index, 0.754878),
        longitude: 10 + 0.03 * share(index, 0.618034))
    }
  }
}
