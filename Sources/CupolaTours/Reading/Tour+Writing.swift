internal import CupolaGuide
internal import CupolaSupport

extension Tour {
  /// The file of the tour: one line, the same bytes for the same tour, and for what is read from them.
  public var json: [UInt8] {
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
