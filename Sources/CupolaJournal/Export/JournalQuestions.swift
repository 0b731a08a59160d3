internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

/// The questions of a journal, to be handed to those who answer: `cupola.questions/1`.
public enum JournalQuestions {
  /// The file: one line, the same bytes for the same entries; entries that are no questions are left out.
  public static func bytes(of entries: [JournalEntry]) -> [UInt8] {
    let questions = entries.compactMap { entry -> JSONValue? in
      guard case .question(let question) = entry.content else { return nil }
      var members: [String: JSONValue] = [
        "id": .string(entry.id.description), "time": .string(JournalMoment.text(entry.time)),
        "text": .string(question.text),
      ]
      members["email"] = question.email.map { .string($0) }
      members["building"] = entry.buildingLabel.map { .string($0) }
      members["place"] = entry.place.map { .string($0) }
      if let position = entry.position {
        members["latitude"] = .number(position.latitude)
        members["longitude"] = .number(position.longitude)
      }
      return .object(members)
    }
    return JSONWriter.bytes(
      of: .object(["schema": .string("cupola.questions/1"), "questions": .array(questions)]))
      + [0x0A]
  }
}
