import Cupola
import Foundation

// 1. Answer a photo as `cupola classify` does.
// 2. Compute which parts of it led to the answer.

/// A building that an image may show.
nonisolated struct Candidate: Equatable, Sendable {
  let label: String
  let probability: Double
}

/// The answer for one photo, with its reasons.
nonisolated struct StillAnswer: Sendable {
  let recognition: Recognition
  let text: AnswerText
  /// `nil` if the photo was taken outside the campus.
  let explanation: Explanation?

  /// The most probable buildings, without those that would be shown as 0.0%.
  var candidates: [Candidate] {
    recognition.candidates.prefix(3).filter { $0.probability >= 0.0005 }
      .map { Candidate(label: $0.label, probability: $0.probability) }
  }
}

/// Answers photos off the main thread.
actor StillRecognizer {
  private let model: Model
  private let recognizer: Recognizer

  init(_ model: Model) {
    self.model = model
    recognizer = Recognizer(model: model)
  }

  /// Answers a camera frame, using the phone's position.
  func answer(_ frame: Camera.Still, at position: Position?, heading: Heading?) throws
    -> StillAnswer
  {
    let recognition = try recognizer.recognize(frame.image, at: position, heading: heading)
    return answer(recognition) { try $0.explain(frame.image, label: $1) }
  }

  /// Answers a photo file, using only the position in its EXIF data.
  func answer(_ file: Data) throws -> StillAnswer {
    let photo = try recognizer.decoder.open(file)
    let recognition = try recognizer.recognize(photo)
    return answer(recognition) { try $0.explain(photo, label: $1) }
  }

  private func answer(
    _ recognition: Recognition, explain: (Explainer, String?) throws -> Explanation
  ) -> StillAnswer {
    // A building known only from the map has no evidence in the image.
    let label = recognition.verdict == .building ? recognition.label : nil
    let explanation =
      recognition.verdict == .notOnCampus ? nil : try? explain(Explainer(model: model), label)
    return StillAnswer(
      recognition: recognition, text: recognition.text(in: model.campus), explanation: explanation)
  }
}
