import Cupola
import Testing

@testable import CupolaTraining

@Suite("ROC curve")
struct ROCCurveTests {
  private static func scores(
    _ count: Int, steps: Int, add: Int, _ generator: inout SplitMix64
  ) -> [Double] {
    (0..<count).map { _ in Double(Int.random(in: 0..<steps, using: &generator) + add) / 64 }
  }

  @Test("The area is the share of ordered pairs, ties counting half", arguments: 0..<12)
  func area(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let steps = [3, 10, 1_000_000][seed % 3]
    let positives = Self.scores(1 + 13 * seed, steps: steps, add: seed % 4, &generator)
    let negatives = Self.scores(90 - 7 * seed, steps: steps, add: 0, &generator)
    var wins = 0.0
    for positive in positives {
      for negative in negatives {
        wins += positive > negative ? 1 : positive == negative ? 0.5 : 0
      }
    }
    let area = try #require(ROCCurve(positives: positives, negatives: negatives).area)
    #expect(abs(area - wins / Double(positives.count * negatives.count)) < 1e-12)
  }

  @Test(
    "The area matches known values",
    arguments: [
      ([0.9, 0.8], [0.1, 0.2], 1.0), ([0.1], [0.9, 0.8], 0.0), ([0.5, 0.5], [0.5], 0.5),
      ([0.9, 0.4], [0.5], 0.5), ([0.9, 0.5, 0.4], [0.5, 0.1], 0.75),
    ])
  func known(positives: [Double], negatives: [Double], area: Double) {
    #expect(ROCCurve(positives: positives, negatives: negatives).area == area)
  }

  @Test("False positive rates match an exhaustive threshold search", arguments: 0..<12)
  func falsePositives(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let steps = [4, 20, 1_000_000][seed % 3]
    let positives = Self.scores(1 + 9 * seed, steps: steps, add: seed % 5, &generator)
    let negatives = Self.scores(40, steps: steps, add: 0, &generator)
    let curve = ROCCurve(positives: positives, negatives: negatives)
    for percent in [1, 50, 95, 100] {
      let rates = positives.compactMap { threshold -> Double? in
        guard positives.count(where: { $0 >= threshold }) * 100 >= percent * positives.count
        else { return nil }
        return Double(negatives.count { $0 >= threshold }) / 40
      }
      let found = try #require(curve.falsePositiveRate(atTruePositiveRate: Double(percent) / 100))
      #expect(abs(found - (try #require(rates.min()))) < 1e-12)
    }
  }

  @Test("There is no curve without photos of both kinds")
  func absent() {
    for (positives, negatives) in [([0.5], []), ([], [0.5]), ([], [])] as [([Double], [Double])] {
      let curve = ROCCurve(positives: positives, negatives: negatives)
      #expect(curve.area == nil)
      #expect(curve.falsePositiveRate(atTruePositiveRate: 0.95) == nil)
    }
  }
}

@Suite("Calibration figures")
struct CalibrationFiguresTests {
  @Test("The expected calibration error matches its definition", arguments: [1, 2, 40, 500])
  func naive(count: Int) throws {
    var generator = SplitMix64(seed: UInt64(count))
    let answers = (0..<count).map { _ in
      let probability = Double.random(in: 0...1, using: &generator)
      return (probability, Double.random(in: 0..<1, using: &generator) < 0.7 * probability)
    }
    var error = 0.0
    for bin in 0..<15 {
      let within = answers.filter { probability, _ in
        probability * 15 >= Double(bin) && (probability * 15 < Double(bin + 1) || bin == 14)
      }
      guard !within.isEmpty else { continue }
      let confidence = within.reduce(0) { $0 + $1.0 } / Double(within.count)
      let accuracy = Double(within.count { $0.1 }) / Double(within.count)
      error += Double(within.count) / Double(count) * abs(confidence - accuracy)
    }
    let figures = CalibrationFigures(answers: answers, squaredDistances: [])
    #expect(abs(try #require(figures.ece) - error) < 1e-12)
    #expect(figures.brier == nil)
  }

  @Test("The error of certain answers is 0 if right and 1 if wrong")
  func certain() {
    func ece(_ isRight: Bool) -> Double? {
      CalibrationFigures(
        answers: [(1, isRight), (1, isRight)], squaredDistances: []
      ).ece
    }
    #expect(ece(true) == 0)
    #expect(ece(false) == 1)
  }

  @Test("The Brier score is the mean squared distance")
  func brier() {
    let figures = CalibrationFigures(
      answers: [(0.5, true), (0.5, false), (0.5, true), (0.5, false)],
      squaredDistances: [0, 2, 0.5, 0.5])
    #expect(figures.brier == 0.75)
    #expect(figures.ece == 0)
  }

  @Test("There are no figures without photos")
  func absent() {
    #expect(
      CalibrationFigures(answers: [], squaredDistances: [])
        == CalibrationFigures(answers: [], squaredDistances: []))
    #expect(CalibrationFigures(answers: [], squaredDistances: []).ece == nil)
  }
}
