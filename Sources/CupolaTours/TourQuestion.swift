internal import CupolaCampus
public import CupolaGuide
internal import CupolaSupport

// 1. A question is read from JSON: one of choices, texts or a number, with points and tries.
// 2. Text answers need letters or digits, because only these are compared.
// 3. `isRight` compares an answer with the right ones, or returns `nil` if the kind differs.

/// A question that visitors answer at a stop.
public struct TourQuestion: Equatable, Sendable {
  /// One of several answers to choose from.
  public struct Choice: Equatable, Sendable {
    /// What it says.
    public let text: LocalizedText
    let isRight: Bool

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
  var hint: LocalizedText?
  var explanation: LocalizedText?
  /// What a right answer is worth, 0...1000.
  package internal(set) var points = TourQuestion.usualPoints
  /// How often one may answer, 1...100.
  var tries = TourQuestion.usualTries

  static let pointsRange = 0...1000
  static let triesRange = 1...100
  static let choiceCounts = 2...20
  static let usualPoints = 1
  static let usualTries = 3

  var hasRightAnswer: Bool {
    switch form {
    case .choices(let choices): choices.contains(where: \.isRight)
    case .text(let texts): !texts.isEmpty
    case .number: true
    }
  }

  /// Whether an answer is right; `nil` for what is no answer to this question, such as a text where a
  /// number is asked for. Where nothing is right, everything is.
  func isRight(_ answer: TourAnswer) -> Bool? {
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

/// What a visitor answers.
public enum TourAnswer: Equatable, Sendable {
  /// The numbers of what was chosen, from 0, in any order.
  case choices([Int])
  /// A text as it was typed.
  case text(String)
  /// A number.
  case number(Double)
}

extension TourQuestion {
  /// - Parameter number: of the question, from 1: what it is known by without an identifier.
  init(_ node: TourNode, _ languages: [String], number: Int) throws(GuideError) {
    try node.checkMembers([
      "id", "text", "choices", "answers", "number", "tolerance", "hint", "explanation", "points",
      "tries",
    ])
    let form = try Self.form(node, languages)
    if let tolerance = node["tolerance"], node["number"] == nil {
      throw tolerance.fault("a tolerance of no number; remove it")
    }
    self.init(
      id: try node["id"]?.identifier() ?? String(number),
      text: try node.required("text").localized(languages, lines: true), form: form,
      hint: try node["hint"]?.localized(languages, lines: true),
      explanation: try node["explanation"]?.localized(languages, lines: true),
      points: try node["points"]?.integer(Self.pointsRange) ?? Self.usualPoints,
      tries: try node["tries"]?.integer(Self.triesRange) ?? Self.usualTries)
  }

  private static func form(
    _ node: TourNode, _ languages: [String]
  ) throws(GuideError) -> Form {
    let forms = ["choices", "answers", "number"].compactMap { node[$0] }
    guard forms.count == 1 else {
      throw node.fault("give it one of \"choices\", \"answers\" and \"number\"")
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
        throw node.fault("neither letters nor digits, which alone are compared")
      }
      texts.append(text)
    }
    return texts
  }
}
