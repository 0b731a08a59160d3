/// Looks at parts of frames that have no name, one after the other, for one that says more than the whole.
struct FrameProbe: Sendable {
  /// Every so many frames a part is looked at.
  private static let period = 3
  /// A part must have this odds of the best building against all else, and be that much better than the whole.
  private static let leastOdds = 1.0
  private static let leastGain = 1.5
  /// How much the last look at a part counts.
  private static let share = 0.4

  private static let parts: [(hint: LiveHint, geometry: Geometry)] = [
    (.moveLeft, .window(.init(left: 0, top: 15, width: 70, height: 70))),
    (.stepNearer, .window(.init(left: 15, top: 15, width: 70, height: 70))),
    (.moveRight, .window(.init(left: 30, top: 15, width: 70, height: 70))),
  ]

  private var odds = [Double](repeating: 0, count: parts.count)
  private var looks = [Int](repeating: 0, count: parts.count)
  private var whole = 0.0
  private var frames = 0

  /// Forgets all that was seen.
  mutating func reset() {
    for part in looks.indices { looks[part] = 0 }
    frames = 0
  }

  /// Takes in what the whole frame says; tells which part is to be looked at, if any.
  mutating func next(whole odds: Double) -> (part: Int, geometry: Geometry)? {
    whole = frames == 0 ? odds : whole + Self.share * (odds - whole)
    frames += 1
    guard frames % Self.period == 0 else { return nil }
    let part = frames / Self.period % Self.parts.count
    return (part, Self.parts[part].geometry)
  }

  /// Takes in what a part says.
  mutating func add(_ found: Double, part: Int) {
    odds[part] = looks[part] == 0 ? found : odds[part] + Self.share * (found - odds[part])
    looks[part] += 1
  }

  /// What would show a part that says more than the whole, seen twice at least.
  var hint: LiveHint? {
    var best: Int?
    for part in odds.indices
    where looks[part] >= 2 && odds[part] >= Self.leastOdds
      && odds[part] >= whole + Self.leastGain && odds[part] > (best.map { odds[$0] } ?? -.infinity)
    {
      best = part
    }
    return best.map { Self.parts[$0].hint }
  }
}
