import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("ErrorGuarantee")
struct ErrorGuaranteeTests {
  private static func promise(
    held: Int = 100, days: [String: Int] = ["chapel": 2, "tower": 3], unknown: ErrorCurve? = nil
  ) -> ErrorGuarantee {
    var model = ReportFixture.model()
    model.calibration.wrongNames = ErrorCurve(photos: held, wrong: [0.7])
    model.calibration.unknownBuildings = unknown
    model.provenance.captureDays = days
    return ErrorGuarantee(model)
  }

  @Test("The promise states its photo count, or that it is too small")
  func names() {
    #expect(Self.promise().names.contains("from 100 photos held out"))
    let untimed =
      " Each photo without a capture time or a named group counts as a session of its own, so the rate can be "
    #expect(!Self.promise().names.contains(untimed))
    #expect(Self.promise(days: ["chapel": 2]).names.contains("held out in training." + untimed))
    #expect(Self.promise(held: 3).names.contains("only 3 photos from other sessions"))
    #expect(Self.promise(held: 3).names.hasSuffix("5.0% requires 19 sessions in total."))
    #expect(Self.promise(held: 1).names.contains("only 1 photo from other sessions"))
    var bursts = ReportFixture.model()
    for (sessions, words) in [
      (4, "held out only 20 photos from 4 other sessions, and 5.0% requires 19 sessions in total."),
      (20, "Estimated from 100 photos of 20 sessions held out"),
    ] {
      bursts.calibration.wrongNames = ErrorCurve(
        wrong: [Double?](repeating: nil, count: 5 * sessions),
        sessions: (0..<5 * sessions).map { $0 / 5 })
      #expect(ErrorGuarantee(bursts).names.contains(words))
    }
    #expect(ErrorGuarantee(bursts).names.hasPrefix("On average over sessions, at most 5.0% of the"))
    #expect(Self.promise().names.hasPrefix("At most 5.0% of the photos"))
    var model = ReportFixture.model()
    model.calibration.wrongNames = ErrorCurve(photos: 100, wrong: [0.7])
    model.provenance.recall = ["chapel": Provenance.Recall(right: 9, asked: 10)]
    #expect(ErrorGuarantee(model).names.contains("from 100 photos of 1 of 2 buildings"))
  }

  @Test("A model that names nothing says so")
  func nothing() {
    var model = ReportFixture.model()
    model.calibration.wrongNames = ErrorCurve(photos: 19, wrong: [1])
    let names = ErrorGuarantee(model).names
    #expect(names.hasPrefix("No photo received a name"))
    #expect(Thresholds(model.calibration).nameThreshold == "unreachable")
    model.calibration.unknownBuildings = ErrorCurve(photos: 19, wrong: [2, 1])
    #expect(ErrorGuarantee(model).unknown?.contains("are not named either") == true)
    model.calibration.wrongNames = nil
    #expect(Thresholds(model.calibration).nameThreshold == "none")
    model.calibration.notBuildings = ErrorCurve(photos: 19, wrong: [700])
    let strict = Thresholds(model.calibration, maximumError: 0.05)
    let strictNames = ErrorGuarantee(model, point: strict).names
    #expect(strictNames.hasPrefix("No photo received a name") && strictNames != names)
    #expect(!ErrorGuarantee(model).names.contains("No photo received"))
  }

  @Test("Default and requested thresholds are told apart, even for the same error rate")
  func kinds() async throws {
    var model = ReportFixture.model()
    model.calibration.notBuildings = ErrorCurve(photos: 100, wrong: [2])
    for (error, title, lead) in [
      (nil, "default thresholds", "it was not given, so the target for wrong names is"),
      (0.05, "thresholds for --max-error 0.05", "it is"),
    ] {
      let recognizer = Recognizer(model: model, maximumError: error)
      let evaluation = Evaluation(
        model: model, answers: ReportFixture.answers, errors: [], point: recognizer.point)
      var report = EvaluationReport(evaluation)
      report.card = EvaluationCard(recognizer, named: "m", evaluation: evaluation)
      let page = try await ReportPage(report, of: recognizer).html()
      #expect(page.contains("Here, \(lead) 5.0%, with the \(title), which "))
      #expect(page.contains("5.0%; \(title), which "))
    }
  }

  @Test(
    "The promise excludes other lighting if one day or no day is known",
    arguments: [
      (["chapel": 2, "tower": 3], nil), (["chapel": 1, "tower": 1], "Every building"),
      (
        ["chapel": 4, "tower": 1],
        "1 of 2 buildings (tower) has training photos from only one day, so only"
      ),
      (["chapel": 4], "Capture dates are missing for 1 of 2 buildings, so"),
      (
        ["chapel": 1],
        "1 of 2 buildings (chapel) has training photos from only one day, and capture dates are missing for 1,"
      ),
      ([:], "Capture dates are missing, so"),
    ] as [([String: Int], String?)])
  func light(days: [String: Int], start: String?) {
    let light = Self.promise(days: days).light
    if let start { #expect(light?.hasPrefix(start) == true) } else { #expect(light == nil) }
    #expect(Self.promise(days: days).sentences().contains(where: { $0 == light }) == (light != nil))
    // Test photos from other days show this accuracy.
    #expect(!Self.promise(days: days).sentences(isOfOtherDays: true).contains { $0 == light })
  }

  @Test("A date of a few photos does not make the capture days known", arguments: [1, 2])
  func fewDates(dated: Int) {
    var model = ReportFixture.model(["_street", "barn", "chapel", "tower"])
    for label in ["barn", "chapel"].prefix(dated) { model.provenance.captureDays[label] = 2 }
    #expect(ErrorGuarantee(model).areDaysUnknown == (dated == 1))
  }

  @Test("Unknown buildings are mentioned if training held some out")
  func unknown() {
    #expect(Self.promise().unknown == nil && Self.promise().sentences().count == 1)
    let told = Self.promise(unknown: ErrorCurve(photos: 10, wrong: [1, 2, 3, -1]))
    #expect(told.unknown?.contains("30.0%") == true && told.sentences().count == 2)
    #expect(told.unknown?.contains("This is an average over 2 buildings;") == true)
    let none = Self.promise(unknown: ErrorCurve(photos: 10, wrong: [-1]))
    #expect(none.unknown?.contains("none of their 10 photos got") == true)
    #expect(none.unknown?.contains("got another building's name") == true)
  }
}

@Suite("Visit figures with unknown buildings")
struct VisitFiguresTests {
  /// 20 photos of known buildings, `wrong` of them named wrongly, and ten of unknown buildings if `unknownNamed` is
  /// given.
  private static func evaluation(wrong: Int, unknownNamed: Int?) -> Evaluation {
    let known = (0..<20).map { ReportFixture.chapel("k\($0)", "chapel", $0 < wrong ? 0.1 : 0.9) }
    let unknown = (0..<(unknownNamed == nil ? 0 : 10)).map {
      ReportFixture.chapel(
        "u\($0)", "barn", 0.8, split: .testUnknown,
        verdict: $0 < (unknownNamed ?? 0) ? .building : .notACampusBuilding)
    }
    return ReportFixture.evaluation(known + unknown)
  }

  @Test("Known and unknown buildings count by their share of visitors' photos")
  func shares() throws {
    let figures = try #require(
      VisitFigures(Self.evaluation(wrong: 1, unknownNamed: 4), unknownShare: 0.25))
    #expect(figures.source == .photos && figures.target == 0.05)
    #expect(abs(figures.wrong - (0.75 * 0.05 + 0.25 * 0.4)) < 1e-12)
    #expect(abs(figures.named - (0.75 + 0.25 * 0.4)) < 1e-12)
    #expect(figures.wrongInterval[0] < figures.wrong && figures.wrongInterval[1] > figures.wrong)
    #expect(!figures.meetsTarget)
    #expect(figures.sentence.hasSuffix("and an unknown building has no right name."))
    #expect(
      figures.sentence.hasPrefix(
        "Assuming that 25.0% of visitors' photos show unknown buildings (--unknown-visits), 85.0% of all get a name and 13.8% a "
      ))
    let all = try #require(
      VisitFigures(Self.evaluation(wrong: 1, unknownNamed: 4), unknownShare: 0))
    #expect(abs(all.wrong - 0.05) < 1e-12 && all.meetsTarget)
  }

  @Test("The interval combines the Wilson intervals of both kinds")
  func interval() throws {
    let unknown = try #require(
      VisitFigures(Self.evaluation(wrong: 0, unknownNamed: 3), unknownShare: 1))
    let wilson = WilsonInterval(successes: 3, of: 10)
    #expect(abs(unknown.wrongInterval[0] - wilson.lower) < 1e-12)
    #expect(abs(unknown.wrongInterval[1] - wilson.upper) < 1e-12)
    let none = try #require(
      VisitFigures(Self.evaluation(wrong: 0, unknownNamed: 0), unknownShare: 0.5))
    #expect(none.wrong == 0 && none.wrongInterval[0] == 0 && none.meetsTarget)
    let ends = [20, 10].map { 0.5 * WilsonInterval(successes: 0, of: $0).upper }
    #expect(
      abs(none.wrongInterval[1] - (ends[0] * ends[0] + ends[1] * ends[1]).squareRoot()) < 1e-12)
    #expect(none.sentence.contains("too few photos to be certain"))
  }

  @Test("Buildings held out in training replace missing unknown photos")
  func leftOut() throws {
    #expect(VisitFigures(Self.evaluation(wrong: 1, unknownNamed: nil), unknownShare: 0.5) == nil)
    var model = ReportFixture.model()
    model.calibration.unknownBuildings = ErrorCurve(photos: 40, wrong: [2, 1, 0.5, -1, -3])
    let evaluation = ReportFixture.evaluation(
      Self.evaluation(wrong: 1, unknownNamed: nil).known, model)
    let figures = try #require(VisitFigures(evaluation, unknownShare: 0.5))
    #expect(figures.source == .training)
    #expect(abs(figures.wrong - (0.5 * 0.05 + 0.5 * 3 / 40)) < 1e-12)
    #expect(figures.sentence.contains("whose building was held out"))
    // The interval reaches above the estimate, so the estimate is not an upper bound.
    #expect(figures.sentence.contains(" and about ") && !figures.sentence.contains("up to"))
    // If the threshold is unreachable, no photo gets a name.
    model.calibration.wrongNames = ErrorCurve(photos: 40, wrong: [1, 1, 1])
    let silent = ReportFixture.evaluation(evaluation.known, model)
    #expect(VisitFigures(silent, unknownShare: 1)?.wrong == 0)
  }

  @Test("A huge photo count in the model does not overflow")
  func manyLeftOut() throws {
    var model = ReportFixture.model()
    model.calibration.unknownBuildings = ErrorCurve(photos: .max, wrong: [2, 1])
    let evaluation = ReportFixture.evaluation(
      Self.evaluation(wrong: 1, unknownNamed: nil).known, model)
    let figures = try #require(VisitFigures(evaluation, unknownShare: 0.5))
    #expect(figures.source == .training && abs(figures.wrong - 0.5 * 0.05) < 1e-12)
    model.calibration.unknownBuildings = ErrorCurve(photos: 0, wrong: [])
    let none = ReportFixture.evaluation(evaluation.known, model)
    #expect(VisitFigures(none, unknownShare: 0.5) == nil)
  }

  @Test("The risk of photos of one kind is finite", arguments: [0.0, 1])
  func oneKind(unknownShare: Double) {
    for surest in [0.99, 0.6] {
      let known = (0..<4).map { ReportFixture.chapel("k\($0)", "chapel", surest) }
      let unknown = (0..<4).map { ReportFixture.chapel("u\($0)", "barn", 0.8, split: .testUnknown) }
      let curve = ReportFixture.evaluation(known + unknown).riskCoverage(unknownShare: unknownShare)
      #expect(curve.points.allSatisfy { $0.risk == unknownShare && $0.coverage > 0 })
      #expect(abs((curve.area ?? -1) - unknownShare) < 1e-12)
    }
  }

  @Test(
    "Risk and coverage weight both kinds of photos")
  func curve() {
    let curve = Self.evaluation(wrong: 0, unknownNamed: 10).riskCoverage(unknownShare: 0.5)
    #expect(curve.points.count == 2)
    #expect(zip(curve.points, [0.5, 1]).allSatisfy { abs($0.coverage - $1) < 1e-12 })
    #expect(curve.points.first?.risk == 0)
    #expect(abs((curve.points.last?.risk ?? 0) - 0.5) < 1e-12)
  }
}
