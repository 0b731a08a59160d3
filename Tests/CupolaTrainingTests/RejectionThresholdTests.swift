import Cupola
import Testing

@testable import CupolaTraining

@Suite("Rejection threshold")
struct RejectionThresholdTests {
  private let names = Labels(["_street", "chapel", "tower"])

  /// A photo of the chapel: probabilities of the street, the chapel and the tower.
  private func row(_ chapel: Double, street: Double = 0) -> [Double] {
    [street, chapel, max(0, 1 - chapel - street)]
  }

  @Test("refuses at most the budget", arguments: [0, 0.05, 0.1, 0.25, 0.5])
  func budget(budget: Double) throws {
    let scores = (1...40).map { 0.5 + Double($0) / 100 }
    let choice = try #require(
      RejectionThreshold.choose(
        probabilities: scores.map { row($0) }, truth: scores.map { _ in 1 }, names: names,
        budget: budget))
    let refused = scores.count { $0 < choice.threshold }
    #expect(refused == Int(budget * 40))
    #expect(abs(choice.falseRejectionRate - Double(refused) / 40) < 1e-12)
    // The next higher score would be too high a threshold.
    let higher = scores.filter { $0 > choice.threshold }.min()
    #expect(Double(scores.count { $0 < (higher ?? 1) }) > budget * 40)
  }

  @Test("photos that the background refuses use the budget up")
  func backgroundCounts() throws {
    let probabilities = [
      row(0.2, street: 0.7), row(0.3, street: 0.6), row(0.8), row(0.9), row(0.95),
    ]
    func choose(_ budget: Double) -> (threshold: Double, falseRejectionRate: Double)? {
      RejectionThreshold.choose(
        probabilities: probabilities, truth: [1, 1, 1, 1, 1], names: names, budget: budget)
    }
    let strict = try #require(choose(0.2))
    #expect(strict.threshold == 0)
    #expect(strict.falseRejectionRate == 0.4)
    let loose = try #require(choose(0.6))
    #expect(loose.threshold == 0.9)
    #expect(loose.falseRejectionRate == 0.6)
  }

  @Test("equal scores are refused together or not at all")
  func ties() throws {
    let probabilities = [Double](repeating: 0.6, count: 9).map { row($0) } + [row(0.9)]
    let choice = try #require(
      RejectionThreshold.choose(
        probabilities: probabilities, truth: probabilities.map { _ in 1 }, names: names,
        budget: 0.3))
    #expect(choice.threshold == 0.6)
    #expect(choice.falseRejectionRate == 0)
  }

  @Test("photos of the background do not count, and without buildings there is no threshold")
  func onlyBuildings() throws {
    let probabilities = [row(0.1, street: 0.8), row(0.9)]
    let choice = try #require(
      RejectionThreshold.choose(
        probabilities: probabilities, truth: [0, 1], names: names, budget: 0.05))
    #expect(choice.threshold == 0.9)
    #expect(choice.falseRejectionRate == 0)
    #expect(
      RejectionThreshold.choose(
        probabilities: probabilities, truth: [0, 0], names: names, budget: 0.05) == nil)
  }
}
