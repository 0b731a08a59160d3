import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Tells on stderr how far the work is: a bar with the time left on a terminal, else plain lines.
final class Progress: Sendable {
  private struct State {
    var lastDrawn: ContinuousClock.Instant?
    var isDrawn = false
    var remaining = RemainingTime()
  }

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

  /// Shows that `done` of the total are done.
  func update(_ done: Int) {
    guard !isQuiet, total > 0 else { return }
    let now = ContinuousClock.now
    let interval: Duration = usesBar ? .milliseconds(100) : .seconds(5)
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
    // Asked each time: the window may have another size by now.
    let bar = ProgressBar(title: title, total: total, columns: Console.columns(of: STDERR_FILENO))
    return "\r\u{1B}[K" + bar.line(done, left) + (done == total ? "\n" : "")
  }

  private func left(_ duration: Duration?) -> String {
    guard let duration else { return "" }
    let seconds = Int(duration.components.seconds) + 1
    return seconds < 60 ? ", \(seconds) s left" : ", \(seconds / 60) min \(seconds % 60) s left"
  }
}
