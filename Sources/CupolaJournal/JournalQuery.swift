package import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

/// Conditions that entries of a journal must meet; conditions that are not set match all entries.
public struct JournalQuery: Equatable, Sendable {
  package struct Circle: Equatable, Sendable {
    var middle: Position
    package var radius: Double

    package init(_ middle: Position, radius: Double) {
      (self.middle, self.radius) = (middle, radius)
    }
  }

  /// Search words; each must match the beginning of a word in the entry, ignoring case and accents.
  public var text: String?
  package var kinds: Set<JournalKind>?
  /// The label of the building.
  public var building: String?
  /// The earliest time in seconds since 1970.
  public var since: Double?
  /// The end of the period in seconds since 1970 (exclusive).
  public var until: Double?
  /// A circle that must contain the entry's position.
  package var near: Circle?
  package var leastRating: Int?

  /// Creates a query that matches all entries.
  public init() {}
}

extension Journal {
  /// Returns the entries that match a query, sorted by time.
  public func entries(matching query: JournalQuery) -> [JournalEntry] {
    var folding = Folding()
    let words = folding.words(of: query.text ?? "")
    return entries.filter { entry in
      query.fits(entry) && (words.isEmpty || entry.has(words, &folding))
    }
  }
}

extension JournalQuery {
  fileprivate func fits(_ entry: JournalEntry) -> Bool {
    if let kinds, !kinds.contains(entry.kind) { return false }
    if let building, entry.buildingLabel != building { return false }
    if let since, entry.time < since { return false }
    if let until, entry.time >= until { return false }
    if let leastRating, (entry.rating ?? 0) < leastRating { return false }
    guard let near else { return true }
    guard let position = entry.position else { return false }
    let middle = RoutePoint(latitude: near.middle.latitude, longitude: near.middle.longitude)
    return position.distance(to: middle) <= near.radius
  }
}

extension JournalEntry {
  /// The rating of a note from 1 (bad) to 5 (good).
  package var rating: Int? {
    if case .note(let note) = content { note.rating } else { nil }
  }

  fileprivate func has(_ words: [[UInt32]], _ folding: inout Folding) -> Bool {
    var missing = words
    for text in texts where !missing.isEmpty {
      let own = folding.words(of: text)
      missing.removeAll { word in own.contains { $0.starts(with: word) } }
    }
    return missing.isEmpty
  }

  private var texts: [String] {
    let names = [place, buildingLabel].compactMap(\.self)
    return switch content {
    case .favorite, .seen: names
    case .note(let note): names + [note.title, note.text]
    case .question(let question): names + [question.text, question.email].compactMap(\.self)
    }
  }
}

/// Selects the photos with a confirmed label for use in training.
package enum JournalTraining {
  package struct Photo: Equatable, Sendable {
    package let media: JournalMedia
    package let label: String
    package let entry: JournalID
  }

  package struct Choice: Equatable, Sendable {
    /// The photos in entry order; each photo is included only once.
    package var photos: [Photo] = []
    /// The number of photos without a confirmed label.
    package var unconfirmed = 0
    /// The number of photos with two different confirmed labels, which are excluded.
    package var contradicted = 0
  }

  package static func choice(of entries: [JournalEntry]) -> Choice {
    var choice = Choice()
    var labels: [JournalMedia: Set<String>] = [:]
    for entry in entries {
      guard let label = entry.confirmedLabel else { continue }
      for photo in entry.photos { labels[photo, default: []].insert(label) }
    }
    var taken: Set<JournalMedia> = []
    for entry in entries {
      for photo in entry.photos where taken.insert(photo).inserted {
        let known = labels[photo] ?? []
        if known.count > 1 {
          choice.contradicted += 1
        } else if let label = known.first {
          choice.photos.append(Photo(media: photo, label: label, entry: entry.id))
        } else {
          choice.unconfirmed += 1
        }
      }
    }
    return choice
  }
}
