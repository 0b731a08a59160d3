internal import CupolaCampus
internal import CupolaSupport

// 1. Project the points of a route to a plane and divide the line into cells of equal length.
// 2. Look up distances along the track, and find the cell nearest to a fix.

/// A route as a line, addressed by the distance from its start, for ``TrackFilter``. Steps and elevators are at least
/// as long as they are high, so that each floor has its own cells.
struct RouteTrack: Sendable {
  let arcs: [Double]
  /// The remaining meters and seconds at each point, according to the route.
  private let metersLeft: [Double]
  private let secondsLeft: [Double]
  let step: Double
  let cells: [SIMD2<Double>]
  /// The floor of each cell, or NaN if unknown; empty for a route without floors.
  let levels: [Double]
  let plane: SurfacePoint

  static let floorHeight = 3.5
  private static let mostCells = 20_000

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

  // MARK: - Positions on the track

  var length: Double { arcs.last ?? 0 }

  /// Returns the segment at a distance along the track, and the fraction of the segment before that distance; segment 0
  /// if there are none.
  func segment(at arc: Double) -> (number: Int, share: Double) {
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

  func place(atCell cell: Double) -> SIMD2<Double> {
    let bound = min(max(0, cell), Double(cells.count - 1))
    let low = Int(bound)
    let high = min(low + 1, cells.count - 1)
    return cells[low] + (bound - Double(low)) * (cells[high] - cells[low])
  }

  func cell(at arc: Double) -> Int {
    Int(min(max(0, (arc / step).rounded()), Double(cells.count - 1)))
  }

  /// Returns the horizontal unit direction of the route at a cell; zero if the route is vertical there.
  func direction(at cell: Int) -> SIMD2<Double> {
    let way = cells[min(cell + 1, cells.count - 1)] - cells[max(0, min(cell, cells.count - 2))]
    let length = way.length
    return length > 1e-6 ? way / length : .zero
  }

  /// Returns the cell in a range that is nearest to a fix, and its distance in meters. A different floor counts as
  /// three standard deviations.
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
    return (levels[cell] - level).magnitude >= 0.75
  }
}
