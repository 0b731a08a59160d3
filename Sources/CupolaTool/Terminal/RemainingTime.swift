/// Estimates how long work will take from how fast it went of late.
///
/// What came before the first piece does not count, and the last quarter of a minute tells more than the
/// whole: photos that a cache knows take no time, and often come first.
struct RemainingTime {
  private struct Sample {
    let time: ContinuousClock.Instant
    let done: Int
  }

  /// The oldest first, each at least ``step`` after the one before.
  private var samples: [Sample] = []

  private static let step = Duration.seconds(1)
  private static let mostSamples = 16

  /// Says that so many pieces were done at a time.
  mutating func note(_ done: Int, at time: ContinuousClock.Instant) {
    if let last = samples.last, time - last.time < Self.step { return }
    samples.append(Sample(time: time, done: done))
    if samples.count > Self.mostSamples { samples.removeFirst() }
  }

  /// How long the rest of so many pieces will take; `nil` before a second of them was seen.
  func left(of total: Int, done: Int, at time: ContinuousClock.Instant) -> Duration? {
    guard done < total, let first = samples.first, done > first.done,
      time - first.time >= Self.step
    else { return nil }
    return (time - first.time) * (Double(total - done) / Double(done - first.done))
  }
}
