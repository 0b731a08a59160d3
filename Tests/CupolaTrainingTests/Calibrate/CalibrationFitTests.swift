import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Calibration fit")
struct CalibrationFitTests {
  private static let names = Labels(["_street", "chapel", "tower"])

  /// Logits of chapel and street photos with the given log odds; the logit of the street is 0.
  private static func logits(known: [Double], others: [Double]) -> (Matrix, [Int]) {
    let rows = known.map { [0, Float($0), -9] } + others.map { [0, -9, Float($0)] }
    return (
      Matrix(rows: rows.count, columns: 3, values: rows.flatMap(\.self)),
      known.map { _ in 1 } + others.map { _ in 0 }
    )
  }

  private static func fit(known: [Double], others: [Double]) -> CalibrationFit {
    let (logits, truth) = logits(known: known, others: others)
    return CalibrationFit(logits: logits, truth: truth, names: names)
  }

  private static func tenths(_ count: Int, from low: Double) -> [Double] {
    (0..<count).map { low + Double($0) / 10 }
  }

  @Test("The background threshold is closer to the buildings")
  func between() {
    // 2 of 40 may be named, so the threshold is above -1.2, the second highest. 5 of 100 may be rejected, so it is
    // below 3.5.
    let fit = Self.fit(known: Self.tenths(100, from: 3), others: Self.tenths(39, from: -4.9))
    #expect(abs(fit.completion.backgroundShift - (-1.2 + 0.6 * (3.5 + 1.2))) < 1e-4)
    // The score distributions do not overlap, so no building is rejected and no background is named.
    #expect(fit.calibration.falseRejectionRate == 0)
    let others = fit.calibration.notBuildings
    #expect(others?.photos == 39 && others?.scores.count == 39)
    #expect((others?.scores.first ?? 1) < 0)
    #expect(Thresholds(fit.calibration).leastOdds == 0)
  }

  @Test("The threshold lies midway if the scores overlap", arguments: [-2.0, 0, 2])
  func overlap(level: Double) throws {
    let known = Self.tenths(100, from: level - 3)
    let fit = Self.fit(known: known, others: Self.tenths(39, from: level - 2))
    // The threshold is between 1.7, the second highest background, and -2.5, the sixth lowest building.
    #expect(abs(Double(fit.completion.backgroundShift) - (level - 0.4)) < 1e-4)
    let refused = try #require(fit.calibration.falseRejectionRate)
    #expect(abs(refused - 0.26) < 0.011)
    #expect(Thresholds(fit.calibration).leastOdds == 0)
    // A requested guarantee is still met.
    let asked = Thresholds(fit.calibration, maximumError: 0.05)
    #expect(abs(asked.leastOdds * fit.calibration.temperature - 2.1) < 1e-3)
  }

  @Test("The threshold exceeds all backgrounds if there are too few")
  func tooFew() {
    let fit = Self.fit(known: Self.tenths(100, from: 3), others: [-4, 1, -2])
    #expect(abs(fit.completion.backgroundShift - (1 + 0.6 * 2.5)) < 1e-4)
    #expect(Thresholds(fit.calibration).shortfalls.map(\.photos) == [3])
  }

  @Test("Shifted backgrounds give the model the odds of the fit")
  func shifting() {
    let (logits, truth) = Self.logits(
      known: Self.tenths(100, from: 3), others: Self.tenths(39, from: -4.9))
    let fit = CalibrationFit(logits: logits, truth: truth, names: Self.names)
    let classifier = LinearClassifier(
      weights: Matrix(rows: 3, columns: 1, values: [1, 2, 3]), biases: [0.5, -1, 2])
    let shifted = fit.completion.completed(classifier)
    #expect(shifted.weights == classifier.weights)
    #expect(shifted.biases == [0.5 + fit.completion.backgroundShift, -1, 2])
    let odds = truth.indices.filter { truth[$0] == 0 }.compactMap { row in
      var values = Array(logits.values[logits.range(ofRow: row)])
      values[0] += fit.completion.backgroundShift
      return DecisionRule.odds(
        Softmax.probabilities(values, temperature: fit.calibration.temperature), Self.names)
    }
    #expect(fit.calibration.notBuildings == ErrorCurve(photos: 39, wrong: odds))
  }

  @Test("Drawn photos do not count toward error promises")
  func drawn() {
    let (known, others) = (Self.tenths(40, from: 3), Self.tenths(39, from: -4.9))
    let rows = (known + others).map { [0, 0, Float($0)] }
    // One third of the background photos are drawn images.
    let fit = CalibrationFit(
      logits: Matrix(rows: 79, columns: 3, values: rows.flatMap(\.self)),
      truth: known.map { _ in 2 } + others.indices.map { $0 % 3 == 0 ? 0 : 1 },
      names: Labels([DrawnPhotos.label, "_street", "chapel"]))
    #expect(fit.calibration.notBuildings?.photos == 26)
    #expect(fit.calibration.wrongNames?.photos == 40)
  }

  @Test("The unfamiliar level admits nearly all held-out photos")
  func unfamiliar() throws {
    let (logits, truth) = Self.logits(
      known: Self.tenths(100, from: 3), others: Self.tenths(39, from: -40))
    let unknown = Matrix(
      rows: 40, columns: 3, values: Self.tenths(40, from: 0).flatMap { [-20, Float($0), -9] })
    let fit = CalibrationFit(logits: logits, truth: truth, names: Self.names, unknown: unknown)
    #expect(fit.completion.names.names == ["_street", "chapel", "tower", Labels.unfamiliar])
    let level = try #require(fit.completion.unfamiliar)
    // 5 of 100 may be rejected, which are those below 3.5, because the street has almost no effect.
    #expect(abs(level - 3.5) < 1e-2)
    #expect(fit.calibration.falseRejectionRate == 0.05)
    let curve = try #require(fit.calibration.unknownBuildings)
    #expect(curve.photos == 40 && curve.scores.count == 40)
    // Of the logits 0, 0.1 ... 3.9, those of at least 3.5 are named.
    let named = try #require(Thresholds(fit.calibration).unknownNamed)
    #expect(abs(named - 5.0 / 40) < 0.03)
    // A rate that also covers unknown buildings costs names.
    let (usual, strict) = (fit.heldOut.known, fit.heldOut.strict[0])
    #expect(usual.photos == 100 && strict.photos == 100 && strict.namedRight < usual.namedRight)
    #expect(fit.completion.completed([0, 1, 2]).last == level)
    #expect(fit.probabilities([0, 9, 2], row: 0).count == 4)
  }

  @Test(
    "A folder named _unfamiliar prevents the unfamiliar label"
  )
  func noUnfamiliar() {
    let (logits, truth) = Self.logits(known: Self.tenths(100, from: 3), others: [])
    let unknown = Matrix(rows: 1, columns: 3, values: [0, 1, 0])
    let own = Labels([Labels.unfamiliar, "chapel", "tower"])
    let fit = CalibrationFit(logits: logits, truth: truth, names: own, unknown: unknown)
    #expect(fit.completion.names == own && fit.completion.unfamiliar == nil)
    #expect(Self.fit(known: Self.tenths(40, from: 3), others: []).completion.unfamiliar == nil)
  }

  @Test("One building allows a threshold but no promise")
  func oneBuilding() {
    let (logits, truth) = Self.logits(
      known: Self.tenths(100, from: 3), others: Self.tenths(39, from: -40))
    let fit = CalibrationFit(
      logits: logits, truth: truth, names: Self.names, unknown: Matrix(rows: 0, columns: 3))
    #expect(fit.calibration.unknownBuildings == nil)
    #expect(Thresholds(fit.calibration).unknownNamed == nil)
    #expect(fit.completion.unfamiliar != nil)
  }

  @Test("Without held-out buildings only the backgrounds count", arguments: [-4.9, 3])
  func onlyBackgrounds(low: Double) {
    let fit = Self.fit(known: [], others: Self.tenths(39, from: low))
    // The midpoint between the backgrounds' threshold and equal probability.
    #expect(abs(Double(fit.completion.backgroundShift) - (low + 3.7) / 2) < 1e-4)
    #expect(fit.calibration.temperature == 1 && fit.calibration.wrongNames == nil)
    #expect(fit.calibration.falseRejectionRate == nil)
    #expect(fit.calibration.notBuildings?.photos == 39)
  }

  @Test("Without held-out backgrounds their logits are not shifted")
  func onlyBuildings() {
    let fit = Self.fit(known: Self.tenths(100, from: -1), others: [])
    #expect(fit.completion.backgroundShift == 0 && fit.calibration.notBuildings == nil)
    #expect(fit.calibration.wrongNames?.photos == 100)
    #expect(fit.calibration.falseRejectionRate == 0.1)
  }

  @Test("Without backgrounds only the share rejects")
  func noBackgrounds() {
    let names = Labels(["chapel", "tower"])
    let logits = Matrix(rows: 40, columns: 2, values: (0..<80).map { $0 % 2 == 0 ? 3 : 0 })
    let truth = (0..<40).map { $0 < 4 ? 1 : 0 }
    let fit = CalibrationFit(logits: logits, truth: truth, names: names)
    #expect(fit.completion.backgroundShift == 0 && fit.calibration.notBuildings == nil)
    #expect(fit.calibration.wrongNames?.photos == 40)
    #expect(fit.calibration.wrongNames?.scores.count == 4)
    // All photos have the same probability as the wrong names, so every answer is unsure.
    #expect(fit.calibration.falseRejectionRate == 0)
    #expect(fit.heldOut.known.unsure == 40 && fit.heldOut.belowShare == (40, 36))
    let point = Thresholds(fit.calibration)
    #expect(point.shortfalls.map(\.kind) == [.notBuildings])
    // Nine of ten are right, in accordance with the probabilities.
    #expect(abs(point.leastShare - 0.9) < 1e-3)
  }

  @Test("Wrong names are scored by their share at the temperature")
  func wrongNames() throws {
    var generator = SplitMix64(seed: 21)
    let truth = (0..<300).map { $0 % 3 }
    var logits = generator.matrix(300, 3)
    for (row, label) in truth.enumerated() { logits[row, label] += 1.5 }
    let fit = CalibrationFit(logits: logits, truth: truth, names: Self.names)
    var shifted = logits
    for row in 0..<300 { shifted[row, 0] += fit.completion.backgroundShift }
    let temperature = TemperatureScaling.temperature(logits: shifted, labels: truth)
    #expect(fit.calibration.temperature == temperature)
    var (wrong, refused) = ([Double](), 0)
    let point = Thresholds(fit.calibration)
    for row in 0..<300 where truth[row] > 0 {
      let p = Softmax.probabilities(
        Array(shifted.values[shifted.range(ofRow: row)]), temperature: temperature)
      let best = p[1] >= p[2] ? 1 : 2
      if best != truth[row] { wrong.append(p[best] / (p[1] + p[2])) }
      if DecisionRule(labels: Self.names, point: point).outcome(p).reason.verdict
        == .notACampusBuilding
      {
        refused += 1
      }
    }
    #expect(wrong.count > 10)
    #expect(fit.calibration.wrongNames == ErrorCurve(photos: 200, wrong: wrong))
    #expect(fit.calibration.falseRejectionRate == Double(refused) / 200)
    #expect(fit.heldOut.known.photos == 200 && fit.heldOut.known.rejected == refused)
    #expect(point.shortfalls.isEmpty && point.leastShare > 0.5)
  }

  @Test("The error rate is an average over sessions, so more photos than that can get a wrong name")
  func sessions() {
    // All photos of the largest session are wrong. It is 1 of 40 sessions, but has 11 of 50 photos.
    let sessions = (0..<50).map { min($0, 39) }
    let logits = Matrix(rows: 50, columns: 2, values: (0..<100).map { $0 % 2 == 0 ? 3 : 0 })
    let fit = CalibrationFit(
      logits: logits, truth: sessions.map { $0 == 39 ? 1 : 0 }, names: Labels(["chapel", "tower"]),
      sessions: sessions)
    #expect(Thresholds(fit.calibration).shortfalls.map(\.kind) == [.notBuildings])
    #expect(fit.heldOut.known.namedWrong == 11 && fit.heldOut.known.namedRight == 39)
  }

  @Test("Nested calibration excludes the photos of each fold")
  func nested() throws {
    var generator = SplitMix64(seed: 22)
    let truth = (0..<300).map { $0 % 3 }
    let folds = truth.indices.map { $0 / 100 }
    var logits = generator.matrix(300, 3)
    for (row, label) in truth.enumerated() { logits[row, label] += Float(1 + folds[row]) }
    let fit = CalibrationFit(
      logits: logits, truth: truth, names: Self.names,
      nested: CalibrationFit.Nested(logits: logits, folds: folds))
    let plain = CalibrationFit(logits: logits, truth: truth, names: Self.names)
    #expect(fit.completion == plain.completion)
    #expect(fit.calibration.temperature == plain.calibration.temperature)
    var wrong: [Double] = []
    for fold in 0..<3 {
      let others = truth.indices.filter { folds[$0] != fold }
      let own = CalibrationFit(
        logits: logits.selecting(rows: others), truth: others.map { truth[$0] }, names: Self.names)
      for row in truth.indices where folds[row] == fold && truth[row] > 0 {
        let p = own.probabilities(logits.row(row), row: row)
        let best = p[1] >= p[2] ? 1 : 2
        if best != truth[row] { wrong.append(p[best] / (p[1] + p[2])) }
      }
    }
    #expect(fit.calibration.wrongNames == ErrorCurve(photos: 200, wrong: wrong))
    #expect(fit.calibration.wrongNames != plain.calibration.wrongNames)
  }

  @Test("Photos that are each their own session are calibrated as without sessions")
  func ownSessions() {
    var generator = SplitMix64(seed: 23)
    let truth = (0..<90).map { $0 % 3 }
    var logits = generator.matrix(90, 3)
    for (row, label) in truth.enumerated() { logits[row, label] += 1 }
    let unknown = generator.matrix(40, 3)
    let own = CalibrationFit(
      logits: logits, truth: truth, names: Self.names,
      sessions: generator.shuffled(truth.indices), unknown: unknown,
      unknownSessions: generator.shuffled(0..<40))
    let plain = CalibrationFit(logits: logits, truth: truth, names: Self.names, unknown: unknown)
    #expect(own.calibration == plain.calibration && own.completion == plain.completion)
    let bursts = CalibrationFit(
      logits: logits, truth: truth, names: Self.names, sessions: truth.indices.map { $0 / 6 },
      unknown: unknown, unknownSessions: (0..<40).map { $0 / 8 })
    #expect(bursts.calibration.wrongNames?.photos == 60)
    #expect(bursts.calibration.wrongNames?.sessions == 15)
    #expect(bursts.calibration.notBuildings?.sessions == 15)
    #expect(bursts.calibration.unknownBuildings?.sessions == 5)
    // Sessions change only the thresholds of promises.
    #expect(bursts.calibration.temperature == plain.calibration.temperature)
    #expect(bursts.completion == plain.completion)
  }

  @Test("Several backgrounds are shifted and counted together")
  func severalBackgrounds() {
    let names = Labels(["_sky", "_street", "chapel"])
    let (known, others) = (Self.tenths(40, from: 3), Self.tenths(39, from: -4.9))
    let rows = (known + others).map { [0, 0, Float($0)] }
    let fit = CalibrationFit(
      logits: Matrix(rows: 79, columns: 3, values: rows.flatMap(\.self)),
      truth: known.map { _ in 2 } + others.indices.map { $0 % 2 }, names: names)
    // Both together are e^0 + e^0, at the temperature.
    let both = 0.693_147 * fit.calibration.temperature
    let line = -1.2 + 0.6 * (3.2 + 1.2) - both
    #expect(abs(Double(fit.completion.backgroundShift) - line) < 1e-3)
    let classifier = LinearClassifier(
      weights: Matrix(rows: 3, columns: 1), biases: [1, 2, 3])
    #expect(
      FitCompletion(trained: names, backgroundShift: 0.5).completed(classifier).biases
        == [1.5, 2.5, 3])
  }
}

@Suite("Held-out buildings")
struct LeaveBuildingsOutTests {
  private static let settings = ClassifierSettings(whitening: nil, regularization: 10)

  private static func material(
    _ labels: [String], photos: Int
  ) -> (SettingsSearch.Input, Coordinates, Matrix) {
    var generator = SplitMix64(seed: 3)
    let names = Labels(labels)
    let targets = (0..<photos).map { $0 % labels.count }
    var examples = generator.matrix(2 * photos, labels.count + 1)
    for (row, _) in (0..<2 * photos).enumerated() { examples[row, targets[row / 2]] += 6 }
    var folding = SplitMix64(seed: 0)
    let problem = SettingsSearch.Input(
      features: Recipe.hog.features, views: PhotoViews(counts: targets.map { _ in 2 }, testView: 1),
      labels: targets,
      names: names,
      folds: Folds(
        labels: targets, groups: Array(0..<photos), maximum: 5, using: &folding), threads: 2)
    return (problem, Coordinates(examples), examples)
  }

  @Test("Logits match a fit without the photo's building")
  func byHand() async throws {
    let (problem, coordinates, examples) = Self.material(["_sky", "a", "b", "c"], photos: 24)
    var generator = SplitMix64(seed: 7)
    let left = await LeaveBuildingsOut(problem, coordinates, Self.settings, using: &generator)
    #expect(left.logits.rows == 18)
    let absent = (0..<18).map { row in
      problem.names.buildings.filter { left.logits[row, $0] < -1e8 }
    }
    #expect(absent.allSatisfy { $0.count == 1 })
    for building in problem.names.buildings {
      let training = problem.labels.indices.filter { problem.labels[$0] != building }
      let fit = SoftmaxRegression.fits(
        [Self.settings], examples.selecting(rows: training.flatMap { [2 * $0, 2 * $0 + 1] }),
        labels: training.flatMap { photo in
          let label = problem.labels[photo]
          return [Int](repeating: label < building ? label : label - 1, count: 2)
        },
        names: Labels(problem.names.names.filter { $0 != problem.names.names[building] })
      )[0].classifier
      let asked = problem.labels.indices.filter { problem.labels[$0] == building }
      let wanted = fit.logits(ofRows: examples.selecting(rows: asked.map { 2 * $0 + 1 }))
      let rows = absent.indices.filter { absent[$0] == [building] }
      #expect(rows.count == asked.count)
      for (row, own) in zip(rows, 0..<wanted.rows) {
        for label in problem.names.names.indices where label != building {
          #expect(
            abs(left.logits[row, label] - wanted[own, label < building ? label : label - 1])
              < 1e-4)
        }
      }
    }
  }

  @Test("Many buildings are held out in groups, leaving two labels")
  func several() async {
    let (problem, coordinates, _) = Self.material((1...12).map { "b\($0)" }, photos: 36)
    var generator = SplitMix64(seed: 7)
    let left = await LeaveBuildingsOut(problem, coordinates, Self.settings, using: &generator)
    #expect(left.logits.rows == 36)
    #expect(
      (0..<36).allSatisfy { row in
        (2...3).contains(problem.names.buildings.count { left.logits[row, $0] < -1e8 })
      })
    let (pair, few, _) = Self.material(["a", "b"], photos: 8)
    let none = await LeaveBuildingsOut(pair, few, Self.settings, using: &generator)
    #expect(none.logits.rows == 0)
  }

  @Test("The only building is never held out")
  func onlyBuilding() async {
    let (problem, coordinates, _) = Self.material(["_sky", "_street", "a"], photos: 24)
    var generator = SplitMix64(seed: 7)
    let left = await LeaveBuildingsOut(problem, coordinates, Self.settings, using: &generator)
    #expect(left.logits.rows == 0)
  }
}

@Suite("Novelty rule") struct NoveltyRuleTests {
  private static func scores(_ center: Double, _ spread: Double) -> [Double] {
    (0..<100).map { center + spread * (Double($0) / 99 - 0.5) }
  }

  private static func threshold(_ rule: NoveltyRule) -> Double { -rule.intercept / rule.slope }

  @Test("The threshold lies between known and unknown photos")
  func between() throws {
    let rule = try #require(
      NoveltyRule(
        known: Self.scores(0.1, 0.04), unknown: Self.scores(0.02, 0.04), unknownVisits: 1.0 / 3))
    #expect((0.04...0.06).contains(Self.threshold(rule)))
    #expect(rule.logOdds(0.12) > 1 && rule.logOdds(0.01) < -1)
  }

  @Test("More unknown visits raise the threshold")
  func visits() throws {
    let thresholds = try [0.05, 1.0 / 3, 0.8].map { visits in
      Self.threshold(
        try #require(
          NoveltyRule(
            known: Self.scores(0.1, 0.07), unknown: Self.scores(0.04, 0.07), unknownVisits: visits))
      )
    }
    #expect(thresholds[0] <= thresholds[1] && thresholds[1] <= thresholds[2])
    #expect(thresholds[0] < thresholds[2])
  }

  @Test("The threshold rejects few known photos, and is never below 0.04")
  func limits() throws {
    let overlapping = try #require(
      NoveltyRule(
        known: Self.scores(0.08, 0.06), unknown: Self.scores(0.12, 0.06), unknownVisits: 0.9))
    let rejected = Self.scores(0.08, 0.06).count { overlapping.logOdds($0) < 0 }
    #expect(rejected <= 6)
    let low = try #require(
      NoveltyRule(known: Self.scores(-0.5, 0.2), unknown: Self.scores(-1, 0.2), unknownVisits: 0.3))
    #expect(abs(Self.threshold(low) - 0.04) < 1e-9)
    let alone = try #require(
      NoveltyRule(known: Self.scores(0.5, 0.2), unknown: [], unknownVisits: 0.3))
    #expect(abs(Self.threshold(alone) - 0.07) < 1e-9)
    #expect(NoveltyRule(known: [], unknown: [0], unknownVisits: 0.3) == nil)
  }
}
