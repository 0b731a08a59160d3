import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Calibration") struct CalibrationTests {
  @Test("A calibration survives a JSON round trip")
  func coding() throws {
    let calibration = Calibration(
      temperature: 1.5, notBuildings: ErrorCurve(photos: 40, wrong: [-0.5, 0.123_456]),
      wrongNames: ErrorCurve(photos: 60, wrong: [0.4]), falseRejectionRate: 0.05)
    #expect(try throughJSON(calibration) == calibration)
    #expect(
      try jsonText(calibration) == """
        {"false_rejection_rate":0.05,"not_buildings":{"photos":40,"scores":[0.123456,-0.5]},\
        "temperature":1.5,"wrong_names":{"photos":60,"scores":[0.4]}}
        """)
  }

  @Test("JSON omits unknown values")
  func identity() throws {
    #expect(try jsonText(Calibration.identity) == #"{"temperature":1}"#)
    #expect(try throughJSON(Calibration.identity) == .identity)
  }
}

@Suite("Error curve") struct ErrorCurveTests {
  /// The scores of wrong answers, where each photo is wrong with a given probability.
  private static func wrong(
    _ photos: Int, _ probability: Double, _ generator: inout SplitMix64
  ) -> [Double] {
    let all = (0..<photos).map { _ in Double.random(in: 0..<1, using: &generator) }
    return all.filter { _ in Double.random(in: 0..<1, using: &generator) < probability }
  }

  @Test(
    "Over many draws the mean error rate matches the promised rate",
    arguments: [(19, 0.05), (40, 0.05), (99, 0.05), (60, 0.2), (99, 0.01), (9, 0.1)])
  func promise(photos: Int, error: Double) throws {
    var generator = SplitMix64(seed: UInt64(photos))
    for probability in [0.6, 1] {
      let draws = 4000
      var (mean, square) = (0.0, 0.0)
      for _ in 0..<draws {
        let curve = ErrorCurve(
          photos: photos, wrong: Self.wrong(photos, probability, &generator))
        let threshold = try #require(curve.threshold(error: error))
        // The next photo is wrong with this probability; its score is uniform in 0..<1.
        let given = probability * (1 - min(max(threshold, 0), 1))
        mean += given / Double(draws)
        square += given * given / Double(draws)
      }
      let noise = 4 * ((square - mean * mean) / Double(draws)).squareRoot() + 1e-6
      #expect(mean <= error + noise, "\(mean)")
      // The resolution that this number of photos allows.
      let steps = (error * Double(photos + 1) + 1e-9).rounded(.down)
      #expect(mean >= steps / Double(photos + 1) - noise, "\(mean)")
    }
  }

  @Test("The threshold is the lowest that keeps the promised error")
  func allowance() throws {
    var generator = SplitMix64(seed: 5)
    for photos in [1, 7, 19, 20, 39, 100, 333] {
      for error in [0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.9] {
        let curve = ErrorCurve(photos: photos, wrong: Self.wrong(photos, 0.7, &generator))
        guard let threshold = curve.threshold(error: error) else {
          #expect(Double(photos) + 1 < 1 / error)
          continue
        }
        func risk(_ threshold: Double) -> Double {
          Double(curve.scores.count { $0 >= threshold } + 1) / Double(photos + 1)
        }
        #expect(risk(threshold) <= error + 1e-9)
        if threshold > -.infinity { #expect(risk(threshold.nextDown) > error) }
      }
    }
  }

  @Test("A lower error never lowers the threshold")
  func monotone() {
    var generator = SplitMix64(seed: 6)
    let curve = ErrorCurve(photos: 200, wrong: Self.wrong(200, 0.5, &generator))
    let thresholds = (1..<100).compactMap { curve.threshold(error: Double($0) / 100) }
    #expect(thresholds.count == 99 && thresholds == thresholds.sorted(by: >))
    #expect(curve.strictest >= thresholds[0] && curve.strictest == curve.scores[0].nextUp)
  }

  @Test("The required session count is the smallest that allows a promise")
  func sessionsNeeded() {
    #expect(ErrorCurve.sessionsNeeded(error: 0.05) == 19)
    #expect(ErrorCurve.sessionsNeeded(error: 0.01) == 99)
    #expect(ErrorCurve.sessionsNeeded(error: 0.02) == 49)
    #expect(ErrorCurve.sessionsNeeded(error: 0.5) == 1)
    for error in [0.001, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.3, 0.33, 0.6, 0.9, 0.999] {
      let needed = ErrorCurve.sessionsNeeded(error: error)
      #expect(ErrorCurve(photos: needed, wrong: []).threshold(error: error) == -.infinity)
      #expect(ErrorCurve(photos: needed - 1, wrong: []).threshold(error: error) == nil)
    }
  }

  @Test(
    "Extremely small errors do not overflow the session count",
    arguments: [1e-15, 1e-30, 1e-300, 1e-307])
  func smallErrors(error: Double) {
    #expect(ErrorCurve.sessionsNeeded(error: error) > 1_000_000)
    #expect(ErrorCurve(photos: 100, wrong: [0.5]).threshold(error: error) == nil)
    let huge = ErrorCurve(photos: .max, wrong: [0.5])
    #expect(huge.threshold(error: 1.0.nextDown) == -.infinity)
  }

  @Test("Without errors every score passes")
  func noErrors() {
    let curve = ErrorCurve(photos: 19, wrong: [])
    #expect(curve.threshold(error: 0.05) == -.infinity && curve.strictest == -.infinity)
    #expect(ErrorCurve(photos: 0, wrong: []).threshold(error: 0.5) == nil)
  }

  @Test("Photos that are each their own session give the same curve as their count")
  func ownSessions() throws {
    var generator = SplitMix64(seed: 8)
    for photos in [1, 19, 60, 700] {
      let wrong = (0..<photos).map { _ in
        Double.random(in: 0..<1, using: &generator) < 0.8
          ? Double.random(in: 0..<1, using: &generator) : nil
      }
      let curve = ErrorCurve(wrong: wrong, sessions: generator.shuffled(0..<photos))
      #expect(curve == ErrorCurve(photos: photos, wrong: wrong.compactMap(\.self)))
      #expect(try !jsonText(curve).contains("session"))
    }
  }

  @Test("A session counts once, by the fraction of its wrong photos")
  func sessions() throws {
    // 20 sessions of five photos; the photos of two sessions are wrong.
    let scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.4, 0.4]
    let wrong = (0..<100).map { $0 < scores.count ? scores[$0] : nil }
    let curve = ErrorCurve(wrong: wrong, sessions: (0..<100).map { $0 / 5 })
    #expect(curve.photos == 100 && curve.sessions == 20 && curve.scores.count == 8)
    #expect(curve.sessionPhotos == [Int](repeating: 5, count: 8))
    #expect(try throughJSON(curve) == curve)
    // 0.05 * 21 - 1 = 0.05 of a session may be wrong, which is less than one photo.
    #expect(curve.threshold(error: 0.05) == 0.9.nextUp)
    // 0.1 * 21 - 1 = 1.1 sessions: the whole first session, and no photo of the second one.
    #expect(curve.threshold(error: 0.1) == 0.4.nextUp)
    #expect(curve.threshold(error: 0.2) == -.infinity)
    // As single photos, they would allow one wrong session of twenty.
    let photos = ErrorCurve(photos: 100, wrong: wrong.compactMap(\.self))
    #expect(photos.threshold(error: 0.05) == 0.5.nextUp)
    let burst = ErrorCurve(
      wrong: [Double?](repeating: nil, count: 19), sessions: (0..<19).map { $0 / 5 })
    #expect(burst.threshold(error: 0.05) == nil && burst.threshold(error: 0.2) == -.infinity)
    let thresholds = Thresholds(Calibration(temperature: 1, wrongNames: burst))
    #expect(
      thresholds.shortfalls.first
        == Thresholds.Shortfall(kind: .buildings, photos: 19, sessions: 4, needed: 19))
  }

  @Test("Equal scores are rejected together")
  func ties() throws {
    // Two of 59 may be wrong; three scores are equal.
    let curve = ErrorCurve(photos: 59, wrong: [0.2, 0.8, 0.8, 0.9, 0.8])
    #expect(curve.threshold(error: 0.05) == 0.8.nextUp)
    #expect(curve.threshold(error: 0.02) == 0.9.nextUp)
    #expect(curve.threshold(error: 0.09) == 0.2.nextUp)
  }

  @Test("Scores are sorted, clamped and rounded up to a millionth")
  func rounding() {
    let curve = ErrorCurve(photos: 9, wrong: [0.123_456_1, .infinity, -0.5, -.infinity, 1, 0])
    #expect(curve.scores == [700, 1, 0.123_457, 0, -0.5, -700] && curve.photos == 9)
    var generator = SplitMix64(seed: 7)
    let scores = (0..<100).map { _ in Double.random(in: -9...9, using: &generator) }
    for (kept, score) in zip(ErrorCurve(photos: 100, wrong: scores).scores, scores.sorted(by: >)) {
      #expect(kept >= score && kept < score + 1.1e-6)
    }
  }

  @Test("Only the 512 highest scores are kept, and the promise still holds")
  func truncation() throws {
    let scores = (0..<2000).map { Double($0) / 2000 }
    let curve = ErrorCurve(photos: 2000, wrong: scores)
    #expect(curve.scores.count == 512 && curve.photos == 2000)
    #expect(curve.scores == Array(scores.sorted(by: >).prefix(512)))
    // The cut has no effect where enough scores remain.
    #expect(curve.threshold(error: 0.05) == scores[1900].nextUp)
    // The threshold is conservative where a discarded score would be needed.
    #expect(curve.threshold(error: 0.5) == scores[1488].nextUp)
    #expect(
      ErrorCurve(photos: 2000, wrong: Array(scores[..<511])).threshold(error: 0.5) == -.infinity)
  }

  @Test("An error curve survives a JSON round trip exactly")
  func coding() throws {
    var generator = SplitMix64(seed: 8)
    let curve = ErrorCurve(photos: 300, wrong: Self.wrong(300, 0.5, &generator))
    #expect(try throughJSON(curve) == curve)
    #expect(
      try jsonText(ErrorCurve(photos: 3, wrong: [0.25, -1.5]))
        == #"{"photos":3,"scores":[0.25,-1.5]}"#)
  }
}

@Suite("Thresholds") struct ThresholdsTests {
  private static func calibration(
    notBuildings: ErrorCurve? = nil, unknownBuildings: ErrorCurve? = nil,
    wrongNames: ErrorCurve? = nil
  ) -> Calibration {
    Calibration(
      temperature: 1, notBuildings: notBuildings, unknownBuildings: unknownBuildings,
      wrongNames: wrongNames)
  }

  @Test("Without calibration, no error is promised and buildings are named")
  func identity() {
    let point = Thresholds(.identity)
    #expect(point.maximumError == 0.05 && Thresholds.defaultError == 0.05)
    #expect(point.leastShare == -.infinity && point.leastOdds == 0)
    #expect(
      point.shortfalls.map(\.kind) == [.buildings, .notBuildings])
    #expect(point.shortfalls.allSatisfy { $0.photos == 0 && $0.needed == 19 })
  }

  @Test("With enough photos both thresholds come from the curves")
  func enough() {
    let names = ErrorCurve(photos: 59, wrong: [0.9, 0.8, 0.7, 0.6])
    let others = ErrorCurve(photos: 39, wrong: (0..<39).map { 2 - Double($0) / 10 })
    let calibration = Self.calibration(notBuildings: others, wrongNames: names)
    let asked = Thresholds(calibration, maximumError: 0.05)
    #expect(asked.leastShare == 0.7.nextUp && asked.leastOdds == 1.9.nextUp)
    #expect(asked.shortfalls.isEmpty)
    // Unless asked for, the line against backgrounds stays where training put it.
    let usual = Thresholds(calibration)
    #expect(usual.leastShare == 0.7.nextUp && usual.leastOdds == 0)
    #expect(usual.maximumError == 0.05 && usual.shortfalls.isEmpty)
    let strict = Thresholds(calibration, maximumError: 0.03)
    #expect(strict.leastShare == 0.9.nextUp && strict.leastOdds == 2.0.nextUp)
    #expect(strict.maximumError == 0.03 && strict.shortfalls.isEmpty)
  }

  @Test("A model names nothing if wrong answers had the highest scores")
  func impossibleThreshold() {
    let certain = ErrorCurve(photos: 19, wrong: [0.999_999_9])
    let unknown = ErrorCurve(photos: 19, wrong: [2, 1])
    let silent = Thresholds(Self.calibration(unknownBuildings: unknown, wrongNames: certain))
    #expect(silent.namesNothing && silent.unknownNamed == 0)
    let sure = ErrorCurve(photos: 19, wrong: [0.999_99])
    #expect(!Thresholds(Self.calibration(wrongNames: sure)).namesNothing)
    let others = Self.calibration(notBuildings: ErrorCurve(photos: 19, wrong: [.infinity]))
    #expect(!Thresholds(others).namesNothing)
    #expect(Thresholds(others, maximumError: 0.05).namesNothing)
    #expect(!Thresholds(.identity).namesNothing)
  }

  @Test("Unknown buildings set the threshold only if an error is requested")
  func unknownBuildings() {
    let others = ErrorCurve(photos: 39, wrong: [Double](repeating: -3, count: 39))
    let unknown = ErrorCurve(photos: 39, wrong: (0..<39).map { 2 - Double($0) / 10 })
    let calibration = Self.calibration(notBuildings: others, unknownBuildings: unknown)
    let usual = Thresholds(calibration)
    #expect(usual.leastOdds == 0)
    #expect(usual.unknownNamed == 21.0 / 39)
    let asked = Thresholds(calibration, maximumError: 0.05)
    #expect(asked.leastOdds == 1.9.nextUp)
    #expect(asked.unknownNamed == 1.0 / 39)
    #expect(Thresholds(.identity).unknownNamed == nil)
    let few = Self.calibration(unknownBuildings: ErrorCurve(photos: 3, wrong: [1, 2, 3]))
    let promised = Thresholds(few, maximumError: 0.05)
    #expect(promised.shortfalls.contains { $0.kind == .unknownBuildings && $0.photos == 3 })
    #expect(promised.leastOdds == 3.0.nextUp)
  }

  @Test("With too few photos the threshold exceeds all errors")
  func tooFew() {
    let names = ErrorCurve(photos: 18, wrong: [0.9, 0.8])
    let others = ErrorCurve(photos: 39, wrong: [1])
    let calibration = Self.calibration(notBuildings: others, wrongNames: names)
    let usual = Thresholds(calibration)
    #expect(usual.leastShare == 0.9.nextUp && usual.leastOdds == 0)
    #expect(usual.shortfalls.map(\.kind) == [.buildings])
    #expect(usual.shortfalls.map(\.photos) == [18] && usual.shortfalls.map(\.needed) == [19])
    let strict = Thresholds(calibration, maximumError: 0.01)
    #expect(strict.shortfalls.map(\.kind) == [.buildings, .notBuildings])
    #expect(strict.shortfalls.map(\.photos) == [18, 39])
    #expect(strict.shortfalls.allSatisfy { $0.needed == 99 })
    #expect(strict.leastOdds == 1.0.nextUp)
  }

  @Test("The most probable background wins even if the curve is lower")
  func backgrounds() {
    let others = ErrorCurve(photos: 39, wrong: [Double](repeating: -3, count: 39))
    #expect(Thresholds(Self.calibration(notBuildings: others)).leastOdds == 0)
  }

  @Test("Decisions at an operating point keep the promised error rate")
  func promise() {
    // Non-building photos, whose odds are normally distributed around -1.
    let labels = Labels(["_street", "hall"])
    var generator = SplitMix64(seed: 3)
    func odds() -> Double {
      (0..<12).reduce(-7.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
    var (named, asked) = (0, 0)
    for _ in 0..<400 {
      let curve = ErrorCurve(photos: 39, wrong: (0..<39).map { _ in odds() })
      let decision = DecisionRule(
        labels: labels,
        point: Thresholds(Self.calibration(notBuildings: curve), maximumError: 0.05))
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
