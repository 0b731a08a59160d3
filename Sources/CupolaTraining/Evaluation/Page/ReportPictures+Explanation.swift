public import Cupola

extension ReportPictures {
  /// Has drawings beside mistaken photos of what speaks for the answer, and what for the truth; for the
  /// next building where the truth is none.
  public mutating func explain(by model: Model) {
    let explainer = Explainer(model: model)
    var picture = ExplanationOverlay()
    picture.maximumSide = Self.side
    picture.usualSide = Self.side
    picture.hasCaption = false
    let drawn = picture
    let known = Set(model.labels.buildings.map { model.labels.names[$0] })
    overlay = { photo, answer in
      let taken =
        answer.verdict == .building ? answer.answered : answer.candidates.first?.label
      let truth = answer.photo.label
      let other = known.contains(truth) && truth != taken ? truth : nil
      guard let taken,
        let explanation = try? explainer.explain(photo, label: taken, against: other),
        let jpeg = try? drawn.jpeg(explanation, photo: photo, campus: model.campus)
      else { return nil }
      return Drawing(jpeg: jpeg, caption: caption(of: explanation, model.campus))
    }
  }
}

/// What the colors mean, and a warning where they mean little.
private func caption(of explanation: Explanation, _ campus: Campus?) -> String {
  let (label, against) = (campus.name(of: explanation.label), campus.name(of: explanation.against))
  let text = "Orange speaks for \(label), blue for \(against)."
  return explanation.isSuspicious
    ? text + " More than half of the evidence lies in sky or border." : text
}
