import Cupola
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Estimate the remaining time from the last 16 seconds.
// 2. Draw a bar on a terminal, or print a line every 5 seconds elsewhere.

final class Progress: Sendable {
  private struct State {
    var lastDrawn: ContinuousClock.Instant?
    var isDrawn = false
    var remaining = RemainingTime()
  }

  /// Studio shows the lines as a bar.
  private static let interval: Duration =
    Console.environment("CUPOLA_STUDIO") == nil ? .seconds(5) : .milliseconds(500)

  private let title: String
  private let total: Int
  private let start = ContinuousClock.now
  private let usesBar = Console.showsProgressBar
  private let isQuiet: Bool
  private let state = Mutex(State())

  init(_ title: String, total: Int, quiet: Bool) {
    self.title = title
    self.total = total
    isQuiet = quiet
  }

  func update(_ done: Int) {
    guard !isQuiet, total > 0 else { return }
    let now = ContinuousClock.now
    let interval: Duration = usesBar ? .milliseconds(100) : Self.interval
    state.withLock { state in
      state.remaining.note(done, at: now)
      let isDue = now - (state.lastDrawn ?? start) >= interval
      guard isDue || (done == total && (usesBar || state.isDrawn)) else { return }
      state.lastDrawn = now
      state.isDrawn = true
      let left = left(state.remaining.left(of: total, done: done, at: now))
      Console.progress(usesBar ? bar(done, left) : line(done, left))
    }
  }

  private func line(_ done: Int, _ left: String) -> String {
    "\(title): \(done) of \(total)\(left)\n"
  }

  private func bar(_ done: Int, _ left: String) -> String {
    let bar = ProgressBar(title: title, total: total, columns: Console.columns(of: STDERR_FILENO))
    return "\r\u{1B}[K" + bar.line(done, left) + (done == total ? "\n" : "")
  }

  private func left(_ duration: Duration?) -> String {
    guard let duration else { return "" }
    let seconds = Int(duration.components.seconds) + 1
    return seconds < 60 ? ", \(seconds) s left" : ", \(seconds / 60) min \(seconds % 60) s left"
  }
}

/// A progress bar. It leaves the last column free, so that the terminal does not wrap the line.
struct ProgressBar {
  let title: String
  let total: Int
  let columns: Int

  private static let maximumWidth = 30
  private static let minimumWidth = 6

  func line(_ done: Int, _ left: String) -> String {
    let numbers = " \(done)/\(total)\(left)"
    // 4 columns: the brackets, the space before them, and the last column.
    let room = columns - WrappedText.width(title + numbers) - 4
    let width = min(Self.maximumWidth, room)
    guard width >= Self.minimumWidth else {
      return WrappedText.beginning(of: title + numbers, columns: columns - 1)
    }
    let filled = width * done / max(1, total)
    let blocks =
      String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "\(title) [\(blocks)]\(numbers)"
  }
}

/// Estimates the remaining time from recent samples, because cached photos often come first.
struct RemainingTime {
  private struct Sample {
    let time: ContinuousClock.Instant
    let done: Int
  }

  private var samples: [Sample] = []

  private static let step = Duration.seconds(1)
  private static let mostSamples = 16

  mutating func note(_ done: Int, at time: ContinuousClock.Instant) {
    if let last = samples.last, time - last.time < Self.step { return }
    samples.append(Sample(time: time, done: done))
    if samples.count > Self.mostSamples { samples.removeFirst() }
  }

  /// Returns the estimated time for the remaining items; `nil` during the first second.
  func left(of total: Int, done: Int, at time: ContinuousClock.Instant) -> Duration? {
    guard done < total, let first = samples.first, done > first.done,
      time - first.time >= Self.step
    else { return nil }
    return (time - first.time) * (Double(total - done) / Double(done - first.done))
  }
}
