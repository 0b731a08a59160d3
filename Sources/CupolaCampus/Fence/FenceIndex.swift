/// The edges of a fence, sorted so that a place is compared with few of them.
///
/// The latitudes are cut into as many slabs of equal height as there are edges, and each lists the
/// edges that reach into it. Where many long edges would make the lists longer than eight times the
/// edges, the slabs are fewer.
struct FenceIndex: Sendable {
  /// Where a place lies.
  enum Location { case inside, boundary, outside }

  let edges: [FenceEdge]
  private let south: Double
  private let north: Double
  private let west: Double
  private let east: Double
  private let slabsPerDegree: Double
  /// Where each slab's list begins in `listed`, and where the last one ends.
  private let starts: [Int32]
  /// Edges by their number, sorted within a slab, and so by polygon.
  private let listed: [Int32]

  init(_ polygons: [Polygon]) {
    let edges = polygons.enumerated().flatMap { FenceEdge.edges(of: $1, number: $0) }
    self.edges = edges
    south = edges.reduce(.infinity) { min($0, $1.low.y) }
    north = edges.reduce(-.infinity) { max($0, $1.high.y) }
    west = edges.reduce(.infinity) { min($0, $1.west) }
    east = edges.reduce(-.infinity) { max($0, $1.east) }
    let height = north - south
    var slabs = max(1, edges.count)
    var spans = FenceIndex.spans(edges, south, height > 0 ? Double(slabs) / height : 0, slabs)
    while slabs > 1, spans.reduce(0, { $0 + $1.count }) > 8 * edges.count {
      slabs /= 2
      spans = FenceIndex.spans(edges, south, height > 0 ? Double(slabs) / height : 0, slabs)
    }
    slabsPerDegree = height > 0 ? Double(slabs) / height : 0
    (starts, listed) = FenceIndex.lists(spans, slabs)
  }

  /// The whole turns, in degrees, by which the fence must be moved to meet itself everywhere.
  var turns: [Double] { east - west >= 360 ? [0, 360, -360] : [0] }

  /// The slabs that each edge reaches into.
  private static func spans(
    _ edges: [FenceEdge], _ south: Double, _ perDegree: Double, _ slabs: Int
  ) -> [ClosedRange<Int>] {
    edges.map { edge in
      slab(edge.low.y, south, perDegree, slabs)...slab(edge.high.y, south, perDegree, slabs)
    }
  }

  /// Grows with the latitude, rounding errors included, so that no edge is missed.
  @inline(__always)
  private static func slab(
    _ latitude: Double, _ south: Double, _ perDegree: Double, _ slabs: Int
  ) -> Int {
    min(slabs - 1, Int((latitude - south) * perDegree))
  }

  /// Counting sort of the edges by slab.
  private static func lists(
    _ spans: [ClosedRange<Int>], _ slabs: Int
  ) -> (starts: [Int32], listed: [Int32]) {
    var starts = [Int32](repeating: 0, count: slabs + 1)
    for span in spans { for slab in span { starts[slab + 1] += 1 } }
    for slab in 0..<slabs { starts[slab + 1] += starts[slab] }
    var listed = [Int32](repeating: 0, count: Int(starts[slabs]))
    var next = starts
    for (number, span) in spans.enumerated() {
      for slab in span {
        listed[Int(next[slab])] = Int32(number)
        next[slab] += 1
      }
    }
    return (starts, listed)
  }

  /// Where a place lies; the boundary, also of a hole, is told exactly.
  func location(of position: Position) -> Location {
    let place = MapPoint(position)
    // A pole is one place, though the map draws it as a line.
    if place.y.magnitude == 90 {
      return place.y == north || place.y == south ? .boundary : .outside
    }
    guard place.y >= south, place.y <= north else { return .outside }
    let slab = FenceIndex.slab(place.y, south, slabsPerDegree, starts.count - 1)
    let edges = Int(starts[slab])..<Int(starts[slab + 1])
    // Outlines may go on beyond ±180 degrees: the place is sought there too.
    let (isEast, isWest) = (place.x + 360 <= east, place.x - 360 >= west)
    guard isEast || isWest else { return location(edges) { $0.crossing(place) } }
    let places =
      [place] + (isEast ? [MapPoint(position, turns: 1)] : [])
      + (isWest ? [MapPoint(position, turns: -1)] : [])
    return location(edges) { edge in
      let crossings = places.map(edge.crossing)
      if crossings.contains(.boundary) { return .boundary }
      return crossings.count { $0 == .crossed } % 2 == 1 ? .crossed : .missed
    }
  }

  /// Counts crossings polygon by polygon, by the even-odd rule.
  @inline(__always)
  private func location(
    _ slab: Range<Int>, _ crossing: (FenceEdge) -> FenceEdge.Crossing
  ) -> Location {
    var isInside = false
    var polygon: Int32 = -1
    for index in slab {
      let edge = edges[Int(listed[index])]
      if edge.polygon != polygon {
        if isInside { return .inside }
        polygon = edge.polygon
      }
      switch crossing(edge) {
      case .missed: continue
      case .crossed: isInside.toggle()
      case .boundary: return .boundary
      }
    }
    return isInside ? .inside : .outside
  }
}
