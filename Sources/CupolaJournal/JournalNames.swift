internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// What exports for people call entries, places and days.

/// What an export calls buildings and moments.
package struct JournalNames: Sendable {
  /// What people call the building of a label; `nil` shows the label.
  package var building: @Sendable (String) -> String?
  /// Whose clocks are shown, an identifier such as `Europe/Berlin`.
  package var timeZone: String

  /// Labels as they are, and UTC, unless something else is said.
  package init(
    timeZone: String = "UTC", building: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    (self.timeZone, self.building) = (timeZone, building)
  }

  /// What stands above an entry.
  func heading(of entry: JournalEntry) -> String {
    if case .note(let note) = entry.content, !note.title.isEmpty { return note.title }
    let kind = entry.kind.rawValue
    return place(of: entry) ?? kind.prefix(1).uppercased() + kind.dropFirst()
  }

  /// Where it was, unless that is the heading.
  func subheading(of entry: JournalEntry) -> String? {
    let place = place(of: entry)
    return place == heading(of: entry) ? nil : place
  }

  private func place(of entry: JournalEntry) -> String? {
    entry.place ?? entry.buildingLabel.map { building($0) ?? $0 }
  }

  /// What it is, in a word or two.
  func kind(of entry: JournalEntry) -> String {
    guard case .seen(let sighting) = entry.content else { return entry.kind.rawValue }
    return "seen, \(Int(saturating: (sighting.confidence * 100).rounded(.down))) % sure"
  }

  /// What the clocks showed; in UTC where the zone is not known.
  func local(_ entry: JournalEntry) -> LocalTime? {
    LocalTime(secondsSince1970: entry.time, timeZone: timeZone)
      ?? LocalTime(secondsSince1970: entry.time, timeZone: "UTC")
  }

  /// Entries by the days on those clocks, in their order.
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

/// Parts of entries as exports for people have them.
enum JournalText {
  /// What the visitor wrote; `nil` when that is nothing.
  static func body(of entry: JournalEntry) -> String? {
    switch entry.content {
    case .favorite, .seen: nil
    case .note(let note): note.text.isEmpty ? nil : note.text
    case .question(let question): question.text
    }
  }

  /// Five stars, as many of them full as somebody gave.
  static func stars(_ rating: Int) -> String {
    let full = min(max(rating, 0), 5)
    return String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
  }

  /// `48.30056, 10.89836`: to about a meter.
  static func degrees(_ position: Position) -> String {
    [position.latitude, position.longitude].map { value in
      let units = Int((value.magnitude * 100_000).rounded())
      let sign = value < 0 && units > 0 ? "-" : ""
      return "\(sign)\(units / 100_000).\(Digits.padded(units % 100_000, to: 5))"
    }.joined(separator: ", ")
  }
}
