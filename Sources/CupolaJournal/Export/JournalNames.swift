internal import CupolaGuide
internal import CupolaSupport

/// What an export calls buildings and moments.
public struct JournalNames: Sendable {
  /// What people call the building of a label; `nil` shows the label.
  public var building: @Sendable (String) -> String?
  /// Whose clocks are shown, an identifier such as `Europe/Berlin`.
  public var timeZone: String

  /// Labels as they are, and UTC, unless something else is said.
  public init(
    timeZone: String = "UTC", building: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    (self.timeZone, self.building) = (timeZone, building)
  }

  /// What stands above an entry.
  func heading(of entry: JournalEntry) -> String {
    if case .note(let note) = entry.content, !note.title.isEmpty { return note.title }
    return place(of: entry) ?? fallback(entry.kind)
  }

  /// Where it was, unless that is the heading.
  func subheading(of entry: JournalEntry) -> String? {
    let place = place(of: entry)
    return place == heading(of: entry) ? nil : place
  }

  private func place(of entry: JournalEntry) -> String? {
    entry.place ?? entry.buildingLabel.map { building($0) ?? $0 }
  }

  private func fallback(_ kind: JournalKind) -> String {
    switch kind {
    case .favorite: "Favorite"
    case .seen: "Seen"
    case .note: "Note"
    case .question: "Question"
    }
  }

  /// What it is, in a word or two.
  func kind(of entry: JournalEntry) -> String {
    switch entry.content {
    case .favorite: "favorite"
    case .seen(let sighting):
      "seen, \(Int(saturating: (sighting.confidence * 100).rounded(.down))) % sure"
    case .note: "note"
    case .question: "question"
    }
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
