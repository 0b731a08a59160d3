internal import CupolaCampus
public import CupolaGuide
internal import CupolaSupport

/// A question that visitors answer at a stop.
public struct TourQuestion: Equatable, Sendable {
  /// One of several answers to choose from.
  public struct Choice: Equatable, Sendable {
    /// What it says.
    public let text: LocalizedText
    /// Whether it is right.
    public let isRight: Bool

    init(_ text: LocalizedText, isRight: Bool = false) {
      (self.text, self.isRight) = (text, isRight)
    }
  }

  /// What an answer is, and which ones are right.
  public enum Form: Equatable, Sendable {
    /// 2 to 20 choices; all right ones and no other have to be chosen. None right: whatever is chosen is taken.
    case choices([Choice])
    /// Texts that are right, compared without case, accents and punctuation. None: any text is taken.
    case text([String])
    /// A number, right within a tolerance of 0 or more.
    case number(Double, tolerance: Double)
  }

  /// What the stop knows it by.
  public let id: String
  /// What is asked.
  public let text: LocalizedText
  /// What an answer is.
  public let form: Form
  /// Helps those who do not know.
  public let hint: LocalizedText?
  /// Is shown when the question has been answered.
  public let explanation: LocalizedText?
  /// What a right answer is worth, 0...1000.
  public let points: Int
  /// How often one may answer, 1...100.
  public let tries: Int

  init(
    id: String, text: LocalizedText, form: Form, hint: LocalizedText? = nil,
    explanation: LocalizedText? = nil, points: Int = 1, tries: Int = 3
  ) {
    (self.id, self.text, self.form) = (id, text, form)
    (self.hint, self.explanation) = (hint, explanation)
    (self.points, self.tries) = (points, tries)
  }

  static let pointsRange = 0...1000
  static let triesRange = 1...100
  static let choiceCounts = 2...20
  static let usualPoints = 1
  static let usualTries = 3

  /// Whether there is anything that is right.
  public var hasRightAnswer: Bool {
    switch form {
    case .choices(let choices): choices.contains(where: \.isRight)
    case .text(let texts): !texts.isEmpty
    case .number: true
    }
  }

  /// Whether an answer is right; `nil` for what is no answer to this question, such as a text where a
  /// number is asked for. Where nothing is right, everything is.
  public func isRight(_ answer: TourAnswer) -> Bool? {
    switch (form, answer) {
    case (.choices(let choices), .choices(let chosen)):
      guard !chosen.isEmpty, chosen.allSatisfy(choices.indices.contains) else { return nil }
      let right = choices.indices.filter { choices[$0].isRight }
      return right.isEmpty || Set(chosen) == Set(right)
    case (.text(let right), .text(let text)):
      // Nobody types that much; folding more takes long.
      guard text.utf8.count <= Self.mostAnswerBytes else { return nil }
      var folding = Folding()
      let words = folding.words(of: text)
      guard !words.isEmpty else { return nil }
      return right.isEmpty || right.contains { folding.words(of: $0) == words }
    case (.number(let right, let tolerance), .number(let number)):
      guard number.isFinite else { return nil }
      // 1.0 is a tenth from 1.1, but not of the numbers that a computer has for them.
      let rounding = 2 * max(number.magnitude, right.magnitude, tolerance).ulp
      return (number - right).magnitude <= tolerance + rounding
    default: return nil
    }
  }

  private static let mostAnswerBytes = 10_000
}
