internal import CupolaCampus
public import CupolaGuide
internal import CupolaSupport

// 1. Read a question from JSON, and compare answers with the right ones.

/// A question at a stop.
public struct TourQuestion: Equatable, Sendable {
  /// A choice of a question.
  public struct Choice: Equatable, Sendable {
    /// The text of the choice.
    public let text: LocalizedText
    let isRight: Bool

    init(_ text: LocalizedText, isRight: Bool = false) {
      (self.text, self.isRight) = (text, isRight)
    }
  }

  /// The kind of answer, with the right answers.
  public enum Form: Equatable, Sendable {
    /// 2 to 20 choices; all right ones, and no others, must be selected. If none is right, any answer is accepted.
    case choices([Choice])
    /// The right answers, compared without case, accents and punctuation; if empty, any text is accepted.
    case text([String])
    /// A number with a tolerance of at least 0.
    case number(Double, tolerance: Double)
  }

  /// The identifier of the question within its stop.
  public let id: String
  /// The text of the question.
  public let text: LocalizedText
  /// The kind of answer.
  public let form: Form
  var hint: LocalizedText?
  var explanation: LocalizedText?
  /// The points for a right answer, 0 to 1000.
  package internal(set) var points = TourQuestion.defaultPoints
  /// The maximum number of attempts, 1 to 100.
  var tries = TourQuestion.defaultTries

  static let pointsRange = 0...1000
  static let triesRange = 1...100
  static let choiceCounts = 2...20
  static let defaultPoints = 1
  static let defaultTries = 3

  var hasRightAnswer: Bool {
    switch form {
    case .choices(let choices): choices.contains(where: \.isRight)
    case .text(let texts): !texts.isEmpty
    case .number: true
    }
  }

  /// Whether an answer is right; `nil` if it is of the wrong kind for the question.
  ///
  /// If the question has no right answer, any answer counts as right.
  func isRight(_ answer: TourAnswer) -> Bool? {
    switch (form, answer) {
    case (.choices(let choices), .choices(let chosen)):
      guard !chosen.isEmpty, chosen.allSatisfy(choices.indices.contains) else { return nil }
      let right = choices.indices.filter { choices[$0].isRight }
      return right.isEmpty || Set(chosen) == Set(right)
    case (.text(let right), .text(let text)):
      guard text.utf8.count <= Self.mostAnswerBytes else { return nil }
      var folding = Folding()
      let words = folding.words(of: text)
      guard !words.isEmpty else { return nil }
      return right.isEmpty || right.contains { folding.words(of: $0) == words }
    case (.number(let right, let tolerance), .number(let number)):
      guard number.isFinite else { return nil }
      // Decimal fractions are not exact; for example, 1.1 - 1.0 is more than 0.1.
      let rounding = 2 * max(number.magnitude, right.magnitude, tolerance).ulp
      return (number - right).magnitude <= tolerance + rounding
    default: return nil
    }
  }

  private static let mostAnswerBytes = 10_000
}

/// A visitor's answer.
public enum TourAnswer: Equatable, Sendable {
  /// The indices of the selected choices, in any order.
  case choices([Int])
  /// A typed text.
  case text(String)
  case number(Double)
}

extension TourQuestion {
  init(_ node: TourNode, _ languages: [String], number: Int) throws(GuideError) {
    try node.checkMembers([
      "id", "text", "choices", "answers", "number", "tolerance", "hint", "explanation", "points",
      "tries",
    ])
    let form = try Self.form(node, languages)
    if let tolerance = node["tolerance"], node["number"] == nil {
      throw tolerance.fault("tolerance without \"number\"; remove it")
    }
    self.init(
      id: try node["id"]?.identifier() ?? String(number),
      text: try node.required("text").localized(languages, lines: true), form: form,
      hint: try node["hint"]?.localized(languages, lines: true),
      explanation: try node["explanation"]?.localized(languages, lines: true),
      points: try node["points"]?.integer(Self.pointsRange) ?? Self.defaultPoints,
      tries: try node["tries"]?.integer(Self.triesRange) ?? Self.defaultTries)
  }

  private static func form(
    _ node: TourNode, _ languages: [String]
  ) throws(GuideError) -> Form {
    let forms = ["choices", "answers", "number"].compactMap { node[$0] }
    guard forms.count == 1 else {
      throw node.fault("must have exactly one of \"choices\", \"answers\" and \"number\"")
    }
    if let choices = node["choices"] { return .choices(try Self.choices(choices, languages)) }
    if let answers = node["answers"] { return .text(try texts(answers)) }
    let limit = 1e15
    return .number(
      try node.required("number").number(-limit...limit),
      tolerance: try node["tolerance"]?.number(0...limit) ?? 0)
  }

  private static func choices(
    _ node: TourNode, _ languages: [String]
  ) throws(GuideError) -> [Choice] {
    var choices: [Choice] = []
    for node in try node.list(choiceCounts) {
      try node.checkMembers(["text", "right"])
      choices.append(
        Choice(
          try node.required("text").localized(languages, mostBytes: Tour.mostTitleBytes),
          isRight: try node["right"]?.boolean() ?? false))
    }
    return choices
  }

  private static func texts(_ node: TourNode) throws(GuideError) -> [String] {
    var texts: [String] = []
    var folding = Folding()
    for node in try node.list(0...Tour.mostParts) {
      let text = try node.text(mostBytes: Tour.mostTitleBytes)
      guard !folding.words(of: text).isEmpty else {
        throw node.fault(
          "answer without letters or digits; add some, because only these are compared")
      }
      texts.append(text)
    }
    return texts
  }
}
