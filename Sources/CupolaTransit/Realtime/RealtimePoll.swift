public import CupolaGuide

/// Asks for realtime data again and again, and goes on when that fails.
public struct RealtimePoll: Sendable {
  /// What came of a time.
  public enum Answer: Sendable {
    /// What is known now.
    case state(RealtimeState)
    /// Nothing came; what was known before is getting old.
    case failed(problem: String)
  }

  private let timetable: Timetable
  private let interval: Double
  private let clock: @Sendable () -> Double
  private let sleep: @Sendable (Double) async throws -> Void

  /// How often agencies make new messages.
  public static let usualInterval = 30.0

  /// - Parameters:
  ///   - timetable: the schedule.
  ///   - interval: seconds, 1 or more.
  ///   - clock: seconds since 1970.
  ///   - sleep: waits for some seconds; throws when the task is canceled.
  public init(
    _ timetable: Timetable, every interval: Double = usualInterval,
    clock: @escaping @Sendable () -> Double = { LocalTime.secondsSince1970Now },
    sleep: @escaping @Sendable (Double) async throws -> Void = { seconds in
      // A `Duration` ends at some 10^20 s; this is 30 years.
      try await Task.sleep(for: .seconds(min(seconds, 1e9)))
    }
  ) {
    precondition(interval >= 1, "asking each \(interval) s")
    (self.timetable, self.interval) = (timetable, interval)
    (self.clock, self.sleep) = (clock, sleep)
  }

  /// Asks until the task is canceled.
  ///
  /// - Parameters:
  ///   - fetch: the bytes of one message or more, such as of trip updates and of alerts.
  ///   - take: gets each answer.
  public func run(
    fetch: @Sendable () async throws -> [[UInt8]], take: @Sendable (Answer) async -> Void
  ) async {
    while !Task.isCancelled {
      do {
        let feeds = try await fetch().map { try RealtimeFeed(bytes: $0) }
        await take(.state(RealtimeState(feeds, of: timetable, at: clock())))
      } catch {
        if Task.isCancelled { return }
        await take(.failed(problem: "\(error)"))
      }
      do { try await sleep(interval) } catch { return }
    }
  }
}
