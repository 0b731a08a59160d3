import CoreGraphics
import Cupola
import SwiftUI

/// A photo with its answer, and the parts of the photo that led to it.
struct StillView: View {
  let shown: Lens.Shown
  let campus: Campus?
  @State private var showsEvidence = true

  var body: some View {
    let answer = shown.answer
    ScrollView {
      VStack(alignment: .leading, spacing: 16) {
        shown.picture.resizable().scaledToFit()
          .overlay {
            if showsEvidence, let map = answer.explanation?.map { EvidenceOverlay(map: map) }
          }
          .clipShape(RoundedRectangle(cornerRadius: 12))
          .accessibilityLabel("The photo")
        AnswerView(text: answer.text, building: answer.recognition.building)
        if let explanation = answer.explanation {
          Toggle("Show the Evidence", isOn: $showsEvidence)
          let (label, other) = (name(explanation.label), name(explanation.against))
          Text("Orange: evidence for \(label). Blue: evidence for \(other).").font(.footnote)
        }
        if !answer.candidates.isEmpty {
          CandidateList(
            candidates: answer.candidates, campus: campus,
            showsProbabilities: answer.recognition.showsProbabilities)
        }
      }
      .padding()
    }
    .presentationDragIndicator(.visible)
  }

  private func name(_ label: String) -> String { campus?.building(labeled: label)?.name ?? label }
}

/// The evidence in each part of a photo. Covers the whole photo, which is what models receive by default.
struct EvidenceOverlay: View {
  let map: EvidenceMap

  var body: some View {
    Canvas { context, size in
      let most = map.values.map(\.magnitude).max() ?? 0
      guard most > 0 else { return }
      let (width, height) = (size.width / Double(map.columns), size.height / Double(map.rows))
      for (number, value) in map.values.enumerated() {
        let (row, column) = number.quotientAndRemainder(dividingBy: map.columns)
        let part = CGRect(
          x: Double(column) * width, y: Double(row) * height, width: width, height: height)
        let color: Color = value > 0 ? .orange : .blue
        context.fill(Path(part), with: .color(color.opacity(0.7 * value.magnitude / most)))
      }
    }
    .accessibilityHidden(true)
  }
}
