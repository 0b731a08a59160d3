import Testing

@testable import Cupola

@Suite("Operating point") struct OperatingPointTests {
  private static func calibration(
    notBuildings: ErrorCurve? = nil, unknownBuildings: ErrorCurve? = nil,
    wrongNames: ErrorCurve? = nil
  ) -> Calibration {
    Calibration(
      temperature: 1, notBuildings: notBuildings, unknownBuildings: unknownBuildings,
      wrongNames: wrongNames)
  }

  @Test("A model that nothing is known about promises nothing, and names all but backgrounds")
  func identity() {
    let point = OperatingPoint(.identity)
    #expect(point.maximumError == 0.05 && OperatingPoint.usualError == 0.05)
    #expect(point.leastShare == -.infinity && point.leastOdds == 0)
    #expect(
      point.shortfalls.map(\.kind) == [.buildings, .notBuildings])
    #expect(point.shortfalls.allSatisfy { $0.photos == 0 && $0.needed == 19 })
  }

  @Test("With enough photos both thresholds are the curves'")
  func enough() {
    let names = ErrorCurve(photos: 59, wrong: [0.9, 0.8, 0.7, 0.6])
    let others = ErrorCurve(photos: 39, wrong: (0..<39).map { 2 - Double($0) / 10 })
    let calibration = Self.calibration(notBuildings: others, wrongNames: names)
    let asked = OperatingPoint(calibration, maximumError: 0.05)
    #expect(asked.leastShare == 0.7.nextUp && asked.leastOdds == 1.9.nextUp)
    #expect(asked.shortfalls.isEmpty)
    // Unless asked for, the line against backgrounds stays where training put it.
    let usual = OperatingPoint(calibration)
    #expect(usual.leastShare == 0.7.nextUp && usual.leastOdds == 0)
    #expect(usual.maximumError == 0.05 && usual.shortfalls.isEmpty)
    let strict = OperatingPoint(calibration, maximumError: 0.03)
    #expect(strict.leastShare == 0.9.nextUp && strict.leastOdds == 2.0.nextUp)
    #expect(strict.maximumError == 0.03 && strict.shortfalls.isEmpty)
  }

  @Test("Where wrong answers were as sure as can be no answer is sure enough, and that is known")
  func nothing() {
    let certain = ErrorCurve(photos: 19, wrong: [0.999_999_9])
    let unknown = ErrorCurve(photos: 19, wrong: [2, 1])
    let silent = OperatingPoint(Self.calibration(unknownBuildings: unknown, wrongNames: certain))
    #expect(silent.namesNothing && silent.unknownNamed == 0)
    let sure = ErrorCurve(photos: 19, wrong: [0.999_99])
    #expect(!OperatingPoint(Self.calibration(wrongNames: sure)).namesNothing)
    let others = Self.calibration(notBuildings: ErrorCurve(photos: 19, wrong: [.infinity]))
    #expect(!OperatingPoint(others).namesNothing)
    #expect(OperatingPoint(others, maximumError: 0.05).namesNothing)
    #expect(!OperatingPoint(.identity).namesNothing)
  }

  @Test("Buildings that did not train count when an error is asked for, and are told otherwise")
  func unknownBuildings() {
    let others = ErrorCurve(photos: 39, wrong: [Double](repeating: -3, count: 39))
    let unknown = ErrorCurve(photos: 39, wrong: (0..<39).map { 2 - Double($0) / 10 })
    let calibration = Self.calibration(notBuildings: others, unknownBuildings: unknown)
    let usual = OperatingPoint(calibration)
    #expect(usual.leastOdds == 0)
    #expect(usual.unknownNamed == 21.0 / 39)
    let asked = OperatingPoint(calibration, maximumError: 0.05)
    #expect(asked.leastOdds == 1.9.nextUp)
    #expect(asked.unknownNamed == 1.0 / 39)
    #expect(OperatingPoint(.identity).unknownNamed == nil)
    let few = Self.calibration(unknownBuildings: ErrorCurve(photos: 3, wrong: [1, 2, 3]))
    let promised = OperatingPoint(few, maximumError: 0.05)
    #expect(promised.shortfalls.contains { $0.kind == .unknownBuildings && $0.photos == 3 })
    #expect(promised.leastOdds == 3.0.nextUp)
  }

  @Test("With too few only what is surer than every error seen is answered, and that is told")
  func tooFew() {
    let names = ErrorCurve(photos: 18, wrong: [0.9, 0.8])
    let others = ErrorCurve(photos: 39, wrong: [1])
    let calibration = Self.calibration(notBuildings: others, wrongNames: names)
    let usual = OperatingPoint(calibration)
    #expect(usual.leastShare == 0.9.nextUp && usual.leastOdds == 0)
    #expect(usual.shortfalls.map(\.kind) == [.buildings])
    #expect(usual.shortfalls.map(\.photos) == [18] && usual.shortfalls.map(\.needed) == [19])
    let strict = OperatingPoint(calibration, maximumError: 0.01)
    #expect(strict.shortfalls.map(\.kind) == [.buildings, .notBuildings])
    #expect(strict.shortfalls.map(\.photos) == [18, 39])
    #expect(strict.shortfalls.allSatisfy { $0.needed == 99 })
    #expect(strict.leastOdds == 1.0.nextUp)
  }

  @Test("A background more probable than every building is believed, whatever the curve says")
  func backgrounds() {
    let others = ErrorCurve(photos: 39, wrong: [Double](repeating: -3, count: 39))
    #expect(OperatingPoint(Self.calibration(notBuildings: others)).leastOdds == 0)
  }

  @Test("The promise holds when operating points and decisions are put together")
  func promise() {
    // Photos of no buildings, whose odds are normal around -1: named at most as often as promised.
    let labels = Labels(["_street", "hall"])
    var generator = SplitMix64(seed: 3)
    func odds() -> Double {
      (0..<12).reduce(-7.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
    var (named, asked) = (0, 0)
    for _ in 0..<400 {
      let curve = ErrorCurve(photos: 39, wrong: (0..<39).map { _ in odds() })
      let decision = Decision(
        labels: labels,
        point: OperatingPoint(Self.calibration(notBuildings: curve), maximumError: 0.05))
      for _ in 0..<50 {
        let logits = [0, Float(odds())]
        if decision.outcome(Softmax.probabilities(logits)).reason == .recognized { named += 1 }
        asked += 1
      }
    }
    let rate = Double(named) / Double(asked)
    #expect(rate > 0.04 && rate < 0.056, "\(rate)")
  }
}
