public import CupolaGuide
internal import CupolaSupport

extension Tour {
  /// Reads a tour from JSON.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)`, which contains the JSON path of the invalid value;
  ///   `GuideError.newerFormat(_:)`.
  public init(json bytes: [UInt8], path: String) throws(GuideError) {
    let node = try TourNode(
      json: bytes, format: Self.format, mostBytes: Self.mostBytes, file: path)
    try node.checkMembers([
      "format", "id", "title", "languages", "order", "passkey", "from", "until", "stops",
    ])
    let languages = try Self.languages(node.required("languages"))
    let from = try node["from"]?.date()
    let until = try node["until"]?.date()
    if let from, let until, until < from {
      throw try node.required("until").fault("earlier than \"from\"; swap the dates")
    }
    let order: Order = try node.required("order").oneOf("fixed", "free")
    let id = try node.required("id").identifier()
    let title = try node.required("title").localized(languages, mostBytes: Self.mostTitleBytes)
    let needsPasskey = try node["passkey"]?.boolean() ?? false
    let list = try node.required("stops")
    var stops: [TourStop] = []
    for stop in try list.list(1...Self.mostStops) { stops.append(try TourStop(stop, languages)) }
    try TourConditions(stops, order).check(list)
    self.init(
      id: id, title: title, languages: languages, order: order, stops: stops, from: from,
      until: until, needsPasskey: needsPasskey)
  }

  /// Reads a tour from a file.
  ///
  /// - Throws: The errors of ``init(json:path:)``, and `GuideError.file(_:)`.
  public init(path: String) throws(GuideError) {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    try self.init(json: bytes, path: path)
  }

  private static func languages(_ node: TourNode) throws(GuideError) -> [String] {
    var languages: [String] = []
    for element in try node.list(1...mostLanguages) {
      guard case .string(let language) = element.value, isLanguage(language) else {
        throw element.fault("invalid language; write it like en or pt-BR")
      }
      guard !languages.contains(language) else {
        throw element.fault("duplicate language \(language); remove one")
      }
      languages.append(language)
    }
    return languages
  }

  /// Checks the structure of a BCP 47 tag: two or three letters, followed by parts of letters and digits.
  private static func isLanguage(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.utf8.count), text.utf8.count <= 35,
      first.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.utf8.count)
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
  }

  /// The tour as a single line of JSON; equal tours have equal bytes.
  package var json: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "id": .string(id), "title": json(title),
      "languages": .array(languages.map { .string($0) }), "order": .string(order.rawValue),
      "stops": .array(stops.map(json)),
    ]
    if needsPasskey { members["passkey"] = .boolean(true) }
    members["from"] = from.map { .string($0.description) }
    members["until"] = until.map { .string($0.description) }
    return JSONWriter.bytes(of: .object(members)) + [UInt8(ascii: "\n")]
  }

  private func json(_ text: LocalizedText) -> JSONValue {
    if text.texts.count == 1, let first = languages.first, let only = text.texts[first] {
      return .string(only)
    }
    return .object(text.texts.mapValues { .string($0) })
  }

  private func json(_ stop: TourStop) -> JSONValue {
    var members: [String: JSONValue] = ["id": .string(stop.id), "title": json(stop.title)]
    switch stop.place {
    case .named(let place): members["place"] = .string(place)
    case .point(let latitude, let longitude):
      (members["latitude"], members["longitude"]) = (.number(latitude), .number(longitude))
    case nil: break
    }
    if stop.place != nil { members["radius"] = .number(stop.radius) }
    if let beacon = stop.beacon {
      members["beacon"] = .object([
        "zone": .string(beacon.zone), "level": .string(beacon.level.rawValue),
      ])
    }
    members["text"] = stop.text.map(json)
    if !stop.media.isEmpty { members["media"] = .array(stop.media.map(json)) }
    if !stop.questions.isEmpty { members["questions"] = .array(stop.questions.map(json)) }
    if !stop.after.isEmpty { members["after"] = .array(stop.after.map { .string($0) }) }
    return .object(members)
  }

  private func json(_ media: TourMedia) -> JSONValue {
    var members: [String: JSONValue] = [
      "path": .string(media.path), "kind": .string(media.kind.rawValue),
    ]
    members["alt"] = media.alternative.map(json)
    return .object(members)
  }

  private func json(_ question: TourQuestion) -> JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(question.id), "text": json(question.text),
      "points": .integer(question.points), "tries": .integer(question.tries),
    ]
    members["hint"] = question.hint.map(json)
    members["explanation"] = question.explanation.map(json)
    switch question.form {
    case .choices(let choices):
      members["choices"] = .array(
        choices.map { choice in
          var members = ["text": json(choice.text)]
          if choice.isRight { members["right"] = .boolean(true) }
          return .object(members)
        })
    case .text(let texts): members["answers"] = .array(texts.map { .string($0) })
    case .number(let number, let tolerance):
      members["number"] = .number(number)
      if tolerance > 0 { members["tolerance"] = .number(tolerance) }
    }
    return .object(members)
  }
}
