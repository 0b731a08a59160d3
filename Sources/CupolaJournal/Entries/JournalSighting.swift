/// An answer of the recognizer.
public struct JournalSighting: Equatable, Sendable {
  /// The label that the recognizer gave.
  public var label: String
  /// How sure it was, 0...1.
  public var confidence: Double
  /// What it looked at.
  public var photo: JournalMedia?

  /// An answer; ``Journal`` refuses one with a confidence outside of 0...1.
  public init(label: String, confidence: Double, photo: JournalMedia? = nil) {
    self.label = label
    self.confidence = confidence
    self.photo = photo
  }
}
