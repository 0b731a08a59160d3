internal import CupolaCampus
public import CupolaGuide
internal import CupolaSupport

// 1. Write a visit with its tour's digest; when reading, adapt it to the current version of the tour.

extension TourVisit {
  static let format = "cupola.visit/1"
  static let mostBytes = 16 << 20

  /// The visit as JSON (`cupola.visit/1`); equal visits have equal bytes.
  public var json: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "tour": .string(tour.id), "digest": .string(digest),
      "stops": .array(tour.stops.indices.map(stopJSON)),
    ]
    if isFinished { members["finished"] = .boolean(true) }
    members["current"] = current.map { .string(tour.stops[$0].id) }
    members["away_since"] = awaySince.map { .number($0) }
    members["clock"] = evidence.clock.map { .number($0) }
    if let fix = evidence.fix {
      var position: [String: JSONValue] = [
        "latitude": .number(fix.position.latitude), "longitude": .number(fix.position.longitude),
        "time": .number(fix.time),
      ]
      position["accuracy"] = fix.position.horizontalError.map { .number($0) }
      members["position"] = .object(position)
    }
    if !evidence.zones.isEmpty {
      members["zones"] = .object(evidence.zones.mapValues { .string($0.rawValue) })
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

  /// Restores a saved visit. If the tour has changed, progress is kept for the stops that still exist.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)`, `GuideError.newerFormat(_:)`.
  public static func resumed(
    json bytes: [UInt8], path: String, of tour: Tour,
    places: (_ place: String) -> (latitude: Double, longitude: Double)? = { _ in nil }
  ) throws(GuideError) -> (visit: TourVisit, changes: TourChanges?) {
    let node = try TourNode(json: bytes, format: format, mostBytes: mostBytes, file: path)
    try node.checkMembers([
      "format", "tour", "digest", "stops", "finished", "current", "away_since", "clock",
      "position", "zones",
    ])
    let id = try node.required("tour").identifier()
    guard id == tour.id else {
      throw try node.required("tour").fault("the visit is for another tour")
    }
    let digest = try node.required("digest").text(mostBytes: 64)
    var visit = TourVisit(of: tour, places: places)
    let changes = try visit.readStops(try node.required("stops"))
    try visit.readEvidence(node)
    if let current = node["current"] {
      let id = try current.identifier()
      visit.current = tour.stops.firstIndex { $0.id == id }
      visit.awaySince = try node["away_since"]?.time()
    }
    try visit.repair(isFinished: node["finished"]?.boolean() ?? false)
    return (visit, digest == visit.digest ? nil : changes)
  }

  private mutating func readStops(_ list: TourNode) throws(GuideError) -> TourChanges {
    var seen: Set<String> = []
    var (removed, removedQuestions): ([String], [String]) = ([], [])
    for node in try list.list(0...Tour.mostStops) {
      try node.checkMembers(["id", "phase", "opened", "near", "inside_since", "questions"])
      let id = try node.required("id").identifier()
      guard seen.insert(id).inserted else { throw node.fault("duplicate stop") }
      guard let number = tour.stops.firstIndex(where: { $0.id == id }) else {
        removed.append(id)
        continue
      }
      progress[number].phase = try node.required("phase").oneOf(
        "waiting", "reached", "answered", "done", "skipped")
      progress[number].isOpened = try node["opened"]?.boolean() ?? false
      progress[number].isNear = try node["near"]?.boolean() ?? false
      progress[number].insideSince = try node["inside_since"]?.time()
      removedQuestions += try readQuestions(node["questions"], of: number).map { "\(id)/\($0)" }
    }
    let added = tour.stops.map(\.id).filter { !seen.contains($0) }
    for number in progress.indices where !seen.contains(tour.stops[number].id) {
      progress[number].isOpened = false
    }
    return TourChanges(added: added, removed: removed, removedQuestions: removedQuestions)
  }

  private mutating func readQuestions(
    _ list: TourNode?, of number: Int
  ) throws(GuideError) -> [String] {
    var (seen, removed): (Set<String>, [String]) = ([], [])
    for node in try list?.list(0...Tour.mostParts) ?? [] {
      try node.checkMembers(["id", "outcome", "tries"])
      let id = try node.required("id").identifier()
      guard seen.insert(id).inserted else { throw node.fault("duplicate question") }
      guard let index = tour.stops[number].questions.firstIndex(where: { $0.id == id }) else {
        removed.append(id)
        continue
      }
      var taken = QuestionProgress()
      taken.outcome = try node.required("outcome").oneOf("open", "right", "wrong")
      taken.tries = try node.required("tries").integer(0...TourQuestion.triesRange.upperBound)
      progress[number].questions[index] = taken
    }
    return removed
  }

  private mutating func readEvidence(_ node: TourNode) throws(GuideError) {
    evidence.clock = try node["clock"]?.time()
    if let position = node["position"] {
      try position.checkMembers(["latitude", "longitude", "accuracy", "time"])
      let place = Position(
        latitude: try position.required("latitude").number(-90...90),
        longitude: try position.required("longitude").number(-180...180),
        horizontalError: try position["accuracy"]?.number(0...Double.greatestFiniteMagnitude))
      let time = try position.required("time").time()
      evidence.fix = place.map { TourEvidence.Fix(position: $0, time: time) }
    }
    for (zone, node) in try node["zones"]?.members(atMost: Tour.mostStops) ?? []
    where tour.stops.contains(where: { $0.beacon?.zone == zone }) {
      evidence.zones[zone] = try node.oneOf("immediate", "near", "far")
    }
  }

  /// Makes the state consistent, regardless of the file's content and of changes to the tour.
  private mutating func repair(isFinished finished: Bool) {
    for number in progress.indices {
      let questions = tour.stops[number].questions
      for index in questions.indices {
        var taken = progress[number].questions[index]
        if taken.outcome != .right {
          taken.tries = min(taken.tries, questions[index].tries)
          taken.outcome = taken.tries == questions[index].tries ? .wrong : .open
        }
        progress[number].questions[index] = taken
      }
      if progress[number].phase == .answered {
        if progress[number].unanswered > 0 {
          progress[number].phase = .reached
        } else if current != number {
          progress[number].phase = .done
        }
      }
    }
    for number in progress.indices where !progress[number].isPassed {
      // Stops that are no longer open are locked again; newly opened stops are reported with the next event.
      if !isOpen(number) { progress[number].isOpened = false }
    }
    if let number = current, !(progress[number].phase == .answered || isAt(number)) {
      current = nil
    }
    if current == nil { awaySince = nil }
    isFinished = finished && progress.allSatisfy(\.isPassed)
  }

  private func isAt(_ number: Int) -> Bool {
    progress[number].phase == .reached && progress[number].isOpened
  }
}

/// The changes to a tour since a visit was saved.
public struct TourChanges: Equatable, Sendable {
  let added: [String]
  let removed: [String]
  let removedQuestions: [String]

  /// A one-line description of the changes.
  public var message: String {
    let parts = [("new", added), ("removed", removed), ("removed questions", removedQuestions)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
    return "the tour has changed since the visit started"
      + (parts.isEmpty ? "; all progress is kept" : "; " + parts.joined(separator: "; "))
  }
}
