import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Next steps")
struct NextStepsTests {
  @Test("few photos leave the accuracy open, and none tell nothing", arguments: [0, 1, 2, 100])
  func photos(known: Int) {
    let street = ReportFixture.chapel("s.jpg", "_street", 0.1, verdict: .notACampusBuilding)
    let answers = (0..<known).map { ReportFixture.chapel("\($0).jpg", "chapel", 0.9) }
    let report = ReportFixture.report(ReportFixture.evaluation(answers + [street]))
    let steps = NextSteps(report, of: ReportFixture.model()).steps.map(\.text)
    let more = "Measure with more photos of another day: "
    let expected: [Int: [String]] = [
      0: [
        "Measure with photos of the model's own buildings: without any nothing tells its accuracy."
      ],
      1: [more + "1 photo leaves the accuracy open."],
      2: [more + "2 photos leave the accuracy open."],
    ]
    #expect(steps == expected[known] ?? [])
  }

  @Test("places that make answers worse ask for another map")
  func place() {
    let answers = (0..<100).map { number in
      var answer = ReportFixture.chapel("\(number).jpg", "chapel", 0.9)
      if number < 5 { answer.bestWithPlace = "way/101" }
      return answer
    }
    let report = ReportFixture.report(ReportFixture.evaluation(answers))
    let steps = NextSteps(report, of: ReportFixture.model()).steps.map(\.text)
    #expect(
      steps.first?.hasPrefix(
        "Mend the map or the photos' places, see cupola check --campus: with them 95.0 %") == true)
  }
}
