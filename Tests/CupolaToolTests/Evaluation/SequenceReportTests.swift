import Testing

@testable import CupolaTool
@testable import CupolaTraining

@Suite("What evaluate --sequences prints")
struct SequenceReportTests {
  private static func text(_ frames: [(truth: String?, shown: String?)]) -> String {
    let frames = frames.map { frame in
      SequenceEvaluation.Frame(
        truth: frame.truth, shown: frame.shown, single: nil, best: nil, odds: 0)
    }
    return SequenceReport.text(SequenceFigures([frames]))
  }

  @Test("Where half of the buildings get no name, it is not said that most get none")
  func half() {
    let text = Self.text([("a", "a"), ("b", nil)])
    #expect(text.contains("first name: none for half or more, never for 1 of 2"))
  }

  @Test("One frame is no frames")
  func one() {
    let text = Self.text([("a", "a"), ("a", nil), ("a", "a"), (nil, "a")])
    for words in ["1 time a name", "first name: 1 frame in", "gone:      1 frame after"] {
      #expect(text.contains(words), "\(text)")
    }
  }
}
