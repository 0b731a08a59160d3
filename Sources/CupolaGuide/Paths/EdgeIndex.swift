internal import CupolaCampus

/// Finds the edges near a place: a grid of squares, each with the edges that pass it.
package struct EdgeIndex: Sendable {
  /// A place on an edge, seen from another place.
  package struct Near: Equatable, Sendable {
    package var edge: Int
    /// The part of the edge before it, 0...1.
    package var fraction: Double
    /// Meters.
    package var distance: Double
  }

  private let graph: PathGraph
  private let plane: MapPlane
  private var cells: [Cell: [Int32]] = [:]
  /// Edges that would be in too many squares: they are looked at each time.
  private var long: [Int32] = []

  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  /// Meters along a square's side.
  private static let side = 50.0
  /// Pieces of half a square that one edge may have: 5 km.
  private static let mostSteps = 200.0

  package init(_ graph: PathGraph) {
    self.graph = graph
    plane = MapPlane(around: graph.vertices.first?.point)
    // Most edges are shorter than a square; hostile maps must not fill the memory.
    var room = 100_000 + 4 * graph.edges.count
    for edge in graph.edges.indices {
      let steps = (2 * graph.lengths[edge] / Self.side).rounded(.up) + 1
      if steps > min(Self.mostSteps, Double(room)) {
        long.append(Int32(edge))
      } else {
        room -= add(edge, steps)
      }
    }
  }

  /// Puts an edge into the squares that it passes; returns how many.
  private mutating func add(_ edge: Int, _ steps: Double) -> Int {
    var last: Cell?
    var count = 0
    let (from, to) = ends(of: edge)
    for step in 0...Int(steps) {
      let cell = cell(at: from + (to - from) * (Double(step) / steps))
      guard cell != last else { continue }
      cells[cell, default: []].append(Int32(edge))
      count += 1
      last = cell
    }
    return count
  }

  /// The nearest edge of those that are asked for; of equally near ones the lower number; `nil` for what is no place.
  ///
  /// - Parameters:
  ///   - reach: meters.
  ///   - isWanted: asked of an edge.
  package func nearest(
    to place: RoutePoint, within reach: Double, where isWanted: (Int) -> Bool
  ) -> Near? {
    // Squares are numbered by whole numbers: what is no place on Earth has none.
    guard MapPoint(latitude: place.latitude, longitude: place.longitude) != nil else { return nil }
    let point = plane.point(latitude: place.latitude, longitude: place.longitude)
    let middle = cell(at: point)
    var best: Near?
    func look(at edge: Int) {
      guard isWanted(edge) else { return }
      let near = near(edge, to: point)
      guard near.distance <= reach else { return }
      if (near.distance, edge) < (best?.distance ?? .infinity, best?.edge ?? .max) { best = near }
    }
    for edge in long { look(at: Int(edge)) }
    // An edge is in a square next to the one it passes at worst, and the place may be anywhere in its own.
    let most = Int((reach / Self.side).rounded(.up)) + 2
    for ring in 0...most {
      if let best, best.distance <= Double(ring - 2) * Self.side { break }
      for edge in edges(in: ring, around: middle) { look(at: edge) }
    }
    return best
  }

  /// Where an edge comes nearest to a place.
  package func near(_ edge: Int, to place: RoutePoint) -> Near {
    near(edge, to: plane.point(latitude: place.latitude, longitude: place.longitude))
  }

  private func near(_ edge: Int, to point: SIMD2<Double>) -> Near {
    let (from, to) = ends(of: edge)
    let fraction = SegmentDistance.fraction(of: point, from: from, to: to)
    let gap = point - (from + (to - from) * fraction)
    return Near(edge: edge, fraction: fraction, distance: gap.length)
  }

  private func ends(of edge: Int) -> (SIMD2<Double>, SIMD2<Double>) {
    (
      plane.point(graph.vertices[graph.edges[edge].from].point),
      plane.point(graph.vertices[graph.edges[edge].to].point)
    )
  }

  private func cell(at point: SIMD2<Double>) -> Cell {
    Cell(
      column: Int((point.x / Self.side).rounded(.down)),
      row: Int((point.y / Self.side).rounded(.down)))
  }

  private func edges(in ring: Int, around middle: Cell) -> [Int] {
    var found: [Int] = []
    for row in middle.row - ring...middle.row + ring {
      let isRim = abs(row - middle.row) == ring
      for column in stride(
        from: middle.column - ring, through: middle.column + ring,
        by: isRim || ring == 0 ? 1 : 2 * ring)
      {
        for edge in cells[Cell(column: column, row: row)] ?? [] { found.append(Int(edge)) }
      }
    }
    return found
  }
}
