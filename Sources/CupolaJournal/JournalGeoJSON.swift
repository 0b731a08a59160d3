internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

/// Exports a journal as GeoJSON (RFC 7946), `cupola.journal.export/1`.
///
/// Each entry is a feature; its geometry is the entry's position, if it has one. `Documentation/Journal.md` describes
/// the members.
public enum JournalGeoJSON {
  static let format = "cupola.journal.export/1"

  /// Returns the file; equal entries produce equal bytes. An import of the file restores the entries without any loss.
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
    members["seconds"] = number(entry.time)
    members["accuracy"] = entry.position?.horizontalError.map { .number($0) }
    members["building"] = entry.building.map { .string($0) }
    members["place"] = entry.place.map { .string($0) }
    members["confirmed_label"] = entry.confirmedLabel.map { .string($0) }
    return members
  }

  private static func number(_ value: Double) -> JSONValue? {
    value.isFinite ? .number(value) : nil
  }
}

/// The questions to the staff in a journal (`cupola.questions/1`).
package enum JournalQuestions {
  /// Returns the questions as a single line, without other entries; equal entries produce equal bytes.
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

/// Times in exports.
package enum JournalMoment {
  /// Formats a time as RFC 3339 in UTC with milliseconds (`2026-11-23T14:30:05.250Z`), clamped to the years 1970 to
  /// 9999.
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

  package static func seconds(_ text: String) -> Double? {
    var rest = text.utf8[...]
    func take(_ count: Int, before ends: String? = nil) -> Int? {
      let digits = rest.prefix(count)
      rest = rest.dropFirst(count)
      guard digits.count == count, digits.allSatisfy(Digits.isDigit) else { return nil }
      if let ends {
        guard let end = rest.popFirst(), ends.utf8.contains(end) else { return nil }
      }
      return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    guard text.utf8.count <= 40, let year = take(4, before: "-"), let month = take(2, before: "-"),
      let day = take(2, before: "Tt "), let date = LocalDate(year: year, month: month, day: day),
      let hour = take(2, before: ":"), hour < 24, let minute = take(2, before: ":"), minute < 60,
      // A leap second is converted to the preceding second.
      let second = take(2), second <= 60
    else { return nil }
    var fraction = 0.0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: Digits.isDigit)
      guard (1...15).contains(digits.count), let value = Double("0." + (String(digits) ?? ""))
      else { return nil }
      (fraction, rest) = (value, rest.dropFirst(digits.count + 1))
    }
    var offset = 0
    let sign = rest.popFirst()
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      guard let hours = take(2, before: ":"), hours < 24, let minutes = take(2), minutes < 60
      else { return nil }
      offset = (sign == UInt8(ascii: "-") ? -60 : 60) * (hours * 60 + minutes)
    } else if sign != UInt8(ascii: "Z"), sign != UInt8(ascii: "z") {
      return nil
    }
    guard rest.isEmpty else { return nil }
    let clock = hour * 3600 + minute * 60 + min(second, 59)
    return Double(date.dayNumber * 86400 + clock - offset) + fraction
  }
}
