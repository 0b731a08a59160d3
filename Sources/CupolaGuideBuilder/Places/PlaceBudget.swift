/// What finding the buildings, rooms and doors of all places of a map may cost together: a small file may hold thousands
/// of places in outlines of thousands of corners.
struct PlaceBudget {
  /// How many corners of outlines and pieces of paths may still be compared: at first one or two minutes' work. A campus
  /// of 500 buildings takes less than 3,000,000.
  var tests: Int

  /// The places that were beyond the budget.
  private var leftOut = LeftOut()

  init(tests: Int = 1_000_000_000) { self.tests = tests }

  /// Whether something is left for a place; else it is counted as left out.
  mutating func allows(_ place: MapFeature) -> Bool {
    if tests > 0 { return true }
    leftOut.add(place.title)
    return false
  }

  /// What to say of the places that were beyond the budget, if there are any.
  var fault: MapFault? {
    leftOut.fault(
      "a place whose building, room or door is not looked for",
      because: "the outlines and paths around the places of the map have too many corners "
        + "together; draw them more simply, or make a guide of fewer")
  }
}
