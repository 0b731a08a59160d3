/// Photos of a journal that may become training photos: those whose label the visitor confirmed.
public enum JournalTraining {
  /// A photo and the folder that it belongs to.
  public struct Photo: Equatable, Sendable {
    /// The photo.
    public let media: JournalMedia
    /// The confirmed label.
    public let label: String
    /// The entry that has it.
    public let entry: JournalID
  }

  /// What can be used, and what cannot.
  public struct Choice: Equatable, Sendable {
    /// In the order of the entries, each photo of a label once.
    public var photos: [Photo] = []
    /// Photos of entries without a confirmed label.
    public var unconfirmed = 0
    /// Photos that were confirmed with two labels, which are left out.
    public var contradicted = 0
  }

  /// Chooses photos.
  public static func choice(of entries: [JournalEntry]) -> Choice {
    var choice = Choice()
    var labels: [JournalMedia: Set<String>] = [:]
    for entry in entries {
      for photo in entry.photos { labels[photo, default: []].formUnion(entry.trainingLabel) }
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

extension JournalEntry {
  fileprivate var trainingLabel: Set<String> { Set([confirmedLabel].compactMap(\.self)) }
}
