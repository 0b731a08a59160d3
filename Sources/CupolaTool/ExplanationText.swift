import Cupola
import CupolaTraining

/// An explanation as people read it.
struct ExplanationText {
  private let explanation: Explanation
  private let headline: String
  private let label: String
  private let against: String

  init(_ explanation: Explanation, _ answer: Recognition, _ campus: Campus?) {
    self.explanation = explanation
    headline = VisibleText.line(answer.headline(in: campus))
    label = VisibleText.line(campus.name(of: explanation.label))
    against = VisibleText.line(campus.name(of: explanation.against))
  }

  /// What the model answered, and why.
  var lines: [String] {
    [
      headline,
      "  by the picture: \(label) (\(FigureText.percent(explanation.probability))) rather than "
        + "\(against) (\(FigureText.percent(explanation.againstProbability)))",
      "  logits: \(signed(explanation.logitDifference)), of which "
        + "\(signed(explanation.evidenceFor)) for \(label), "
        + "\(signed(explanation.evidenceAgainst)) for \(against), "
        + "\(signed(explanation.biasDifference)) whatever the picture shows",
      "  " + places,
    ]
  }

  /// What should make people look closer.
  var warning: String? {
    guard explanation.isSuspicious else { return nil }
    let share = (explanation.share(of: .sky) ?? 0) + (explanation.share(of: .border) ?? 0)
    return "\(whole(share)) of the evidence lies in sky or at the border, not on a building; train "
      + "with more photos, of other days and other places to stand"
  }

  private var places: String {
    guard explanation.map.magnitude > 0 else {
      return "no evidence anywhere: the picture has no edges"
    }
    func part(_ area: PictureArea) -> String { whole(explanation.share(of: area) ?? 0) }
    return
      "\(part(.middle)) of the evidence lies in the middle of the picture, \(part(.sky)) in sky, "
      + "\(part(.border)) at the border, \(part(.elsewhere)) elsewhere"
  }

  private func whole(_ share: Double) -> String { Format.decimal(100 * share, digits: 0) + " %" }

  private func signed(_ value: Double) -> String {
    (value < 0 ? "" : "+") + Format.decimal(value, digits: 2)
  }
}
