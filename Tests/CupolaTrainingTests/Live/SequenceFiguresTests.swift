import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Figures of sequences") struct SequenceFiguresTests {
  private typealias Frame = SequenceEvaluation.Frame

  /// Frames from letters: what each shows, and what is said of it; `.` is nothing.
  private static func frames(_ truth: String, _ shown: String) -> [Frame] {
    zip(truth, shown).enumerated().map { index, pair in
      func name(_ letter: Character) -> String? { letter == "." ? nil : String(letter) }
      return Frame(
        truth: name(pair.0), shown: name(pair.1), single: name(pair.1), best: name(pair.1) ?? "z",
        odds: Double(index))
    }
  }

  private static func figures(_ sessions: (String, String)...) -> SequenceFigures {
    SequenceFigures(sessions.map { truth, shown in frames(truth, shown) })
  }

  @Test("Names, errors, changes and times are counted as a person would")
  func counts() {
    let figures = Self.figures(("aaaabbbb....", "..aaaa.bbb.."), ("....", ".cc."))
    #expect(figures.sessions == 1 && figures.unknownSessions == 1 && figures.frames == 12)
    #expect(figures.named == 7.0 / 12 && figures.wrong == 4.0 / 7)
    #expect(figures.nameChanges == 2 && figures.trueChanges == 2 && figures.gaps == 0)
    #expect(figures.framesToName == [3, 4] && figures.medianFramesToName == 4)
    #expect(figures.framesToGo == [2] && figures.unknownNamed == 0.5)
  }

  @Test("A name that goes and comes back is a gap, one that never comes the slowest")
  func gaps() {
    let figures = Self.figures(("aaaaaaaa", ".aa.aa.a"), ("bbbb", "...."), ("cccc", ".aa."))
    #expect(figures.gaps == 2 && figures.nameChanges == 2)
    #expect(figures.framesToName == [2, nil, nil] && figures.medianFramesToName == nil)
    #expect(figures.framesToGo.isEmpty && figures.unknownNamed == nil)
  }

  @Test("Single frames are compared at as many names, the surest")
  func singles() {
    let answers: [(Double, String, String?)] = [
      (3, "a", "a"), (2, "b", "a"), (1, "a", "a"), (0, "a", nil),
    ]
    let figures = SequenceFigures([
      answers.map { odds, best, shown in
        Frame(truth: "a", shown: shown, single: odds > 0 ? best : nil, best: best, odds: odds)
      }
    ])
    #expect(figures.named == 0.75 && figures.wrong == 0 && figures.singleWrong == 1.0 / 3)
    // Off the campus no frame is looked at, and none could have got a name.
    let shown = Frame(truth: "a", shown: "a", single: nil, best: "a", odds: -1)
    let outside = Frame(truth: "a", shown: nil, single: nil, best: nil, odds: .infinity)
    let left = SequenceFigures([[shown, outside]])
    #expect(left.named == 0.5 && left.singleWrong == 0)
  }

  @Test("No sessions have no figures")
  func none() {
    let figures = SequenceEvaluation().figures
    #expect(figures.named == nil && figures.medianFramesToName == nil)
  }

  @Test("Where no name is shown, no share of the names is told")
  func nameless() throws {
    let figures = Self.figures(("aaaa", "...."))
    #expect(figures.named == 0 && figures.wrong == nil && figures.singleWrong == nil)
    let json = try JSONObject.text(figures, pretty: true)
    #expect(!json.contains("\"wrong\"") && !json.contains("single_wrong"))
  }

  @Test("A small share has the digits that it needs, and none has one")
  func smallShares() {
    #expect(FigureText.smallPercent(0) == "0.0 %" && FigureText.smallPercent(0.05) == "5.0 %")
    #expect(FigureText.smallPercent(0.00004) == "0.004 %")
  }
}
