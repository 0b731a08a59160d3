import Testing

@testable import CupolaTool
@testable import CupolaTraining

@Suite("What evaluate --sequences prints")
struct SequenceReportTests {
  @Test("Where half of the buildings get no name, it is not said that most get none")
  func half() {
    let frames: [(truth: String, shown: String?)] = [("a", "a"), ("b", nil)]
    var evaluation = SequenceEvaluation()
    evaluation.add(
      frames.map { frame in
        SequenceEvaluation.Frame(
          truth: frame.truth, shown: frame.shown, single: nil, best: nil, odds: 0)
      })
    let text = SequenceReport.text(evaluation.figures)
    #expect(text.contains("first name: none for half or more, never for 1 of 2"))
  }
}
