internal import CupolaCampus
internal import CupolaSupport

/// A route, or the part of it on one floor, in pixels.
struct RouteTrace {
  /// Segments after each other that look alike.
  struct Run {
    enum Look { case plain, indoor, steps }
    let look: Look
    var points: [SIMD2<Double>]
  }

  /// A numbered point.
  struct Stop {
    enum Role { case start, middle, end }
    let role: Role
    /// The number in the legend; `nil` where nothing is to be done.
    let number: Int?
    let point: SIMD2<Double>
  }

  /// A way to or from another floor.
  struct Change {
    let point: SIMD2<Double>
    let text: String
    let isUp: Bool
    let isDeparture: Bool
  }

  private(set) var runs: [Run] = []
  private(set) var stops: [Stop] = []
  private(set) var changes: [Change] = []
  /// What stands beside the ends that are there.
  private(set) var origin: String?
  private(set) var destination: String?

  /// How many segments a map has at most: more than any way on foot.
  private static let mostSegments = 50_000
  /// How many numbers a map has at most.
  private static let mostStops = 300

  /// What of a route a picture shows.
  struct Part {
    var segments: [Int]
    var maneuvers: [Int]
    var points: Set<Int>
    var changes: [(change: RouteFloors.Change, name: String)] = []
    /// The floor that it is on; `nil` for a map, on which ways inside of buildings look fainter.
    var level: Double?
  }

  init(_ route: Route, _ part: Part, in view: DrawingView) {
    for index in part.segments.prefix(Self.mostSegments)
    where route.segments.indices.contains(index) {
      append(route, index, part, in: view)
    }
    addStops(route, part, view)
    for (change, name) in part.changes {
      guard let level = part.level, let point = view.point(route.points[change.point]) else {
        continue
      }
      let isUp = change.isDeparture ? change.other > level : change.other < level
      changes.append(
        Change(
          point: point, text: (change.isDeparture ? "to " : "from ") + name, isUp: isUp,
          isDeparture: change.isDeparture))
    }
  }

  private mutating func append(
    _ route: Route, _ index: Int, _ part: Part, in view: DrawingView
  ) {
    guard let start = view.point(route.points[index]),
      let end = view.point(route.points[index + 1])
    else { return }
    let segment = route.segments[index]
    let look: Run.Look =
      switch segment.kind {
      case .steps, .escalator: .steps
      default: part.level == nil && segment.isIndoor ? .indoor : .plain
      }
    if let last = runs.last, last.look == look, last.points.last == start {
      runs[runs.count - 1].points.append(end)
    } else {
      runs.append(Run(look: look, points: [start, end]))
    }
  }

  private mutating func addStops(_ route: Route, _ part: Part, _ view: DrawingView) {
    let last = route.points.count - 1
    let final = route.maneuvers.indices.last
    let leaves = route.maneuvers.first?.point == 0 && final != 0
    let arrives = final.map { route.maneuvers[$0].point == last } ?? false
    for index in part.maneuvers.prefix(Self.mostStops)
    where !(leaves && index == 0) && !(arrives && index == final) {
      let number = route.maneuvers[index].point
      guard route.points.indices.contains(number), let point = view.point(route.points[number])
      else { continue }
      stops.append(Stop(role: .middle, number: index + 1, point: point))
    }
    if last > 0, part.points.contains(0), let point = view.point(route.points[0]) {
      stops.append(Stop(role: .start, number: leaves ? 1 : nil, point: point))
      origin = route.origin.map { DrawingText.plain($0) }
    }
    if part.points.contains(last), let point = view.point(route.points[last]) {
      let number = arrives ? final.map { $0 + 1 } : nil
      stops.append(Stop(role: .end, number: number, point: point))
      destination = route.destination.map { DrawingText.plain($0) }
    }
  }
}
