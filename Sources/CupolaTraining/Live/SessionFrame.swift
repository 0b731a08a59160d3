package import Cupola

/// One frame of a recorded session: a line of its `session.jsonl`.
package struct SessionFrame: Codable, Equatable, Sendable {
  /// From 1 on.
  var frame: Int
  /// The picture, within the folder.
  var file: String
  /// Seconds since the first frame.
  package var time: Double
  /// How a raw frame stands in its file; `nil` for a picture of a file format.
  package var layout: RawLayout?
  package var position: Position?
  package var heading: Heading?
  /// What it shows: a label, or `nil` for nothing that the model knows.
  package var truth: String?
  /// What was answered when it was recorded.
  var answer: Answer?

  /// What was shown.
  package struct Answer: Codable, Equatable, Sendable {
    var verdict: LiveAnswer.Verdict
    var label: String?
    var probability: Double?
    var hint: LiveHint?

    package init(_ answer: LiveAnswer) {
      (verdict, label) = (answer.verdict, answer.label)
      (probability, hint) = (answer.probability, answer.hint)
    }
  }

  package init(
    frame: Int, file: String = "", time: Double, layout: RawLayout? = nil,
    position: Position? = nil, heading: Heading? = nil, truth: String? = nil,
    answer: Answer? = nil
  ) {
    (self.frame, self.file, self.time, self.layout) = (frame, file, time, layout)
    (self.position, self.heading, self.truth, self.answer) = (position, heading, truth, answer)
  }
}
