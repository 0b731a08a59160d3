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
}
