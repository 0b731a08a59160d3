import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Calibration fit")
struct CalibrationFitTests {
  private static let names = Labels(["_street", "chapel", "tower"])

  /// Photos of the chapel and of the street with some odds, as logits: the street has 0.
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

  /// The numbers from `low` up in steps of a tenth.
  private static func tenths(_ count: Int, from low: Double) -> [Double] {
    (0..<count).map { low + Double($0) / 10 }
  }

  // MARK: - The line between buildings and the rest

  @Test("the line is nearer to what lets in the buildings than to what keeps out the rest")
  func between() {
    // Two of 40 may be named: above the second highest, -1.2. Five of 100 may be refused: below 3.5.
    let fit = Self.fit(known: Self.tenths(100, from: 3), others: Self.tenths(39, from: -4.9))
    #expect(abs(fit.completion.backgroundShift - (-1.2 + 0.6 * (3.5 + 1.2))) < 1e-4)
    // There is room on both sides, so that nobody is refused and none of the rest named.
    #expect(fit.calibration.falseRejectionRate == 0)
    let others = fit.calibration.notBuildings
    #expect(others?.photos == 39 && others?.scores.count == 39)
    #expect((others?.scores.first ?? 1) < 0)
    #expect(OperatingPoint(fit.calibration).leastOdds == 0)
  }

  @Test("where they overlap, the line lies halfway", arguments: [-2.0, 0, 2])
  func overlap(level: Double) throws {
    let known = Self.tenths(100, from: level - 3)
    let fit = Self.fit(known: known, others: Self.tenths(39, from: level - 2))
    // Between the second highest of the others, +1.7, and the sixth lowest of the buildings, -2.5.
    #expect(abs(Double(fit.completion.backgroundShift) - (level - 0.4)) < 1e-4)
    // Those below it, or at it but for rounding.
    let refused = try #require(fit.calibration.falseRejectionRate)
    #expect(abs(refused - 0.26) < 0.011)
    #expect(OperatingPoint(fit.calibration).leastOdds == 0)
    // A promise that is asked for is kept all the same.
    let asked = OperatingPoint(fit.calibration, maximumError: 0.05)
    #expect(abs(asked.leastOdds * fit.calibration.temperature - 2.1) < 1e-3)
  }

  @Test("with too few photos of the rest the line is above all of them")
  func tooFew() {
    let fit = Self.fit(known: Self.tenths(100, from: 3), others: [-4, 1, -2])
    #expect(abs(fit.completion.backgroundShift - (1 + 0.6 * 2.5)) < 1e-4)
    #expect(OperatingPoint(fit.calibration).shortfalls.map(\.photos) == [3])
  }

  @Test("shifted backgrounds make the model's own odds those of the fit")
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
      return Decision.odds(
        Softmax.probabilities(values, temperature: fit.calibration.temperature), Self.names)
    }
    #expect(fit.calibration.notBuildings == ErrorCurve(photos: 39, wrong: odds))
  }

  @Test("what is promised of photos of no buildings does not rest on drawn pictures")
  func drawn() {
    let (known, others) = (Self.tenths(40, from: 3), Self.tenths(39, from: -4.9))
    let rows = (known + others).map { [0, 0, Float($0)] }
    // A third of the others are drawn.
    let fit = CalibrationFit(
      logits: Matrix(rows: 79, columns: 3, values: rows.flatMap(\.self)),
      truth: known.map { _ in 2 } + others.indices.map { $0 % 3 == 0 ? 0 : 1 },
      names: Labels([DrawnPhotos.label, "_street", "chapel"]))
    #expect(fit.calibration.notBuildings?.photos == 26)
    #expect(fit.calibration.wrongNames?.photos == 40)
  }

  // MARK: - Buildings that did not train

  @Test("the best building must be as much like itself as nearly all held-out photos are")
  func unfamiliar() throws {
    let (logits, truth) = Self.logits(
      known: Self.tenths(100, from: 3), others: Self.tenths(39, from: -40))
    let unknown = Matrix(
      rows: 40, columns: 3, values: Self.tenths(40, from: 0).flatMap { [-20, Float($0), -9] })
    let fit = CalibrationFit(logits: logits, truth: truth, names: Self.names, unknown: unknown)
    #expect(fit.completion.names.names == ["_street", "chapel", "tower", Labels.unfamiliar])
    let level = try #require(fit.completion.unfamiliar)
    // Five of 100 may be refused, and with hardly any street in them they are those below 3.5.
    #expect(abs(level - 3.5) < 1e-2)
    #expect(fit.calibration.falseRejectionRate == 0.05)
    let curve = try #require(fit.calibration.unknownBuildings)
    #expect(curve.photos == 40 && curve.scores.count == 40)
    // Of 0, 0.1 ... 3.9 those from 3.5 on are named.
    let named = try #require(OperatingPoint(fit.calibration).unknownNamed)
    #expect(abs(named - 5.0 / 40) < 0.03)
    #expect(fit.completion.completed([0, 1, 2]).last == level)
    #expect(fit.probabilities([0, 9, 2]).count == 4)
  }

  @Test(
    "a folder of that name is left to its owner, and without left-out photos there is no such label"
  )
  func noUnfamiliar() {
    let (logits, truth) = Self.logits(known: Self.tenths(100, from: 3), others: [])
    let unknown = Matrix(rows: 1, columns: 3, values: [0, 1, 0])
    let own = Labels([Labels.unfamiliar, "chapel", "tower"])
    let fit = CalibrationFit(logits: logits, truth: truth, names: own, unknown: unknown)
    #expect(fit.completion.names == own && fit.completion.unfamiliar == nil)
    #expect(Self.fit(known: Self.tenths(40, from: 3), others: []).completion.unfamiliar == nil)
  }

  @Test("of one building nothing is promised about others, but there is a line against them")
  func oneBuilding() {
    let (logits, truth) = Self.logits(
      known: Self.tenths(100, from: 3), others: Self.tenths(39, from: -40))
    let fit = CalibrationFit(
      logits: logits, truth: truth, names: Self.names, unknown: Matrix(rows: 0, columns: 3))
    #expect(fit.calibration.unknownBuildings == nil)
    #expect(OperatingPoint(fit.calibration).unknownNamed == nil)
    #expect(fit.completion.unfamiliar != nil)
  }

  // MARK: - What cannot be held out

  @Test("without held-out buildings only the rest is known", arguments: [-4.9, 3])
  func onlyBackgrounds(low: Double) {
    let fit = Self.fit(known: [], others: Self.tenths(39, from: low))
    // Halfway between what keeps out the rest and where both are as probable.
    #expect(abs(Double(fit.completion.backgroundShift) - (low + 3.7) / 2) < 1e-4)
    #expect(fit.calibration.temperature == 1 && fit.calibration.wrongNames == nil)
    #expect(fit.calibration.falseRejectionRate == nil)
    #expect(fit.calibration.notBuildings?.photos == 39)
  }

  @Test("without held-out photos of the rest the backgrounds stay as they are")
  func onlyBuildings() {
    let fit = Self.fit(known: Self.tenths(100, from: -1), others: [])
    #expect(fit.completion.backgroundShift == 0 && fit.calibration.notBuildings == nil)
    #expect(fit.calibration.wrongNames?.photos == 100)
    // Ten are below 0.
    #expect(fit.calibration.falseRejectionRate == 0.1)
  }

  @Test("without backgrounds there are no odds, and only shares refuse")
  func noBackgrounds() {
    let names = Labels(["chapel", "tower"])
    let logits = Matrix(rows: 40, columns: 2, values: (0..<80).map { $0 % 2 == 0 ? 3 : 0 })
    let truth = (0..<40).map { $0 < 4 ? 1 : 0 }
    let fit = CalibrationFit(logits: logits, truth: truth, names: names)
    #expect(fit.completion.backgroundShift == 0 && fit.calibration.notBuildings == nil)
    #expect(fit.calibration.wrongNames?.photos == 40)
    #expect(fit.calibration.wrongNames?.scores.count == 4)
    // All are as sure as the wrong: two of 41 may be wrong, so nobody is named, but unsure.
    #expect(fit.calibration.falseRejectionRate == 0)
    let point = OperatingPoint(fit.calibration)
    #expect(point.shortfalls.map(\.kind) == [.notBuildings])
    // Nine in ten are right, and that is what the probabilities say.
    #expect(abs(point.leastShare - 0.9) < 1e-3)
  }

  // MARK: - Names

  @Test("wrong names are those of the most probable building, by its share, at the temperature")
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
    let point = OperatingPoint(fit.calibration)
    for row in 0..<300 where truth[row] > 0 {
      let p = Softmax.probabilities(
        Array(shifted.values[shifted.range(ofRow: row)]), temperature: temperature)
      let best = p[1] >= p[2] ? 1 : 2
      if best != truth[row] { wrong.append(p[best] / (p[1] + p[2])) }
      if Decision(labels: Self.names, point: point).outcome(p).reason.verdict
        == .notACampusBuilding
      {
        refused += 1
      }
    }
    #expect(wrong.count > 10)
    #expect(fit.calibration.wrongNames == ErrorCurve(photos: 200, wrong: wrong))
    #expect(fit.calibration.falseRejectionRate == Double(refused) / 200)
    #expect(point.shortfalls.isEmpty && point.leastShare > 0.5)
  }

  @Test("promises rest on temperatures and lines in which the photos of the same fold had no part")
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
        let p = own.probabilities(logits.row(row))
        let best = p[1] >= p[2] ? 1 : 2
        if best != truth[row] { wrong.append(p[best] / (p[1] + p[2])) }
      }
    }
    #expect(fit.calibration.wrongNames == ErrorCurve(photos: 200, wrong: wrong))
    #expect(fit.calibration.wrongNames != plain.calibration.wrongNames)
  }

  @Test("several backgrounds are shifted together and count together")
  func severalBackgrounds() {
    let names = Labels(["_sky", "_street", "chapel"])
    let (known, others) = (Self.tenths(40, from: 3), Self.tenths(39, from: -4.9))
    // Each background has half.
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
