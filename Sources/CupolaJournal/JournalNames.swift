internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

/// The building names and the time zone to use in an export.
package struct JournalNames: Sendable {
  /// Returns a building's name by label; if the result is `nil`, the label is shown.
  package var building: @Sendable (String) -> String?
  /// The IANA identifier of the time zone.
  package var timeZone: String

  package init(
    timeZone: String = "UTC", building: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    (self.timeZone, self.building) = (timeZone, building)
  }

  func heading(of entry: JournalEntry) -> String {
    if case .note(let note) = entry.content, !note.title.isEmpty { return note.title }
    let kind = entry.kind.rawValue
    return place(of: entry) ?? kind.prefix(1).uppercased() + kind.dropFirst()
  }

  /// The place, unless it is already used as the heading.
  func subheading(of entry: JournalEntry) -> String? {
    let place = place(of: entry)
    return place == heading(of: entry) ? nil : place
  }

  private func place(of entry: JournalEntry) -> String? {
    entry.place ?? entry.buildingLabel.map { building($0) ?? $0 }
  }

  func kind(of entry: JournalEntry) -> String {
    guard case .seen(let sighting) = entry.content else { return entry.kind.rawValue }
    return "seen, \(Int(saturating: (sighting.confidence * 100).rounded(.down)))% sure"
  }

  /// The local time; in UTC if the time zone is unknown.
  func local(_ entry: JournalEntry) -> LocalTime? {
    LocalTime(secondsSince1970: entry.time, timeZone: timeZone)
      ?? LocalTime(secondsSince1970: entry.time, timeZone: "UTC")
  }

  func days(of entries: [JournalEntry]) -> [(date: LocalDate, entries: [JournalEntry])] {
    var days: [(date: LocalDate, entries: [JournalEntry])] = []
    for entry in entries {
      guard let date = local(entry)?.date else { continue }
      if days.last?.date == date {
        days[days.count - 1].entries.append(entry)
      } else {
        days.append((date, [entry]))
      }
    }
    return days
  }
}

enum JournalText {
  static func body(of entry: JournalEntry) -> String? {
    switch entry.content {
    case .favorite, .seen: nil
    case .note(let note): note.text.isEmpty ? nil : note.text
    case .question(let question): question.text
    }
  }

  static func stars(_ rating: Int) -> String {
    let full = min(max(rating, 0), 5)
    return String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
  }

  /// A position with 5 decimal places (about 1 m), such as `48.30056, 10.89836`.
  static func degrees(_ position: Position) -> String {
    [position.latitude, position.longitude].map { value in
      let units = Int((value.magnitude * 100_000).rounded())
      let sign = value < 0 && units > 0 ? "-" : ""
      return "\(sign)\(units / 100_000).\(Digits.padded(units % 100_000, to: 5))"
    }.joined(separator: ", ")
  }
}
