import Testing

@testable import CupolaTraining

@Suite("Newcombe interval")
struct NewcombeIntervalTests {
  @Test(
    "agrees with the published ones (Newcombe 1998, table II, method 10)",
    arguments: [
      ((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090),
      ((6, 7), (2, 7), 0.0582, 0.8062), ((5, 56), (0, 29), -0.0381, 0.1926),
      ((0, 10), (0, 20), -0.1611, 0.2775), ((10, 10), (0, 20), 0.6791, 1),
    ])
  func published(first: (Int, Int), second: (Int, Int), lower: Double, upper: Double) throws {
    let shares = [first, second].map { Share(right: $0.0, of: $0.1) }
    let interval = try #require(NewcombeInterval(shares[0], minus: shares[1]))
    #expect(abs(interval.lower - lower) < 5e-5 && abs(interval.upper - upper) < 5e-5)
    let difference = Double(first.0) / Double(first.1) - Double(second.0) / Double(second.1)
    #expect(interval.difference == difference)
    let other = try #require(NewcombeInterval(shares[1], minus: shares[0]))
    #expect(abs(other.lower + interval.upper) < 1e-15)
  }

  @Test("shares of nothing have no difference")
  func nothing() {
    let (none, half) = (Share(right: 0, of: 0), Share(right: 1, of: 2))
    #expect(NewcombeInterval(none, minus: half) == nil)
    #expect(NewcombeInterval(half, minus: none) == nil)
  }
}
