/// How well the nearest beacon was told on walks.
struct WalkScore: CustomStringConvertible {
  var (seconds, right, close, changes) = (0, 0, 0, 0)
  var minutes = 0.0

  var strict: Double { Double(right) / Double(max(seconds, 1)) }
  /// Within 1.5 m of the nearest.
  var within: Double { Double(close) / Double(max(seconds, 1)) }
  var changesPerMinute: Double { Double(changes) / max(minutes, 1e-9) }

  var description: String {
    func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
    return "\(percent(strict)) right, \(percent(within)) within 1.5 m, "
      + "\((changesPerMinute * 10).rounded() / 10) changes a minute, \(seconds) s"
  }

  /// Follows a walk second by second. The first 5 s count for nothing but the start.
  ///
  /// - Parameter tell: hears the readings of a second, and says the nearest beacon at its end.
  mutating func add(
    _ walk: RealWalk, _ beacons: [[Double]],
    tell: (_ second: Int, _ readings: [RealWalk.Reading]) -> Int?
  ) {
    let all = walk.seconds
    guard let first = all.first?.second, let last = all.last?.second else { return }
    var before: Int?
    for (second, readings) in all {
      let told = tell(second, readings)
      defer { before = told }
      guard second >= first + 5, let place = readings.last?.place else { continue }
      let distances = RealWalk.distances(place, beacons)
      let least = distances.min() ?? 0
      seconds += 1
      if told != before { changes += 1 }
      guard let told else { continue }
      if distances[told] == least { right += 1 }
      if distances[told] <= least + 1.5 { close += 1 }
    }
    minutes += Double(last - first) / 60
  }
}
