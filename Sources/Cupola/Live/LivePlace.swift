#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the place says of the frames that are taken there; asked anew only when it changes.
struct LivePlace: Sendable {
  /// What was asked about last.
  private var shot: Shot?
  private(set) var fence: FenceSide?
  /// The labels that compete; `nil` is all.
  private(set) var among: [Bool]?
  /// What is added to the logarithms of the buildings' beliefs, one each in the order of the labels' buildings, 0 or
  /// less; `nil` where the place says nothing.
  private(set) var shifts: [Double]?

  /// Takes in where the next frame is taken.
  mutating func update(_ shot: Shot, guide: PlaceGuide, model: Model) {
    // All of it: a phone that is turned sees less of the horizon, and a needle points elsewhere in another year.
    guard shot != self.shot else { return }
    self.shot = shot
    let position = shot.position
    fence = position.flatMap { model.campus?.geofence.side(of: $0) }
    among = guide.labelsInReach(of: position)
    shifts = shot.question.flatMap { guide.shifts($0) }.map { shifts in
      model.labels.buildings.map { shifts[$0] }
    }
  }

  /// Beliefs with what the place says, written over what was there.
  func write(_ placed: inout [Double], from belief: LiveBelief) {
    var sum = 0.0
    for state in belief.values.indices {
      var value = belief.values[state]
      if let shifts, state < shifts.count { value *= exp(shifts[state]) }
      placed[state] = value
      sum += value
    }
    for state in placed.indices where sum > 0 { placed[state] /= sum }
  }

  /// Whether a building can hardly be seen from here.
  func contradicts(_ building: Int) -> Bool {
    shifts.map { $0[building] <= Contradiction.muchLess } ?? false
  }
}
