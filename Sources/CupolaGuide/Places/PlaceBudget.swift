/// What finding the buildings, rooms and doors of all places of a map may cost together: a small file may hold thousands
/// of places in outlines of thousands of corners.
struct PlaceBudget {
  /// How many corners of outlines and pieces of paths may still be compared: at first one or two minutes' work. A campus
  /// of 500 buildings takes less than 3,000,000.
  var tests: Int

  /// How many places were beyond the budget, and what one of them is called.
  private var leftOut: (count: Int, first: String) = (0, "")

  init(tests: Int = 1_000_000_000) { self.tests = tests }

  /// Whether something is left for a place; else it is counted as left out.
  mutating func allows(_ title: String) -> Bool {
    if tests > 0 { return true }
    if leftOut.count == 0 { leftOut.first = title }
    leftOut.count += 1
    return false
  }

  /// What to say of the places that were beyond the budget, if there are any.
  var fault: MapFault? {
    guard leftOut.count > 0 else { return nil }
    let others = leftOut.count == 1 ? "" : ", as are \(leftOut.count - 1) more"
    return MapFault(
      leftOut.first,
      "a place whose building, room or door is not looked for\(others), because the outlines and paths around the "
        + "places of the map have too many corners together; draw them more simply, or make a guide of fewer"
    )
  }
}
