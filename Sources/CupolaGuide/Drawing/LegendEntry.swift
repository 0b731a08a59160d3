internal import CupolaSupport

/// A line of the list beside a map.
struct LegendEntry {
  let number: Int?
  let role: RouteTrace.Stop.Role
  let text: String
  let meters: Double

  /// How many a list has at most.
  private static let most = 200

  /// Some maneuvers of a route.
  static func all(of route: Route, _ numbers: [Int]) -> [LegendEntry] {
    let entries = numbers.prefix(most).map { number in
      let maneuver = route.maneuvers[number]
      let role: RouteTrace.Stop.Role =
        if number == 0, number != route.maneuvers.count - 1, maneuver.point == 0 {
          .start
        } else if number == route.maneuvers.count - 1, maneuver.point == route.points.count - 1 {
          .end
        } else {
          .middle
        }
      return LegendEntry(
        number: number + 1, role: role, text: DrawingText.plain(maneuver.text, most: 400),
        meters: maneuver.meters)
    }
    guard numbers.count > most else { return entries }
    return entries + [
      LegendEntry(
        number: nil, role: .middle, text: "and \(numbers.count - most) more", meters: 0)
    ]
  }
}
