/// What looking across all areas of a map may cost together: a small file may hold thousands that cost as much as one may.
struct AreaBudget: Sendable {
  /// How many lines may still be made: at first 25 times what one area makes at most. Campuses make some thousands.
  var lines = 2_000_000
  /// How many walls may still be compared with pairs of points, as ``AreaCrossing`` counts them: at first 50 times what
  /// one area takes at most, some seconds' work.
  var tests = 3_000_000_000

  /// The areas that were beyond the budget.
  private(set) var leftOut = LeftOut()
  private var last: String?

  /// - Parameter id: the feature; counted once where all of its floors, or looks at it, come one after the other.
  mutating func leaveOut(_ id: String) {
    guard id != last else { return }
    last = id
    leftOut.add(MapFault.short(id))
  }

  /// Takes what something costs, if so much is left; else the feature is left out.
  mutating func take(lines: Int = 0, tests: Int = 0, of id: String) -> Bool {
    guard lines <= self.lines, tests <= self.tests else {
      leaveOut(id)
      return false
    }
    self.lines -= lines
    self.tests -= tests
    return true
  }

  /// What to say of the areas that were beyond the budget, if there are any.
  var fault: MapFault? {
    leftOut.fault(
      "an open area or room that is not crossed",
      because: "the areas of the map have too many corners and entrances together; draw them "
        + "more simply, or make a guide of fewer")
  }
}
