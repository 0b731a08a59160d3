/// A route floor by floor: where it stays on one, and where it goes to another.
struct RouteFloors {
  /// A part of the route on one floor, or outdoors.
  struct Stay: Equatable {
    let level: Double?
    /// Numbers of ``Route/points``.
    var points: ClosedRange<Int>
  }

  /// A way to or from another floor.
  struct Change: Equatable {
    /// A number of ``Route/points`` on this floor.
    let point: Int
    let other: Double
    /// Whether the other floor is the one that the route goes to.
    let isDeparture: Bool
  }

  private let route: Route
  let stays: [Stay]

  /// Landings and floors that an elevator passes are shorter, and no floors to people.
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

  /// The floors in the order of the way, each once; `nil` for outdoors.
  var levels: [Double?] {
    var levels: [Double?] = []
    for stay in stays where !levels.contains(stay.level) { levels.append(stay.level) }
    return levels
  }

  /// Numbers of points on a floor.
  func points(on level: Double?) -> [Int] {
    stays.filter { $0.level == level }.flatMap { Array($0.points) }
  }

  /// Numbers of points on a floor and on the ways up or down from it.
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

  /// Numbers of segments to draw on a floor, ascending: its own, those up or down from it, and
  /// those outdoors that lead to it.
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

  /// Where the route leaves a floor for another, or comes from one.
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

  /// Numbers of the maneuvers that begin on a floor, or on a landing after it.
  func maneuvers(on level: Double?) -> [Int] {
    route.maneuvers.indices.filter { index in
      let point = route.maneuvers[index].point
      return stays.last { $0.points.lowerBound <= point }?.level == level
    }
  }
}
