internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

extension TourQuestion {
  /// - Parameter number: of the question, from 1: what it is known by without an identifier.
  /// - Throws: ``GuideError/badTour(path:problem:)``.
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
