internal import CupolaCampus
internal import CupolaSupport

extension TourVisit {
  static let format = "cupola.visit/1"
  /// Bytes of a written visit at most.
  static let mostBytes = 16 << 20

  /// The visit as JSON, `cupola.visit/1`, from which it goes on as if nothing had happened: the same bytes for the
  /// same visit.
  public var json: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "tour": .string(tour.id), "digest": .string(digest),
      "stops": .array(tour.stops.indices.map(stopJSON)),
    ]
    if isFinished { members["finished"] = .boolean(true) }
    members["current"] = current.map { .string(tour.stops[$0].id) }
    members["away_since"] = awaySince.map { .number($0) }
    members["clock"] = senses.clock.map { .number($0) }
    if let fix = senses.fix {
      var position: [String: JSONValue] = [
        "latitude": .number(fix.position.latitude), "longitude": .number(fix.position.longitude),
        "time": .number(fix.time),
      ]
      position["accuracy"] = fix.position.horizontalError.map { .number($0) }
      members["position"] = .object(position)
    }
    if !senses.zones.isEmpty {
      members["zones"] = .object(senses.zones.mapValues { .string($0.rawValue) })
    }
    return JSONWriter.bytes(of: .object(members)) + [UInt8(ascii: "\n")]
  }

  private func stopJSON(_ number: Int) -> JSONValue {
    let (stop, progress) = (tour.stops[number], progress[number])
    var members: [String: JSONValue] = [
      "id": .string(stop.id), "phase": .string(progress.phase.rawValue),
    ]
    if progress.isOpened { members["opened"] = .boolean(true) }
    if progress.isNear { members["near"] = .boolean(true) }
    members["inside_since"] = progress.insideSince.map { .number($0) }
    if !stop.questions.isEmpty {
      members["questions"] = .array(
        zip(stop.questions, progress.questions).map { question, progress in
          .object([
            "id": .string(question.id), "outcome": .string(progress.outcome.rawValue),
            "tries": .integer(progress.tries),
          ])
        })
    }
    return .object(members)
  }
}
