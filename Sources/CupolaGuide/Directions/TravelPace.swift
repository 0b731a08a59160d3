/// How people of a mode move, and what they need to be told when.
struct TravelPace: Sendable {
  /// Meters a second that ``TrackFilter`` tells apart: the first is 0.
  let speeds: [Double]
  /// How often who goes, goes so; of the first 0.
  let shares: [Double]
  /// Seconds after which somebody goes faster or slower, stops, and goes on.
  let memory: Double
  let secondsToStop: Double
  let secondsStopped: Double
  /// Meters between cells.
  let spacing: Double
  /// Meters that maps draw ways beside where people go: sidewalks, lanes.
  let mapError: Double
  /// Seconds that somebody is at least too far away before it counts as off-route.
  let leastSecondsAway: Double
  /// Off-route evidence a second, by squared distance in standard deviations.
  let evidence: Double

  init(_ mode: TravelMode) {
    switch mode {
    case .walk, .stepFree:
      (speeds, shares) = ([0, 0.5, 1, 1.4, 1.8, 2.4], [0, 0.08, 0.27, 0.4, 0.2, 0.05])
      (memory, secondsToStop, secondsStopped) = (30, 60, 15)
      (spacing, mapError) = (1, 4)
      (leastSecondsAway, evidence) = (5, 0.3)
    case .drive:
      speeds = [0, 2, 5, 8, 12, 17, 25, 40]
      shares = [0, 0.12, 0.18, 0.2, 0.2, 0.15, 0.1, 0.05]
      (memory, secondsToStop, secondsStopped) = (5, 40, 15)
      (spacing, mapError) = (2, 5)
      (leastSecondsAway, evidence) = (3, 0.6)
    }
  }
}
