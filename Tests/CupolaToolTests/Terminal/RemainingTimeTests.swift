import Testing

@testable import CupolaTool

@Suite("Remaining time")
struct RemainingTimeTests {
  private let start = ContinuousClock.now

  private func left(_ steps: [(seconds: Double, done: Int)], of total: Int) -> Duration? {
    var remaining = RemainingTime()
    for step in steps { remaining.note(step.done, at: start + .seconds(step.seconds)) }
    guard let last = steps.last else { return nil }
    return remaining.left(of: total, done: last.done, at: start + .seconds(last.seconds))
  }

  @Test("What came before the first piece does not count")
  func startsLate() {
    // A minute of other work, then ten a second.
    #expect(left([(60, 1), (61, 11)], of: 111) == .seconds(10))
  }

  @Test("Work that grows slower is told soon")
  func slower() throws {
    // 1,000 that a cache knew within a second, then one a second.
    let steps = [(0.0, 1), (1.0, 1_000)] + (1...40).map { (1.0 + Double($0), 1_000 + $0) }
    #expect(try #require(left(steps, of: 1_140)) == .seconds(100))
  }

  @Test("Nothing is told before a second was seen, nor at the end")
  func silent() {
    #expect(left([], of: 10) == nil)
    #expect(left([(5, 1)], of: 10) == nil)
    #expect(left([(0, 1), (0.5, 2)], of: 10) == nil)
    #expect(left([(0, 1), (2, 1)], of: 10) == nil)
    #expect(left([(0, 1), (2, 10)], of: 10) == nil)
  }
}
