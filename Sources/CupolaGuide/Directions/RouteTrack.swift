internal import CupolaCampus
internal import CupolaSupport

// 1. The points of a route are placed on a plane, and their distances along the route are summed.
// 2. The line is divided into cells of equal length, each with its floor.
// 3. `segment`, `left` and `place` look up a distance along the track.
// 4. `nearest` finds the cell that is nearest to a fix.

/// A route as a line that is measured from its start: what ``TrackFilter`` goes along.
///
/// Steps and elevators are at least as long as they are high, so that every floor is a place of its own.
struct RouteTrack: Sendable {
  /// Meters from the start to each point of the route, along the line.
  let arcs: [Double]
  /// Meters and seconds from each point to the end, as the route tells them.
  private let metersLeft: [Double]
  private let secondsLeft: [Double]
  /// Meters between cells; 1 when there is only one.
  let step: Double
  /// Where the cells are: the first at the start, the last at the end, meters on ``plane``.
  let cells: [SIMD2<Double>]
  /// The floor of each cell; not a number where nobody knows; empty for a route without floors.
  let levels: [Double]
  let plane: SurfacePoint

  static let floorHeight = 3.5
  /// More cells are not kept: those of a long drive are wider.
  private static let mostCells = 20_000

  /// - Parameter spacing: meters between cells, of short routes.
  init(_ route: Route, spacing: Double) {
    let points = route.points
    plane = SurfacePoint(
      latitude: points.first?.latitude ?? 0, longitude: points.first?.longitude ?? 0)
    let places = Self.places(points, plane)
    arcs = Self.arcs(points, places)
    metersLeft = Self.left(route.segments.map(\.meters))
    secondsLeft = Self.left(route.segments.map(\.seconds))
    let length = arcs.last ?? 0
    let count = Int(min(Double(Self.mostCells), max(0, (length / spacing).rounded(.up))))
    step = count > 0 ? length / Double(count) : 1
    var (cells, levels): ([SIMD2<Double>], [Double]) = ([], [])
    let hasLevels = points.contains { $0.level != nil }
    var segment = 0
    for cell in 0...count {
      let arc = min(length, Double(cell) * step)
      while segment + 2 < arcs.count, arcs[segment + 1] < arc { segment += 1 }
      let end = min(segment + 1, places.count - 1)
      let span = arcs[end] - arcs[segment]
      let share = span > 0 ? min(1, max(0, (arc - arcs[segment]) / span)) : 0
      cells.append(places[segment] + share * (places[end] - places[segment]))
      if hasLevels { levels.append(Self.level(points[segment].level, points[end].level)) }
    }
    (self.cells, self.levels) = (cells, levels)
  }

  /// The floor between two points: none on steps and at doors.
  private static func level(_ from: Double?, _ to: Double?) -> Double {
    guard let from, from == to else { return .nan }
    return from
  }

  private static func places(_ points: [RoutePoint], _ plane: SurfacePoint) -> [SIMD2<Double>] {
    var last = SIMD2<Double>.zero
    return points.map { point in
      let place = plane.meters(to: point)
      if place.x.isFinite, place.y.isFinite { last = place }
      return last
    }
  }

  private static func arcs(_ points: [RoutePoint], _ places: [SIMD2<Double>]) -> [Double] {
    var arcs = [0.0]
    for number in points.indices.dropFirst() {
      var meters = (places[number] - places[number - 1]).length
      if let from = points[number - 1].level, let to = points[number].level {
        let climb = (to - from).magnitude * floorHeight
        if climb.isFinite { meters = max(meters, climb) }
      }
      arcs.append(arcs[number - 1] + meters)
    }
    return arcs
  }

  private static func left(_ parts: [Double]) -> [Double] {
    var sums = [0.0]
    for part in parts.reversed() {
      sums.append((sums.last ?? 0) + (part.isFinite ? max(0, part) : 0))
    }
    return sums.reversed()
  }

  // MARK: - Places on the track

  var length: Double { arcs.last ?? 0 }

  /// The segment on which a place is, and how much of it is behind; segment 0 of a route that has none.
  func segment(at arc: Double) -> (number: Int, share: Double) {
    // A place that is no number is on the first.
    let number = (0..<max(0, arcs.count - 2)).bisection { !(arcs[$0 + 1] <= arc) }
    guard number + 1 < arcs.count, arcs[number + 1] > arcs[number] else { return (number, 0) }
    return (number, min(1, max(0, (arc - arcs[number]) / (arcs[number + 1] - arcs[number]))))
  }

  func left(at arc: Double) -> (meters: Double, seconds: Double) {
    let (number, share) = segment(at: arc)
    let next = min(number + 1, metersLeft.count - 1)
    return (
      metersLeft[number] + share * (metersLeft[next] - metersLeft[number]),
      secondsLeft[number] + share * (secondsLeft[next] - secondsLeft[number])
    )
  }

  /// Where a place is on the plane; a place between cells is between theirs.
  func place(atCell cell: Double) -> SIMD2<Double> {
    let bound = min(max(0, cell), Double(cells.count - 1))
    let low = Int(bound)
    let high = min(low + 1, cells.count - 1)
    return cells[low] + (bound - Double(low)) * (cells[high] - cells[low])
  }

  func cell(at arc: Double) -> Int {
    Int(min(max(0, (arc / step).rounded()), Double(cells.count - 1)))
  }

  /// The direction of the way at a cell, of length 1; 0 where it goes up.
  func direction(at cell: Int) -> SIMD2<Double> {
    let way = cells[min(cell + 1, cells.count - 1)] - cells[max(0, min(cell, cells.count - 2))]
    let length = way.length
    return length > 1e-6 ? way / length : .zero
  }

  /// Meters from a position to the nearest of some cells, and which it is; another floor counts as three
  /// standard deviations.
  func nearest(
    to fix: TrackFilter.Fix, in range: ClosedRange<Int>
  ) -> (cell: Int, meters: Double) {
    var (best, squared) = (range.lowerBound, Double.infinity)
    let floor = 9 * fix.deviation * fix.deviation
    for cell in range.clamped(to: 0...(cells.count - 1)) {
      let distance = (cells[cell] - fix.place).squared + (isElsewhere(fix, cell) ? floor : 0)
      if distance < squared { (best, squared) = (cell, distance) }
    }
    return (best, squared.squareRoot())
  }

  func isElsewhere(_ fix: TrackFilter.Fix, _ cell: Int) -> Bool {
    guard let level = fix.level, !levels.isEmpty else { return false }
    // Cells without a floor fit each.
    return (levels[cell] - level).magnitude >= 0.75
  }
}
