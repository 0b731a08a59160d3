package import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. `JournalQuery` filters by kind, building, time, rating and distance.
// 2. The words of the text must begin words of the entry, after folding.
// 3. `JournalTraining` collects photos with one confirmed label and counts the others.

/// What entries of a journal somebody looks for; what is not set is not looked at.
public struct JournalQuery: Equatable, Sendable {
  /// A circle on the ground.
  package struct Circle: Equatable, Sendable {
    /// Its middle.
    var middle: Position
    /// Meters.
    package var radius: Double

    /// A circle about a place; the radius in meters.
    package init(_ middle: Position, radius: Double) {
      (self.middle, self.radius) = (middle, radius)
    }
  }

  /// Words that all stand in the entry, or begin words there; case and accents do not count.
  public var text: String?
  /// Of one of these kinds.
  package var kinds: Set<JournalKind>?
  /// About a building, by its label.
  public var building: String?
  /// Not before, seconds since 1970.
  public var since: Double?
  /// Before, seconds since 1970.
  public var until: Double?
  /// In a circle; entries without a position are in none.
  package var near: Circle?
  /// Of so many stars or more, 1 to 5.
  package var leastRating: Int?

  /// A query for everything.
  public init() {}
}

extension Journal {
  /// The entries that fit a query, by time.
  public func entries(matching query: JournalQuery) -> [JournalEntry] {
    var folding = Folding()
    let words = folding.words(of: query.text ?? "")
    return entries.filter { entry in
      query.fits(entry) && (words.isEmpty || entry.has(words, &folding))
    }
  }
}

extension JournalQuery {
  /// Whether all but the text fits.
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
  /// 1 (bad) to 5 (good); `nil` where nobody said.
  package var rating: Int? {
    if case .note(let note) = content { note.rating } else { nil }
  }

  /// Whether each of some folded words begins one of its own.
  fileprivate func has(_ words: [[UInt32]], _ folding: inout Folding) -> Bool {
    var missing = words
    for text in texts where !missing.isEmpty {
      let own = folding.words(of: text)
      missing.removeAll { word in own.contains { $0.starts(with: word) } }
    }
    return missing.isEmpty
  }

  /// All that can be found by words.
  private var texts: [String] {
    let names = [place, buildingLabel].compactMap(\.self)
    return switch content {
    case .favorite, .seen: names
    case .note(let note): names + [note.title, note.text]
    case .question(let question): names + [question.text, question.email].compactMap(\.self)
    }
  }
}

/// Photos of a journal that may become training photos: those whose label the visitor confirmed.
package enum JournalTraining {
  /// A photo and the folder that it belongs to.
  package struct Photo: Equatable, Sendable {
    package let media: JournalMedia
    /// The confirmed label.
    package let label: String
    package let entry: JournalID
  }

  /// What can be used, and what cannot.
  package struct Choice: Equatable, Sendable {
    /// In the order of the entries, each photo of a label once.
    package var photos: [Photo] = []
    /// Photos of entries without a confirmed label.
    package var unconfirmed = 0
    /// Photos that were confirmed with two labels, which are left out.
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
