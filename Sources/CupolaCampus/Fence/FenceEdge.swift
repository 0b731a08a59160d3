/// An edge of a fence, from its southern to its northern end.
struct FenceEdge: Sendable {
  let low: MapPoint
  let high: MapPoint
  /// Which of the fence's polygons it belongs to.
  let polygon: Int32

  /// How the ray from a place to the east meets an edge.
  enum Crossing { case missed, crossed, boundary }

  init(_ a: MapPoint, _ b: MapPoint, polygon: Int) {
    (low, high) = a.y <= b.y ? (a, b) : (b, a)
    self.polygon = Int32(polygon)
  }

  /// The edges of a polygon; fewer where a ring makes no sense.
  static func edges(of polygon: Polygon, number: Int) -> [FenceEdge] {
    polygon.rings.flatMap { ring in
      let points = (try? UnwrappedRing.points(of: ring)) ?? ring.map { MapPoint($0) }
      return zip(points, points.dropFirst()).map { FenceEdge($0, $1, polygon: number) }
    }
  }

  var west: Double { min(low.x, high.x) }
  var east: Double { max(low.x, high.x) }
  var box: BoxTree.Box { BoxTree.Box(west: west, south: low.y, east: east, north: high.y) }

  @inline(__always)
  func crossing(_ place: MapPoint) -> Crossing {
    guard place.y >= low.y, place.y <= high.y else { return .missed }
    if place.x > low.x, place.x > high.x { return .missed }
    // Half open, so that a vertex on the ray counts once.
    let isOnRay: Crossing = place.y < high.y ? .crossed : .missed
    if place.x < low.x, place.x < high.x { return isOnRay }
    if low.y == high.y {
      let (start, end) = low.isWest(of: high) ? (low, high) : (high, low)
      return place.isWest(of: start) || end.isWest(of: place) ? .missed : .boundary
    }
    let side = ExactOrientation.sign(low, high, place)
    return side == 0 ? .boundary : side > 0 ? isOnRay : .missed
  }
}
