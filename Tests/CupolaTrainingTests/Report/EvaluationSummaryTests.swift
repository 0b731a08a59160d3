import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("What a report comes to")
struct EvaluationSummaryTests {
  private static func right(_ count: Int, of all: Int) -> EvaluationReport {
    ReportFixture.report(
      ReportFixture.evaluation(
        (0..<all).map { ReportFixture.chapel("\($0).jpg", "chapel", $0 < count ? 0.9 : 0.2) }))
  }

  @Test("The grade depends on the share of right and wrong names")
  func grades() {
    #expect(EvaluationSummary(Self.right(200, of: 200)).grade == .good)
    #expect(EvaluationSummary(Self.right(170, of: 200)).grade == .fair)
    #expect(EvaluationSummary(Self.right(100, of: 200)).grade == .poor)
    let many = EvaluationSummary(Self.right(200, of: 200)).sentence
    #expect(
      many
        == "Good for photos of your buildings: 200 of 200 test photos got the right name (100.0%), and none a wrong name."
    )
    let few = EvaluationSummary(Self.right(5, of: 5)).sentence
    #expect(few.hasPrefix("Good so far for photos of your buildings: "))
    #expect(
      few.hasSuffix(
        " With only 5 test photos, this is imprecise: the 95% intervals are 56.6 to 100.0% right names and 0.0 to 43.4% "
          + "wrong names."))
    #expect(
      EvaluationSummary(Self.right(170, of: 200)).sentence.hasSuffix(
        "(85.0%), and 30 a wrong name (15.0%, above the target of 5.0%)."))
    for (right, required) in [
      (140, "70.0%; \"Good\" requires 75.0%"), (80, "40.0%; \"Fair\" requires 50.0%"),
    ] {
      #expect(EvaluationSummary(Self.right(right, of: 200)).sentence.contains("(\(required))"))
    }
  }

  @Test("Without capture times and named groups, the verdict says that sessions are unknown")
  func unknownVisits() {
    func report(time: String?, group: String?, timed: Int = 0) -> EvaluationReport {
      var metadata = PhotoMetadata()
      metadata.captureTime = time
      let answers = (0..<6).map { number in
        var answer = ReportFixture.chapel(
          "\(number).jpg", "chapel", 0.9, group: group ?? "g\(number / 2)")
        metadata.captureTime = number < timed ? "2026:11:01" : time
        answer.facts.shot = Grouping.Shot(metadata, label: "chapel")
        return answer
      }
      return ReportFixture.report(ReportFixture.evaluation(answers))
    }
    let missing = "6 of 6 test photos have no capture time. They may have been taken together"
    let unknown = report(time: nil, group: nil)
    #expect(EvaluationSummary(unknown).sentence.contains(missing))
    #expect(EvaluationSummary(unknown).sentence.contains("With only 6 test photos"))
    let counted = "Each counts as a session of its own, so the interval may be too narrow."
    #expect(EvaluationSummary(unknown).sentence.hasSuffix(" other days. " + counted))
    #expect(
      EvaluationSummary(report(time: nil, group: nil, timed: 5)).sentence.hasSuffix(
        " 1 of 6 test photos has no capture time. " + counted))
    #expect(unknown.figures["sessions"] == nil)
    for known in [report(time: "2026:11:01", group: nil), report(time: nil, group: "monday")] {
      #expect(!EvaluationSummary(known).sentence.contains("no capture time"))
      #expect(EvaluationSummary(known).sentence.contains(/With only [13] sessions?, this is/))
      #expect(known.figures["sessions"] != nil)
    }
  }

  private static func grade(right: Int, wrong: Int, of all: Int) -> EvaluationSummary.Grade {
    let answers = (0..<all).map {
      ReportFixture.chapel(
        "\($0).jpg", "chapel", $0 < right ? 0.9 : 0.2,
        verdict: $0 < right + wrong ? .building : .unsure)
    }
    return EvaluationSummary(ReportFixture.report(ReportFixture.evaluation(answers))).grade
  }

  @Test("A model is good from 75% and fair from 50% right names")
  func shares() {
    #expect(Self.grade(right: 150, wrong: 10, of: 200) == .good)
    #expect(Self.grade(right: 150, wrong: 11, of: 200) == .fair)
    #expect(Self.grade(right: 149, wrong: 0, of: 200) == .fair)
    #expect(Self.grade(right: 100, wrong: 40, of: 200) == .fair)
    #expect(Self.grade(right: 100, wrong: 41, of: 200) == .poor)
    #expect(Self.grade(right: 99, wrong: 0, of: 200) == .poor)
    // More right names and fewer wrong ones never lower the grade.
    #expect(Self.grade(right: 15, wrong: 0, of: 20) == .good)
    #expect(Self.grade(right: 38, wrong: 3, of: 63) == .fair)
  }

  @Test("Wrong names are counted as a share of all building photos")
  func promise() {
    let answers = (0..<24).map { number in
      ReportFixture.chapel(
        "\(number).jpg", "chapel", number == 0 ? 0.2 : 0.9,
        verdict: number < 19 ? .building : .unsure)
    }
    let verdict = EvaluationSummary(ReportFixture.report(ReportFixture.evaluation(answers)))
    #expect(verdict.grade == .good)
    #expect(
      verdict.sentence.contains(
        "18 of 24 test photos got the right name (75.0%), and 1 a wrong name (4.2%"))
  }

  @Test("Names by place only are reported and may be wrong")
  func byPlace() {
    func verdict(placed: Int) -> EvaluationSummary {
      let answers = (0..<200).map {
        $0 < placed ? ReportFixture.placed("\($0)") : ReportFixture.chapel("\($0)", "chapel", 0.9)
      }
      return EvaluationSummary(ReportFixture.report(ReportFixture.evaluation(answers)))
    }
    let (few, many) = (verdict(placed: 2), verdict(placed: 20))
    #expect(few.grade == .good && many.grade == .fair)
    #expect(
      few.sentence.contains(
        "198 of 200 test photos got the right name (99.0%), and 2 a wrong name (1.0%)."
      ))
    #expect(many.sentence.contains("20 a wrong name (10.0%"))
    #expect(verdict(placed: 200).sentence.contains("0 of 200 test photos got the right name"))
  }

  @Test("Named backgrounds lower the grade and are reported")
  func others() {
    func verdict(named: Int, of photos: Int) -> EvaluationSummary {
      let known = (0..<200).map { ReportFixture.chapel("\($0).jpg", "chapel", 0.9) }
      let others = (0..<photos).map {
        ReportFixture.chapel(
          "o\($0).jpg", "_street", 0.9, verdict: $0 < named ? .building : .notACampusBuilding)
      }
      return EvaluationSummary(ReportFixture.report(ReportFixture.evaluation(known + others)))
    }
    let bad = verdict(named: 20, of: 100)
    #expect(bad.grade == .fair)
    #expect(bad.sentence.contains("It also named 20 of 100 non-building photos."))
    let good = verdict(named: 2, of: 100)
    #expect(good.grade == .good && !good.sentence.contains("non-building"))
    // Three of 20 may be chance, but visitors notice them.
    #expect(
      verdict(named: 3, of: 20).sentence.contains("It also named 3 of 20 non-building photos."))
    #expect(verdict(named: 2, of: 15).grade == .good && verdict(named: 3, of: 40).grade == .good)
    #expect(verdict(named: 1, of: 1).grade == .good)
  }

  @Test("The summary counts final answers and states the precision of a small test")
  func positions() {
    var answers = (0..<40).map { ReportFixture.chapel("\($0).jpg", "chapel", $0 < 4 ? 0.2 : 0.9) }
    func report() -> EvaluationReport { ReportFixture.report(ReportFixture.evaluation(answers)) }
    let few =
      " With only 40 test photos, this is imprecise: the 95% intervals are 76.9 to 96.0% right names and 4.0 to 23.1% "
      + "wrong names."
    #expect(EvaluationSummary(report()).sentence.hasSuffix("above the target of 5.0%)." + few))
    answers[0].bestWithPlace = "chapel"
    #expect(EvaluationSummary(report()).sentence.contains("37 of 40 test photos"))
  }

  @Test("The text reports right names that the position costs")
  func positionLoss() {
    func text(_ placed: Recognition.Verdict, lost: Int = 20, preventsWrongName: Bool = false)
      -> String
    {
      let verdicts: [(ModelPart, Recognition.Verdict)] = [(.picture, .building), (.place, placed)]
      var answers = (0..<20).map { number -> Evaluation.Answer in
        var answer = ReportFixture.chapel("\(number).jpg", "chapel", 0.9)
        for (part, verdict) in verdicts {
          answer.parts[part] = PartialAnswer(
            verdict: number < lost ? verdict : .building, label: "chapel", confidence: 0.9)
        }
        return answer
      }
      if preventsWrongName {
        var unknown = ReportFixture.chapel("u.jpg", "barn", 0.9)
        for (part, verdict) in verdicts {
          unknown.parts[part] = PartialAnswer(verdict: verdict, label: "chapel", confidence: 0.9)
        }
        answers.append(unknown)
      }
      return EvaluationText(ReportFixture.report(ReportFixture.evaluation(answers)), width: 200)
        .brief
    }
    #expect(
      text(.unsure).contains(
        "costs right names: 0 with position, 20 without; train with --campus"))
    #expect(!text(.building).contains("costs right names"))
    // A small loss may be due to chance, and a loss with fewer wrong names may be worth it.
    #expect(!text(.unsure, lost: 5).contains("costs right names"))
    #expect(text(.unsure, lost: 6).contains("costs right names"))
    #expect(!text(.unsure, preventsWrongName: true).contains("costs right names"))
  }

  @Test("a model that names few photos of its buildings is not good, one that names none is poor")
  func silent() {
    func verdict(named: Int) -> EvaluationSummary {
      let answers = (0..<200).map {
        ReportFixture.chapel(
          "\($0).jpg", "chapel", 0.9, verdict: $0 < named ? .building : .notACampusBuilding)
      }
      return EvaluationSummary(ReportFixture.report(ReportFixture.evaluation(answers)))
    }
    #expect(verdict(named: 150).grade == .good && verdict(named: 149).grade == .fair)
    #expect(verdict(named: 0).grade == .poor)
    #expect(verdict(named: 0).sentence.contains("always too low"))
  }

  @Test("A model without photos, or tested on training photos, has no verdict")
  func open() {
    #expect(EvaluationSummary(ReportFixture.report(ReportFixture.evaluation([]))).grade == .open)
    var answers = ReportFixture.answers
    answers[0].facts.leak = .copy
    let verdict = EvaluationSummary(ReportFixture.report(ReportFixture.evaluation(answers)))
    #expect(verdict.grade == .open && verdict.sentence.contains("inflate the metrics"))
  }

  @Test("Next steps list leaks first")
  func steps() {
    let model = ReportFixture.model()
    var answers = ReportFixture.answers
    let plain = NextSteps(ReportFixture.report(ReportFixture.evaluation(answers)), of: model).steps
    #expect(plain.count == NextSteps.most)
    #expect(plain[0].text.hasPrefix("Train with more non-building photos"))
    answers[0].facts.leak = .same
    let leaks = NextSteps(ReportFixture.report(ReportFixture.evaluation(answers)), of: model).steps
    #expect(leaks[0].text.contains("cupola split") && leaks.count == NextSteps.most)
  }

  @Test("The first step for an uncalibrated model is to take photos that can be held out")
  func uncalibrated() {
    var model = ReportFixture.model()
    model.provenance.recall = [:]
    let answers = (0..<20).map {
      ReportFixture.chapel("\($0).jpg", "chapel", 0.9, verdict: .notACampusBuilding)
    }
    let report = ReportFixture.report(ReportFixture.evaluation(answers), model)
    let steps = NextSteps(report, of: model).steps.map(\.text)
    #expect(
      steps.first?.contains("percentages with two sessions. Begin with chapel: 0 of 20") == true)
    // That step asks for photos of every building on another day, so no other step does.
    #expect(!steps.contains { $0.hasPrefix("Look at the failed photos of chapel") })
    #expect(!steps.contains { $0.hasPrefix("Evaluate with more photos") })
    let usual = NextSteps(report, of: ReportFixture.model()).steps
    #expect(usual.first?.text.hasPrefix("Look at the failed photos of chapel") == true)
  }

  @Test("Missing background photos are suggested for training first")
  func negatives() {
    let known = Array(ReportFixture.answers.prefix(1))
    let report = ReportFixture.report(ReportFixture.evaluation(known))
    let measure = NextSteps(report, of: ReportFixture.model()).steps
    #expect(measure.contains { $0.text.hasPrefix("Evaluate with --negatives") })
    let train = NextSteps(report, of: ReportFixture.model(["chapel", "tower"])).steps
    #expect(train.contains { $0.text.hasPrefix("Train with --negatives") })
    // Drawn images do not count as background photos of the campus.
    let drawn = NextSteps(report, of: ReportFixture.model(["_drawn", "chapel", "tower"])).steps
    #expect(drawn.contains { $0.text.hasPrefix("Train with --negatives") })
  }

  @Test("Named backgrounds lead to a suggestion of more kinds")
  func namedOthers() {
    func steps(named: Int, _ labels: [String]) -> [String] {
      let others = (0..<30).map {
        ReportFixture.chapel(
          "o\($0).jpg", "_street", 0.9, verdict: $0 < named ? .building : .notACampusBuilding)
      }
      let known = (0..<200).map { ReportFixture.chapel("\($0).jpg", "chapel", 0.9) }
      let report = ReportFixture.report(ReportFixture.evaluation(known + others))
      return NextSteps(report, of: ReportFixture.model(labels)).steps.map(\.text)
    }
    let count = "14 of 30 non-building photos got a building's name."
    let own = steps(named: 14, ["_street", "chapel", "tower"])
    #expect(
      own.contains(
        "Train with more non-building photos like the named ones (--negatives): " + count))
    let drawn = steps(named: 14, ["_drawn", "chapel", "tower"])
    #expect(
      drawn.contains { $0.hasPrefix("Train with --negatives and a folder") && $0.hasSuffix(count) })
    #expect(
      !steps(named: 1, ["_street", "chapel", "tower"]).contains { $0.contains("--negatives") })
  }

  @Test("Undivided building photos are reported as a limit")
  func undivided() {
    func limits(_ split: Split?) -> [String] {
      let answers = [
        ReportFixture.chapel("1.jpg", "chapel", 0.9, split: split),
        ReportFixture.chapel("2.jpg", "_street", 0.9, split: nil),
      ]
      return ReportFixture.report(ReportFixture.evaluation(answers)).card?.limits ?? []
    }
    #expect(!limits(.test).contains { $0.hasPrefix("These photos have no split") })
    #expect(limits(nil).contains { $0.hasPrefix("These photos have no split") })
  }

  @Test("One session is reported only if all sessions are known")
  func oneSession() {
    func isTold(_ groups: [String?]) -> Bool {
      let answers = groups.enumerated().map { number, group in
        ReportFixture.chapel("\(number).jpg", "chapel", 0.9, group: group)
      }
      let card = ReportFixture.report(ReportFixture.evaluation(answers)).card
      return card?.limits.contains {
        $0.hasPrefix("All test photos of buildings are from one session")
      } ?? false
    }
    #expect(isTold(["a", "a"]))
    #expect(!isTold(["a", "b"]) && !isTold([nil, nil]))
    #expect(!isTold(["a", nil]))
  }

  @Test("Several sessions on one day are reported as one day")
  func oneDay() {
    func limits(_ days: [String], trained: Set<String>? = nil) -> [String] {
      let answers = days.enumerated().map { number, day in
        var answer = ReportFixture.chapel("\(number).jpg", "chapel", 0.9, group: "g\(number)")
        answer.facts.captureTime = "2026:10:\(day) 10:00:00"
        return answer
      }
      var evaluation = ReportFixture.evaluation(answers)
      evaluation.trainedDays = trained.map { ["chapel": $0] }
      return ReportFixture.report(evaluation).card?.limits ?? []
    }
    let start = "All test photos of buildings are from one "
    #expect(limits(["05", "05"]).contains { $0.hasPrefix(start + "day. If the training") })
    let same = limits(["05", "05"], trained: ["2026-10-05", "2026-10-06"])
    #expect(same.contains { $0.hasPrefix(start + "day, like some of the training photos,") })
    #expect(!limits(["05", "05"], trained: ["2026-10-06"]).contains { $0.hasPrefix(start) })
    #expect(!limits(["05", "06"]).contains { $0.hasPrefix(start) })
  }

  private static func named() throws -> Model {
    let map = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"role": "boundary"}, "geometry": {"type": "Polygon",
         "coordinates": [[[10, 48], [10.02, 48], [10.02, 48.01], [10, 48.01], [10, 48]]]}},
        {"type": "Feature", "properties": {"role": "building", "label": "chapel", "name": "Chapel of <Ease>"},
         "geometry": {"type": "Point", "coordinates": [10.01, 48.005]}}]}
      """
    return ReportFixture.model(campus: try Campus(geoJSON: Array(map.utf8)))
  }

  @Test(
    "Buildings have their map names, with labels, in page and text")
  func names() async throws {
    let model = try Self.named()
    let report = ReportFixture.report(
      ReportFixture.evaluation(ReportFixture.answers, model), model)
    let page = try await ReportPage(report, of: Recognizer(model: model)).html()
    #expect(page.contains("Chapel of &lt;Ease&gt; mistaken for tower: 1 photo"))
    #expect(page.contains("title=\"chapel\""))
    #expect(page.contains("tower: Unsure; first guess: Chapel of &lt;Ease&gt;"))
    // The first guess is the first building of the answer, which considers the position.
    var placed = ReportFixture.chapel("p.jpg", "tower", 0.2, verdict: .unsure)
    placed.bestWithPlace = "chapel"
    let unsure = ReportFixture.report(ReportFixture.evaluation([placed], model), model)
    #expect(
      try await ReportPage(unsure, of: Recognizer(model: model)).html().contains(
        "tower: Unsure; first guess: Chapel of &lt;Ease&gt;"))
    var text = EvaluationText(report, width: 100)
    #expect(text.text.contains("Chapel of <Ease> mistaken for tower: 1 (2.jpg)"))
    #expect(text.text.contains("most frequent confusions of first guesses from the image alone"))
    #expect(text.text.contains(" label  precision"))
    text.showsMatrix = true
    #expect(text.text.contains("1 Chapel of <Ease>"))
    #expect(try ReportFixture.csv("per_label", of: report).rows[0][0] == "chapel")
  }

  @Test("Labels distinguish buildings with the same name")
  func sharedNames() throws {
    let map = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"role": "boundary"}, "geometry": {"type": "Polygon",
         "coordinates": [[[10, 48], [10.02, 48], [10.02, 48.01], [10, 48.01], [10, 48]]]}},
        {"type": "Feature", "properties": {"role": "building", "label": "a", "name": "Hall"},
         "geometry": {"type": "Point", "coordinates": [10.01, 48.005]}},
        {"type": "Feature", "properties": {"role": "building", "label": "b", "name": "Hall"},
         "geometry": {"type": "Point", "coordinates": [10.011, 48.005]}}]}
      """
    let names = BuildingNames(try Campus(geoJSON: Array(map.utf8)), labels: ["a", "b", "c"])
    #expect(names["a"] == "Hall (a)" && names["b"] == "Hall (b)" && names["c"] == "c")
    #expect(names["_not_a_building"] == "non-building photos")
    #expect(names.label(besideNameOf: "a") == "a" && names.label(besideNameOf: "c") == nil)
  }

  @Test("Buildings without a mistake are collapsed")
  func perfect() async throws {
    let answers = ReportFixture.answers + [ReportFixture.chapel("8.jpg", "tower", 0.1)]
    func page(_ answers: [Evaluation.Answer]) async throws -> String {
      let report = ReportFixture.report(ReportFixture.evaluation(answers))
      return try await ReportPage(report, of: Recognizer(model: ReportFixture.model())).html()
    }
    #expect(!(try await page(answers).contains("with only right names")))
    let right = [answers[0], answers[2]]
    let folded = try await page(right)
    #expect(folded.contains("<summary>2 buildings with only right names</summary>"))
    #expect(folded.contains("All test photos got the right name."))
  }

  @Test("A large matrix is printed only on request")
  func manyLabels() {
    let labels = (10..<50).map { "hall\($0)" }
    let model = ReportFixture.model(["_street"] + labels)
    let answers = labels.enumerated().map { index, label in
      let other = labels[(index + 1) % labels.count]
      return ReportFixture.answer(label + ".jpg", label, [(label, 0.3), (other, 0.6)])
    }
    var text = EvaluationText(
      ReportFixture.report(ReportFixture.evaluation(answers, model), model), width: 100)
    #expect(!text.text.contains(".  .  .") && text.text.contains("and 30 more pairs"))
    text.showsMatrix = true
    #expect(text.text.contains(".  .  ."))
  }

  @Test("A matrix of wide names is aligned and fits the terminal", arguments: [20, 60])
  func wideNames(width: Int) throws {
    let labels = ["hall", "図書館図書館図書館"]
    let model = ReportFixture.model(["_street"] + labels)
    let answers = labels.map { label in
      ReportFixture.answer(label + ".jpg", label, labels.map { ($0, $0 == label ? 0.9 : 0.1) })
    }
    var text = EvaluationText(
      ReportFixture.report(ReportFixture.evaluation(answers, model), model), width: width)
    text.showsMatrix = true
    let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false)
    let title = try #require(lines.lastIndex { $0.hasSuffix("alone)") })
    let matrix = lines[(title + 1)...].prefix(3)
    #expect(matrix.count == 3)
    #expect(matrix.allSatisfy { WrappedText.width($0) == min(2 + 18, width / 2) + 4 })
  }
}

@Suite("Text of an evaluation")
struct EvaluationBriefTests {
  @Test("The brief text has about ten lines and no dashes")
  func brief() {
    let report = ReportFixture.report(ReportFixture.evaluation())
    let lines = EvaluationText(report, width: 100).brief.split(separator: "\n")
    #expect(lines.count <= 14, "\(lines)")
    func row(_ name: String) -> Substring? {
      lines.first { $0.hasPrefix(name) }?.dropFirst(22)
    }
    #expect(
      row("your buildings")
        == "4 test photos of 2 buildings: 2 right, 1 wrong, 1 unsure, 0 rejected")
    #expect(row("weakest building") == "chapel: 1 right, 1 wrong, 0 unsure, 0 rejected")
    #expect(
      row("unknown buildings")
        == "1 photo: 0 rejected (right), 1 named, 0 unsure (too few for a conclusion)")
    #expect(row("non-building photos") == "2 photos: 1 rejected (right), 1 named, 0 unsure")
    #expect(row("next step")?.hasPrefix("Train with more non-building photos") == true)
    #expect(!lines.contains { $0.hasSuffix(" -") || $0.contains(" - ") })
  }

  @Test("Buildings without test photos are listed and have no row")
  func untested() {
    let report = ReportFixture.report(
      ReportFixture.evaluation([ReportFixture.chapel("1.jpg", "chapel", 0.9)]))
    let text = EvaluationText(report, width: 100)
    #expect(text.brief.contains("not tested            1 building without test photos: tower"))
    #expect(text.brief.contains("weakest building      none; every test photo got the right name"))
    #expect(text.text.contains("\nwithout test photos: tower"))
    #expect(!text.text.contains("\ntower"))
  }

  @Test("Plots are plain text that fits the terminal", arguments: [40, 100])
  func plots(width: Int) {
    var report = ReportFixture.report(ReportFixture.evaluation())
    var text = EvaluationText(report, width: width)
    #expect(!text.brief.contains("learning curve"))
    text.showsPlots = true
    #expect(text.brief.contains("not measured"))
    report.learningCurve = [(1, 10), (5, 20), (20, 40)].map { size, right in
      LearningCurve.Point(photosPerBuilding: size, named: Share(right: right, of: 40))
    }
    text = EvaluationText(report, width: width)
    text.showsPlots = true
    #expect(text.text.contains("confused pairs") && text.brief.contains("confused pairs"))
    let lines = text.brief.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= width && $0.allSatisfy(\.isASCII) })
    let bars = lines.filter { $0.contains("##") }
    #expect(bars.map { $0.split(separator: " ").first } == ["1", "5", "20", "chapel", "tower"])
    #expect(bars.map { $0.split(separator: " ").last } == ["25.0%", "50.0%", "100.0%", "1", "1"])
    let lengths = bars.map { line in line.count { $0 == "#" } }
    #expect(lengths[0] < lengths[1] && lengths[1] < lengths[2])
    #expect(lengths[2] == (width == 100 ? 50 : 26))
  }

  @Test("Empty columns of a table are left out")
  func filled() {
    let columns: [Column<Double?>] = [
      .text("name") { _ in "a" }, .share("known") { $0 }, .share("open") { _ in nil },
    ]
    #expect(Table([0.5, nil], columns).filled.headings.map(\.key) == ["name", "known"])
    #expect(Table([Double?](), columns).filled.headings.count == 3)
  }
}
