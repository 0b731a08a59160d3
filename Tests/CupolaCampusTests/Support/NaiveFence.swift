import Cupola

@testable import CupolaCampus

/// Ray casting over all edges in double precision. Exact if all coordinates are small multiples of
/// a power of two.
struct NaiveFence {
  let polygons: [Polygon]

  func contains(_ x: Double, _ y: Double) -> Bool {
    polygons.contains { contains($0, x, y) }
  }

  private func contains(_ polygon: Polygon, _ x: Double, _ y: Double) -> Bool {
    var inside = false
    for ring in polygon.rings {
      for (a, b) in zip(ring, ring.dropFirst()) {
        let area =
          (b.longitude - a.longitude) * (y - a.latitude)
          - (x - a.longitude) * (b.latitude - a.latitude)
        if area == 0, x >= min(a.longitude, b.longitude), x <= max(a.longitude, b.longitude),
          y >= min(a.latitude, b.latitude), y <= max(a.latitude, b.latitude)
        {
          return true
        }
        if (a.latitude > y) != (b.latitude > y) {
          let crossing =
            a.longitude
            + (y - a.latitude) / (b.latitude - a.latitude) * (b.longitude - a.longitude)
          if x < crossing { inside.toggle() }
        }
      }
    }
    return inside
  }
}

/// Random fences on a lattice of 1/64 degree, so positions are often on a boundary.
enum LatticeFence {
  /// Rings that may cross themselves (even-odd rule).
  static func polygon(using generator: inout SplitMix64) -> Polygon {
    func vertex() -> Polygon.Vertex {
      Polygon.Vertex(
        longitude: Double(Int.random(in: -128...128, using: &generator)) / 64,
        latitude: Double(Int.random(in: -64...64, using: &generator)) / 64)
    }
    let rings = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      let ring = (0..<Int.random(in: 3...12, using: &generator)).map { _ in vertex() }
      return ring + ring.prefix(1)
    }
    return Polygon(rings: rings)
  }
}
