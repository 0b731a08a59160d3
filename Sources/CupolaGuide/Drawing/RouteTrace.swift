internal import CupolaCampus
internal import CupolaSupport

// 1. Find where a route stays on a floor and where it changes floors (`RouteFloors`).
// 2. Convert the whole route, or the part on one floor, to pixels (`RouteTrace`).

struct RouteTrace {
  struct Run {
    enum Look { case plain, indoor, steps }
    let look: Look
    var points: [SIMD2<Double>]
  }

  struct Stop {
    enum Role { case start, middle, end }
    let role: Role
    let number: Int?
    let point: SIMD2<Double>
  }

  struct Change {
    let point: SIMD2<Double>
    let text: String
    let isUp: Bool
    let isDeparture: Bool
  }

  private(set) var runs: [Run] = []
  private(set) var stops: [Stop] = []
  private(set) var changes: [Change] = []
  private(set) var origin: String?
  private(set) var destination: String?

  private static let mostSegments = 50_000
  private static let mostStops = 300

  struct Part {
    var segments: [Int]
    var maneuvers: [Int]
    var points: Set<Int>
    var changes: [(change: RouteFloors.Change, name: String)] = []
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

/// The stays of a route on individual floors, and the changes between them.
struct RouteFloors {
  struct Stay: Equatable {
    let level: Double?
    var points: ClosedRange<Int>
  }

  struct Change: Equatable {
    let point: Int
    let other: Double
    /// Whether the route goes to the other floor, instead of coming from it.
    let isDeparture: Bool
  }

  private let route: Route
  let stays: [Stay]

  /// Shorter stays are ignored: they are landings, or floors that an elevator passes.
  private static let leastMeters = 4.0

  init(_ route: Route) {
    self.route = route
    var all: [Stay] = []
    for (index, point) in route.points.enumerated() {
      if let last = all.last, last.level == point.floor {
        all[all.count - 1].points = last.points.lowerBound...index
      } else {
        all.append(Stay(level: point.floor, points: index...index))
      }
    }
    var stays: [Stay] = []
    for (index, stay) in all.enumerated() {
      let meters = stay.points.dropLast().reduce(0) { $0 + route.segments[$1].meters }
      guard index == 0 || index == all.count - 1 || meters >= Self.leastMeters else { continue }
      if let last = stays.last, last.level == stay.level {
        stays[stays.count - 1].points = last.points.lowerBound...stay.points.upperBound
      } else {
        stays.append(stay)
      }
    }
    self.stays = stays
  }

  /// The floors in route order, without repetition; `nil` means outdoors.
  var levels: [Double?] {
    var levels: [Double?] = []
    for stay in stays where !levels.contains(stay.level) { levels.append(stay.level) }
    return levels
  }

  func points(on level: Double?) -> [Int] {
    stays.filter { $0.level == level }.flatMap { Array($0.points) }
  }

  /// Returns the indices of the points on a floor and on the stairs or elevators connected to it.
  func pointsInView(on level: Double?) -> [Int] {
    stays.indices.filter { stays[$0].level == level }.flatMap { index in
      let before = index > 0 && stays[index - 1].level != nil
      let after = index + 1 < stays.count && stays[index + 1].level != nil
      let own = stays[index].points
      guard level != nil else { return Array(own) }
      let low = before ? stays[index - 1].points.upperBound : own.lowerBound
      let high = after ? stays[index + 1].points.lowerBound : own.upperBound
      return Array(low...high)
    }
  }

  /// Returns the indices of the segments to draw on a floor: on the floor, to and from other floors, and the outdoor
  /// segments leading to it.
  func segments(on level: Double?) -> [Int] {
    var numbers: Set<Int> = []
    for (index, stay) in stays.enumerated() where stay.level == level {
      let before = index > 0 ? stays[index - 1] : nil
      let after = index + 1 < stays.count ? stays[index + 1] : nil
      let start = before.map {
        $0.level == nil ? $0.points.lowerBound : $0.points.upperBound
      }
      let end = after.map { $0.level == nil ? $0.points.upperBound : $0.points.lowerBound }
      numbers.formUnion(
        (start ?? stay.points.lowerBound)..<(end ?? stay.points.upperBound))
    }
    return numbers.sorted()
  }

  func changes(on level: Double?) -> [Change] {
    guard level != nil else { return [] }
    var changes: [Change] = []
    for (last, next) in zip(stays, stays.dropFirst()) {
      guard let from = last.level, let to = next.level else { continue }
      if from == level {
        changes.append(Change(point: last.points.upperBound, other: to, isDeparture: true))
      }
      if to == level {
        changes.append(Change(point: next.points.lowerBound, other: from, isDeparture: false))
      }
    }
    return changes
  }

  func maneuvers(on level: Double?) -> [Int] {
    route.maneuvers.indices.filter { index in
      let point = route.maneuvers[index].point
      return stays.last { $0.points.lowerBound <= point }?.level == level
    }
  }
}
