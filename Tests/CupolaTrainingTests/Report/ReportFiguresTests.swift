import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Report figures")
struct ReportFiguresTests {
  @Test("Photos of equal confidence share a risk-coverage point")
  func riskCoverage() throws {
    let curve = RiskCoverage([(0.9, true), (0.8, false), (0.8, true), (0.3, false)])
    #expect(curve.points.map(\.coverage) == [0.25, 0.75, 1])
    #expect(curve.points.map(\.risk) == [0, 1.0 / 3, 0.5])
    let expected: Double = 0.5 / 3 + 0.25 / 2
    let area = try #require(curve.area)
    #expect(abs(area - expected) < 1e-12)
    #expect(RiskCoverage([]).area == nil && RiskCoverage([]).points.isEmpty)
  }

  @Test("The ROC curve's area equals the Mann-Whitney statistic")
  func roc() throws {
    let curve = ROCCurve(positives: [3, 2, 2, 1], negatives: [2, 0])
    #expect(curve.points.map(\.threshold) == [3, 2, 1, 0])
    #expect(curve.points.map(\.truePositiveRate) == [0.25, 0.75, 1, 1])
    #expect(curve.points.map(\.falsePositiveRate) == [0, 0.5, 0.5, 1])
    var (area, last) = (0.0, (x: 0.0, y: 0.0))
    for point in curve.points {
      area += (point.falsePositiveRate - last.x) * (point.truePositiveRate + last.y) / 2
      last = (point.falsePositiveRate, point.truePositiveRate)
    }
    let expected = try #require(curve.area)
    #expect(abs(area - expected) < 1e-12)
    #expect(ROCCurve(positives: [1], negatives: []).points.isEmpty)
  }

  @Test(
    "McNemar's test matches known p-values",
    arguments: [
      (0, 0, 1.0), (0, 5, 0.0625), (5, 0, 0.0625), (3, 3, 1), (1, 15, 0.000518798828125),
      (10, 20, 0.09873714670538905),
    ])
  func mcnemar(first: Int, second: Int, expected: Double) {
    let test = McNemar(onlyFirst: first, onlySecond: second)
    #expect(test.method == .exact)
    #expect(abs(test.pValue - expected) < 1e-12)
  }

  @Test("Chi-squared p-values match exact ones at the crossover")
  func manyPhotos() {
    let test = McNemar(onlyFirst: 600, onlySecond: 500)
    #expect(test.method == .chiSquared)
    #expect(abs(test.pValue - 0.0028361326556546836) < 1e-12)
    let exact = McNemar(onlyFirst: 530, onlySecond: 470).pValue
    let near = McNemar(onlyFirst: 531, onlySecond: 471).pValue
    #expect(abs(exact - near) < 2e-3)
  }

  @Test("Reliability bins count every photo once")
  func bins() {
    let figures = CalibrationFigures(
      answers: [(0, true), (0.5, true), (0.52, false), (1, true), (0.999, true)],
      squaredDistances: [0])
    #expect(figures.bins.count == 15 && figures.bins.map(\.photos).reduce(0, +) == 5)
    #expect(figures.bins[14].photos == 2 && figures.bins[0].right == 1)
    #expect(figures.bins[7].accuracy == 0.5 && figures.bins[3].accuracy == nil)
    #expect(abs((figures.bins[7].meanProbability ?? 0) - 0.51) < 1e-12)
  }

  @Test("Slices need at least two values")
  func slices() {
    let slices = Slice.all(of: ReportFixture.evaluation())
    #expect(slices.map(\.by) == ["light", "light", "session", "session"])
    #expect(slices.map(\.value) == ["rain", "sun", "a", "b"])
    #expect(slices.map(\.named.photos) == [2, 2, 2, 2])
    #expect(slices.map(\.named.right) == [0, 2, 2, 0])
    #expect(slices[1].named.accuracy == 1)
    // The two photos are from one session.
    #expect(slices[1].named.interval == WilsonInterval(successes: 1, of: 1))
  }

  @Test("Predictions name the sessions of the intervals, not days")
  func sessionNames() {
    let photos: [(time: String?, group: String?)] = [
      ("10:00", "monday"), ("10:00", nil), ("10:03", nil), ("11:00", nil), (nil, "g1"),
    ]
    let answers = photos.enumerated().map { number, photo -> Evaluation.Answer in
      var metadata = PhotoMetadata()
      metadata.captureTime = photo.time.map { "2026:01:02 \($0):00" }
      var answer = ReportFixture.chapel("\(number).jpg", "chapel", 0.9, group: photo.group)
      answer.facts.captureTime = metadata.captureTime
      answer.facts.shot = Grouping.Shot(metadata, label: "chapel")
      return answer
    }
    #expect(answers.sessionNames == ["monday", "session-1", "session-1", "session-2", "g1"])
    #expect(answers.map(\.day) == Array(repeating: "2026-01-02", count: 4) + [nil])
    let report = ReportFixture.report(ReportFixture.evaluation(answers))
    let table = Table(report.predictions, Prediction.columns)
    #expect(table.csv.contains(",session-2,"))
    #expect(!table.csv.contains("2026-01-02"))
    // A slice by session contains named sessions only.
    let slices = Slice.all(of: ReportFixture.evaluation(answers + named("tuesday")))
    #expect(
      slices.filter { $0.by == "session" }.map(\.value) == ["monday", "tuesday", "unknown"])
  }

  private func named(_ session: String) -> [Evaluation.Answer] {
    [ReportFixture.chapel("named.jpg", "chapel", 0.9, group: session)]
  }

  @Test(
    "Capture times are mapped to times of day",
    arguments: [
      ("2026:01:02 04:59:59", "night (22 to 5 h)"), ("2026:01:02 05:00:00", "morning (5 to 11 h)"),
      ("2026:01:02 14:59:00", "midday (11 to 15 h)"), ("2026:01:02 22:00:00", "night (22 to 5 h)"),
      ("0000:00:00 00:00:00", nil), ("nonsense", nil), ("", nil),
    ])
  func timeOfDay(time: String, expected: String?) {
    #expect(Slice.timeOfDay(time)?.name == expected)
  }

  @Test("Training photos and few photos are reported as limits")
  func card() {
    var trained = ReportFixture.chapel("1.jpg", "chapel", 0.9)
    trained.facts.digest = "00000000000000aa"
    let evaluation = ReportFixture.evaluation([trained])
    let card = EvaluationCard(
      Recognizer(model: ReportFixture.model()), named: "m", evaluation: evaluation)
    #expect(card.photosThatTrained == 1)
    #expect(card.limits.contains { $0.hasPrefix("1 of the 1 photos are also training") })
    #expect(card.limits.contains { $0.hasPrefix("Only 1 photo") })
    let none = ReportFixture.evaluation([ReportFixture.chapel("2.jpg", "_street", 0.9)])
    let limits = EvaluationCard(card.recognizer, named: "m", evaluation: none).limits
    #expect(limits.contains { $0.hasPrefix("There are no photos of known buildings") })
    #expect(!limits.contains { $0.contains("intervals") })
  }

  @Test("The model card lists rendered images apart from non-building photos")
  func trainingPhotos() async throws {
    var model = ReportFixture.model()
    model.provenance.photos = ["chapel": 3, "tower": 4, "_street": 5, "_drawn": 48]
    let report = ReportFixture.report(ReportFixture.evaluation(), model)
    let page = try await ReportPage(report, of: Recognizer(model: model)).html()
    #expect(page.contains("7 of buildings, 5 non-building photos, 48 rendered images"))
  }

  @Test("Latency uses the median and the 95th percentile")
  func latency() throws {
    let latency = try #require(Latency((1...100).map(Double.init)))
    #expect(latency.median == 50 && latency.percentile95 == 95)
    #expect(Latency([]) == nil)
    let stages = Latency.byStage(ReportFixture.answers)
    #expect(stages.map(\.stage) == ["decode", "features", "total"])
    #expect(stages.last?.latency.median == 10)
  }

  @Test("Thinning keeps every label, and all photos if there are few")
  func thinnedByLabel() {
    let photos = (0..<100).map { index in
      LabeledPhoto(
        path: "", name: "\(index)", label: index < 95 ? "a" : "b", split: .train, group: nil)
    }
    let thinned = photos.thinned(byLabelTo: 20)
    #expect(thinned.count(where: { $0.label == "a" }) == 10)
    #expect(thinned.count(where: { $0.label == "b" }) == 5)
    #expect(photos.thinned(byLabelTo: 100) == photos)
  }

  @Test("A model without a threshold has a JSON card")
  func anyShare() throws {
    var model = ReportFixture.model()
    model.calibration.wrongNames = ErrorCurve(photos: 100, wrong: [])
    let recognizer = Recognizer(model: model)
    #expect(recognizer.point.leastShare == -.infinity)
    let evaluation = ReportFixture.evaluation()
    var report = EvaluationReport(evaluation)
    report.card = EvaluationCard(recognizer, named: "m", evaluation: evaluation)
    #expect(throws: Never.self) { try report.bytes() }
  }

  @Test("Leaks are counted with their effect on accuracy")
  func leaks() throws {
    var answers = ReportFixture.answers
    #expect(LeakReport(ReportFixture.evaluation(answers)) == nil)
    answers[0].facts.leak = .same
    answers[3].facts.leak = .crop
    answers[4].facts.leak = .copy
    let evaluation = ReportFixture.evaluation(answers)
    let leaks = try #require(LeakReport(evaluation))
    #expect(leaks.counts == [.same: 1, .copy: 1, .crop: 1])
    #expect(leaks.free == Share(right: 1, of: 2) && leaks.leaking == Share(right: 1, of: 2))
    #expect(leaks.difference?.difference == 0)
    let bytes = try ReportFixture.report(evaluation).bytes()
    let json = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let figures = try #require(json["leaks"] as? [String: Any])
    #expect(figures["same"] as? Int == 1 && figures["photos_leaking"] as? Int == 2)
    #expect(figures["top1_leaking"] as? Double == 0.5)
    #expect((figures["top1_difference_interval"] as? [Double])?.count == 2)
    let told = try #require(json["predictions"] as? [[String: Any]]).map { $0["leak"] as? String }
    #expect(told == ["same_file", nil, nil, "crop", "copy", nil, nil])
    answers = [answers[0]]
    let all = try #require(LeakReport(ReportFixture.evaluation(answers)))
    #expect(all.free.accuracy == nil && all.difference == nil)
  }

  @Test("Two models are compared on shared photos")
  func comparison() throws {
    let first = ReportFixture.evaluation()
    let second = ReportFixture.evaluation([
      ReportFixture.chapel("1.jpg", "chapel", 0.4), ReportFixture.chapel("2.jpg", "chapel", 0.9),
      ReportFixture.chapel("3.jpg", "tower", 0.3), ReportFixture.chapel("4.jpg", "tower", 0.3),
    ])
    let bytes = try ReportFixture.report(second).bytes()
    let other = try JSONDecoder().decode(OtherReport.self, from: Data(bytes))
    let comparison = try ModelComparison(first, with: other)
    #expect(comparison.photos == 4 && comparison.right == 2 && comparison.otherRight == 3)
    #expect(comparison.mcnemar == McNemar(onlyFirst: 1, onlySecond: 2))
    #expect(comparison.won == ["1.jpg"] && comparison.lost == ["2.jpg", "4.jpg"])
    #expect(comparison.other == "m.safetensors" && comparison.figures["photos"] == 4)
    // The comparison contains all metrics of the other report.
    let figures = Figures(second)
    for figure in Figure.all {
      #expect(comparison.figures[figure.name] == figures[figure.name], "\(figure.name)")
      #expect(comparison.figures.interval(figure.name) == figures.interval(figure.name))
    }
  }

  @Test("Equal files count once in a comparison")
  func twice() throws {
    let evaluation = ReportFixture.evaluation(
      ReportFixture.answers + [ReportFixture.answers[0], ReportFixture.answers[2]])
    for other in [evaluation, ReportFixture.evaluation()] {
      let bytes = try ReportFixture.report(other).bytes()
      let report = try JSONDecoder().decode(OtherReport.self, from: Data(bytes))
      let comparison = try ModelComparison(evaluation, with: report)
      #expect(comparison.photos == 4 && comparison.right == 2 && comparison.otherRight == 2)
    }
  }

  @Test("models that were asked about other photos are not compared")
  func differentPhotos() throws {
    let first = ReportFixture.evaluation()
    for answers in [
      Array(first.known.prefix(3)), first.known + [ReportFixture.chapel("9.jpg", "tower", 0.3)], [],
    ] {
      let bytes = try ReportFixture.report(ReportFixture.evaluation(answers)).bytes()
      let other = try JSONDecoder().decode(OtherReport.self, from: Data(bytes))
      let both = min(answers.count, 4)
      #expect(
        throws: TrainingError.differentPhotos(path: "", both: both, asked: 4, others: answers.count)
      ) { try ModelComparison(first, with: other) }
    }
  }

  @Test("A huge count in another report does not overflow")
  func largeCounts() throws {
    let evaluation = ReportFixture.evaluation()
    let text = String(decoding: try ReportFixture.report(evaluation).bytes(), as: UTF8.self)
    let changed = text.replacing(
      "\"photos\" : 4,\n  \"place\"", with: "\"photos\" : 1e300,\n  \"place\"")
    try #require(changed != text)
    let other = try JSONDecoder().decode(OtherReport.self, from: Data(changed.utf8))
    var report = ReportFixture.report(evaluation)
    report.comparisons = [try ModelComparison(evaluation, with: other)]
    #expect(report.figureTable.csv.contains("\(Int.max)"))
    #expect(try JSONObject.text(report).contains("\(Int.max)"))
  }

  @Test("A model name with a line break is printed on one line")
  func brokenName() throws {
    let evaluation = ReportFixture.evaluation()
    let text = String(decoding: try ReportFixture.report(evaluation).bytes(), as: UTF8.self)
    let changed = text.replacing("m.safetensors", with: #"a\nb"#)
    let other = try JSONDecoder().decode(OtherReport.self, from: Data(changed.utf8))
    var report = ReportFixture.report(evaluation)
    report.comparisons = [try ModelComparison(evaluation, with: other)]
    #expect(EvaluationText(report, width: 200).text.contains(#"correctly, a\u{a}b 2"#))
  }

  @Test("A share without photos has no interval")
  func nothing() throws {
    let evaluation = ReportFixture.evaluation([ReportFixture.chapel("5.jpg", "_street", 0.5)])
    let report = ReportFixture.report(evaluation)
    #expect(report.figures["top1"] == nil && report.figures.interval("top1") == nil)
    #expect(!EvaluationText(report, width: 100).text.contains("interval"))
    var leaking = ReportFixture.answers[0]
    leaking.facts.leak = .same
    let leaks = try #require(LeakReport(ReportFixture.evaluation([leaking])))
    #expect(leaks.text(asked: 1).contains("top-1 without leaks         no photos"))
  }

  @Test("A learning curve rises to the full accuracy")
  func learningCurve() async throws {
    let folder = try TemporaryFolder()
    var photos: [LabeledPhoto] = []
    for (label, kind) in [("a", Pictures.Kind.upright), ("b", .level), ("c", .rising)] {
      for number in 0..<6 {
        let path = try folder.write(
          try Pictures.jpeg(kind, seed: UInt64(number)), to: "\(label)\(number).jpg")
        photos.append(
          LabeledPhoto(
            path: path, name: "\(label)\(number)", label: label, split: .train,
            group: "\(label)\(number / 2)"))
      }
    }
    var trainer = Trainer()
    trainer.recipe = .hog
    let model = try await trainer.train(on: photos).model
    let refits = ReportRefits()
    var two = refits
    two.threads = 2
    let curve = await LearningCurve(of: model, photos: photos, by: two)
    #expect(curve.points.map(\.photosPerBuilding) == [1, 2, 3, 4])
    #expect(curve.points.allSatisfy { $0.named.photos == 18 })
    #expect(curve.points.last?.named.accuracy == 1)
    let again = await LearningCurve(of: model, photos: photos, by: refits)
    #expect(again.points == curve.points && again.splits == curve.splits)
    // With a random split, most test photos have another photo from the same session in the training set.
    let splits = try #require(curve.splits)
    #expect(splits.photos == 18 && splits.grouped.right == curve.points.last?.named.right)
    #expect(splits.random.accuracy == Double(splits.random.right) / 18)
    #expect(
      splits.random.right - splits.grouped.right
        == splits.mcnemar.onlyFirst - splits.mcnemar.onlySecond)
    let difference = try #require(splits.random.accuracy) - #require(splits.grouped.accuracy)
    #expect(splits.difference == difference)
    #expect(difference == 0 && splits.sentence.hasSuffix(" would not raise the accuracy."))
    let gain = "would raise the accuracy by 5.0 percentage points, "
    #expect(
      SplitComparison.sentence(0.05, McNemar(onlyFirst: 1, onlySecond: 0)).hasSuffix(
        gain + "but this may be due to chance (p = 1.0000)."))
    #expect(
      SplitComparison.sentence(0.05, McNemar(onlyFirst: 9, onlySecond: 0)).hasSuffix(
        gain + "because training and test would share sessions."))
    for whitening in [0, -1, 1.5, 1e12] {
      var odd = model
      odd.provenance.whitening = whitening
      let curve = await LearningCurve(of: odd, photos: photos, by: refits)
      #expect(curve.points.isEmpty && curve.splits == nil)
    }
    var withoutViews = model
    withoutViews.recipe.trainingGeometries = []
    let unseen = await LearningCurve(of: withoutViews, photos: photos, by: refits)
    #expect(unseen.points.isEmpty && unseen.splits == nil)
    let none = await LearningCurve(of: model, photos: Array(photos.prefix(2)), by: refits)
    #expect(none.points.isEmpty && none.splits == nil)
  }
}

@Suite("Slice")
struct SliceTests {
  @Test("A column replaces Cupola's slice of the same name")
  func ownNames() {
    let answers = ["x", "y", "y"].enumerated().map { number, walk in
      ReportFixture.chapel(
        "\(number).jpg", "chapel", 0.9, group: number == 2 ? "a" : "b",
        attributes: ["session": walk])
    }
    let slices = Slice.all(of: ReportFixture.evaluation(answers))
    #expect(slices.map(\.by) == ["session", "session"] && slices.map(\.value) == ["x", "y"])
    #expect(slices.map(\.named.photos) == [1, 2])
  }

  @Test("Days include a row for photos without a time")
  func days() {
    let answers = ["2026:11:01 10:00:00", "2026:11:02 10:00:00", nil].enumerated().map {
      var answer = ReportFixture.chapel("\($0).jpg", "chapel", 0.9)
      answer.facts.captureTime = $1
      return answer
    }
    let slices = Slice.all(of: ReportFixture.evaluation(answers)).filter { $0.by == "day" }
    #expect(slices.map(\.value) == ["2026-11-01", "2026-11-02", "day unknown"])
    #expect(slices.map(\.named.photos) == [1, 1, 1])
  }

  @Test("Photos without a group are in sessions by their times")
  func sessions() {
    var answers: [Evaluation.Answer] = []
    for (number, minute) in ["00", "04", "30", nil].enumerated() {
      var answer = ReportFixture.chapel("\(number).jpg", "chapel", 0.9)
      var metadata = PhotoMetadata()
      metadata.captureTime = minute.map { "2026:11:01 10:\($0):00" }
      answer.facts.shot = Grouping.Shot(metadata, label: "chapel")
      answers.append(answer)
    }
    #expect(Set(answers.sessions).count == 3 && answers.sessions[0] == answers.sessions[1])
    #expect(ReportFixture.evaluation(answers).named.sessions == 3)
  }
}
