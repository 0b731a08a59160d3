/// Decides whether somebody has left a route: a sum of evidence as of Page (1954), with hysteresis.
struct OffRouteWatch: Sendable {
  private let pace: TravelPace
  private(set) var isOff = false
  /// Evidence for being away, 0 or more.
  private var evidence = 0.0
  /// Updates and seconds without a break that somebody was too far away, or back.
  private var updates = 0
  private var seconds = 0.0

  /// The sum of squared distances of positions that were not too far away, and seconds of it: what a phone
  /// tells of its errors is often too good.
  private var spread = 100.0
  private var spreadSeconds = 100.0

  /// Standard deviations that a position's error explains.
  private static let explained = 2.4
  /// Standard deviations within which somebody is back.
  private static let back = 1.5
  /// The evidence that is enough.
  private static let enough = 5.5
  private static let leastUpdates = 3
  /// Seconds on the route before somebody counts as back.
  private static let leastSecondsBack = 5.0

  init(_ pace: TravelPace) { self.pace = pace }

  /// How large the errors have been, as a part of what the phone tells.
  var scale: Double { min(1.4, max(0.8, (spread / spreadSeconds).squareRoot())) }

  /// Whether the last positions already say that somebody is leaving.
  var isDoubtful: Bool { isOff || evidence > Self.enough / 2 }

  /// Takes the distance to the route in standard deviations; whether somebody has just come back.
  mutating func update(_ distance: Double, after passed: Double) -> Bool {
    // A silence is no evidence.
    let passed = min(passed, 2)
    if !isOff {
      let bound = min(distance, Self.explained)
      spread += bound * bound * passed
      spreadSeconds += passed
    }
    let distance = distance / scale
    let isAway = distance > (isOff ? Self.back : Self.explained)
    if isOff ? isAway : !isAway {
      (updates, seconds) = (0, 0)
    } else {
      updates &+= 1
      seconds += passed
    }
    if isOff {
      guard updates >= Self.leastUpdates, seconds >= Self.leastSecondsBack else { return false }
      self = OffRouteWatch(pace)
      return true
    }
    let squares = min(distance, 6) * min(distance, 6) - Self.explained * Self.explained
    evidence = max(0, evidence + pace.evidence * passed * squares / 2)
    if evidence >= Self.enough, updates >= Self.leastUpdates, seconds >= pace.leastSecondsAway {
      (isOff, updates, seconds) = (true, 0, 0)
    }
    return false
  }
}
