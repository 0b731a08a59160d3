internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

/// A journal as GeoJSON (RFC 7946), for maps and for other journals: `cupola.journal.export/1`.
///
/// Each entry is a feature at its position, or without a geometry. What its members are called says
/// `Documentation/Journal.md`.
public enum JournalGeoJSON {
  static let format = "cupola.journal.export/1"

  /// The file: the same bytes for the same entries, which ``Journal/importGeoJSON(_:mediaIn:now:)`` reads again without any loss.
  public static func bytes(of entries: [JournalEntry]) -> [UInt8] {
    let collection: [String: JSONValue] = [
      "type": .string("FeatureCollection"), "format": .string(format),
      "features": .array(entries.map(feature)),
    ]
    return JSONWriter.bytes(of: .object(collection)) + [0x0A]
  }

  private static func feature(_ entry: JournalEntry) -> JSONValue {
    .object([
      "type": .string("Feature"), "id": .string(entry.id.description),
      "geometry": entry.position.map(point) ?? .null,
      "properties": .object(properties(of: entry)),
    ])
  }

  private static func point(_ position: Position) -> JSONValue {
    .object([
      "type": .string("Point"),
      "coordinates": .array([.number(position.longitude), .number(position.latitude)]),
    ])
  }

  private static func properties(of entry: JournalEntry) -> [String: JSONValue] {
    var members = contents(of: entry)
    members["kind"] = .string(entry.kind.rawValue)
    members["time"] = .string(JournalMoment.text(entry.time))
    // The text has milliseconds only.
    members["seconds"] = number(entry.time)
    members["accuracy"] = entry.position?.horizontalError.map { .number($0) }
    members["building"] = entry.building.map { .string($0) }
    members["place"] = entry.place.map { .string($0) }
    members["confirmed_label"] = entry.confirmedLabel.map { .string($0) }
    return members
  }

  /// `nil` for what is no number, which no journal keeps.
  private static func number(_ value: Double) -> JSONValue? {
    value.isFinite ? .number(value) : nil
  }

  private static func contents(of entry: JournalEntry) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    switch entry.content {
    case .favorite: break
    case .seen(let sighting):
      members["label"] = .string(sighting.label)
      members["confidence"] = number(sighting.confidence)
      members["photos"] = sighting.photo.map { .array([.string($0.path)]) }
    case .note(let note):
      if !note.title.isEmpty { members["title"] = .string(note.title) }
      if !note.text.isEmpty { members["text"] = .string(note.text) }
      members["rating"] = note.rating.map { .integer($0) }
      members["voice"] = note.voice.map { .string($0.path) }
      if !note.photos.isEmpty { members["photos"] = .array(note.photos.map { .string($0.path) }) }
    case .question(let question):
      members["text"] = .string(question.text)
      members["email"] = question.email.map { .string($0) }
    }
    return members
  }
}
