internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// Exports as JSON: entries as GeoJSON, questions, and moments as RFC 3339.

/// A journal as GeoJSON (RFC 7946), for maps and for other journals: `cupola.journal.export/1`.
///
/// Each entry is a feature at its position, or without a geometry. What its members are called says
/// `Documentation/Journal.md`.
public enum JournalGeoJSON {
  static let format = "cupola.journal.export/1"

  /// The file: the same bytes for the same entries, which `cupola journal import` reads again without any loss.
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
    var members = entry.content.members { $0.path }
    if case .seen(let sighting) = entry.content {
      members["confidence"] = number(sighting.confidence)
      members["photos"] = sighting.photo.map { .array([.string($0.path)]) }
    }
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
}

/// The questions of a journal, to be handed to those who answer: `cupola.questions/1`.
package enum JournalQuestions {
  /// The file: one line, the same bytes for the same entries; entries that are no questions are left out.
  package static func bytes(of entries: [JournalEntry]) -> [UInt8] {
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

/// Moments of a journal as exports have them.
package enum JournalMoment {
  /// RFC 3339 in UTC with milliseconds: `2026-11-23T14:30:05.250Z`; of times before 1970 and after 9999 the nearest
  /// moment between, of what is no time the first.
  static func text(_ seconds: Double) -> String {
    let bounds = JournalLimits.times
    let known = min(max(bounds.lowerBound, seconds), bounds.upperBound)
    let milliseconds = Int(saturating: (known * 1000).rounded(.down))
    let (second, rest) = (milliseconds / 1000, milliseconds % 1000)
    let day = second / 86400
    let clock = [second / 3600 % 24, second / 60 % 60, second % 60]
      .map { Digits.padded($0, to: 2) }.joined(separator: ":")
    let fraction = rest == 0 ? "" : "." + Digits.padded(rest, to: 3)
    return (LocalDate(dayNumber: day)?.description ?? "1970-01-01") + "T" + clock + fraction + "Z"
  }

  /// Reads RFC 3339, with any offset.
  package static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40, let date = date(bytes),
      let clock = clock(bytes[11...])
    else { return nil }
    guard [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]) else {
      return nil
    }
    var place = 19
    var fraction = 0.0
    if bytes[place] == UInt8(ascii: ".") {
      let digits = bytes[(place + 1)...].prefix(while: Digits.isDigit)
      guard (1...15).contains(digits.count), let value = Double("0." + (String(digits) ?? ""))
      else {
        return nil
      }
      (fraction, place) = (value, place + 1 + digits.count)
    }
    guard let offset = offset(bytes[place...]) else { return nil }
    return Double(date.dayNumber * 86400 + clock - offset) + fraction
  }

  private static func date(_ bytes: [UInt8]) -> LocalDate? {
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10])
    else { return nil }
    return LocalDate(year: year, month: month, day: day)
  }

  /// Seconds of `14:30:05`.
  private static func clock(_ bytes: ArraySlice<UInt8>) -> Int? {
    let start = bytes.startIndex
    guard bytes[start + 2] == UInt8(ascii: ":"), bytes[start + 5] == UInt8(ascii: ":"),
      let hour = number(bytes[start..<(start + 2)]), hour < 24,
      let minute = number(bytes[(start + 3)..<(start + 5)]), minute < 60,
      // A leap second is the last one before it.
      let second = number(bytes[(start + 6)..<(start + 8)]), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + min(second, 59)
  }

  /// Seconds of `Z` or `+01:00`.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    if bytes.count == 1, first == UInt8(ascii: "Z") || first == UInt8(ascii: "z") { return 0 }
    let start = bytes.startIndex
    guard bytes.count == 6, bytes[start + 3] == UInt8(ascii: ":"),
      let hour = number(bytes[(start + 1)..<(start + 3)]), hour < 24,
      let minute = number(bytes[(start + 4)..<(start + 6)]), minute < 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60
    return first == UInt8(ascii: "+") ? seconds : first == UInt8(ascii: "-") ? -seconds : nil
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy(Digits.isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

extension String {
  /// `nil` for bytes that are no UTF-8.
  fileprivate init?(_ bytes: ArraySlice<UInt8>) { self.init(validating: bytes, as: UTF8.self) }
}
