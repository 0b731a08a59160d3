import Cupola
import Testing

@testable import CupolaTraining

@Suite("Calibration figures")
struct CalibrationFiguresTests {
  @Test("the expected calibration error is the definition's", arguments: [1, 2, 40, 500])
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

  @Test("certainty is honest when it is always right, and as wrong as can be when never")
  func certain() {
    func ece(_ isRight: Bool) -> Double? {
      CalibrationFigures(
        answers: [(1, isRight), (1, isRight)], squaredDistances: []
      ).ece
    }
    #expect(ece(true) == 0)
    #expect(ece(false) == 1)
  }

  @Test("the Brier score is the mean of the squared distances")
  func brier() {
    let figures = CalibrationFigures(
      answers: [(0.5, true), (0.5, false), (0.5, true), (0.5, false)],
      squaredDistances: [0, 2, 0.5, 0.5])
    #expect(figures.brier == 0.75)
    #expect(figures.ece == 0)
  }

  @Test("there are none without photos")
  func absent() {
    #expect(
      CalibrationFigures(answers: [], squaredDistances: [])
        == CalibrationFigures(answers: [], squaredDistances: []))
    #expect(CalibrationFigures(answers: [], squaredDistances: []).ece == nil)
  }
}
