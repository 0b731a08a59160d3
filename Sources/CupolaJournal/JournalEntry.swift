public import CupolaCampus
internal import CupolaGuide

/// A journal entry. Texts are limited to 100,000 bytes of UTF-8, and titles and names to 1,000 bytes.
public struct JournalEntry: Equatable, Sendable, Identifiable {
  /// The permanent identifier.
  public let id: JournalID
  /// The time in seconds since 1970.
  public var time: Double
  /// The visitor's position.
  public var position: Position?
  /// The building's label in the catalog.
  public var building: String?
  /// The name of the place.
  public var place: String?
  /// The label that the visitor has confirmed; required for use as training photos.
  public var confirmedLabel: String?
  /// The content of the entry.
  public var content: JournalContent

  package var kind: JournalKind { content.kind }

  /// The label of the entry's building: the confirmed label, if any; otherwise, the given or recognized label.
  package var buildingLabel: String? {
    if let label = confirmedLabel ?? building { return label }
    guard case .seen(let sighting) = content else { return nil }
    return sighting.label
  }

  package var photos: [JournalMedia] {
    switch content {
    case .seen(let sighting): sighting.photo.map { [$0] } ?? []
    case .note(let note): note.photos
    case .favorite, .question: []
    }
  }

  package var media: [JournalMedia] {
    guard case .note(let note) = content, let voice = note.voice else { return photos }
    return note.photos + [voice]
  }

  /// A one-line title.
  public var title: String {
    let own =
      switch content {
      case .note(let note): note.title
      case .question: "Question"
      case .favorite, .seen: ""
      }
    if !own.isEmpty { return own }
    return place ?? buildingLabel ?? "Note"
  }
}

/// The content of an entry.
public enum JournalContent: Equatable, Sendable {
  /// A building or place to return to.
  case favorite
  /// A building that the recognizer has named.
  case seen(JournalSighting)
  /// A visitor's text, recording or photo.
  case note(JournalNote)
  /// A question to the campus staff.
  case question(JournalQuestion)

  package var kind: JournalKind {
    switch self {
    case .favorite: .favorite
    case .seen: .seen
    case .note: .note
    case .question: .question
    }
  }
}

package enum JournalKind: String, CaseIterable, Sendable {
  case favorite
  case seen
  case note
  case question
}

/// A visitor's text, recording or photo.
public struct JournalNote: Equatable, Sendable {
  /// The title.
  public var title: String
  /// The text.
  public var text: String
  /// A rating from 1 (bad) to 5 (good).
  public var rating: Int?
  /// The voice recording.
  public var voice: JournalMedia?
  /// The photos; at most 100.
  public var photos: [JournalMedia]

  /// Creates a note. ``Journal`` rejects notes that exceed the limits.
  public init(
    title: String = "", text: String = "", rating: Int? = nil, voice: JournalMedia? = nil,
    photos: [JournalMedia] = []
  ) {
    (self.title, self.text, self.rating) = (title, text, rating)
    (self.voice, self.photos) = (voice, photos)
  }
}

/// A question to the campus staff.
public struct JournalQuestion: Equatable, Sendable {
  /// The text.
  public var text: String
  /// The e-mail address for the answer.
  public var email: String?

  /// Creates a question. ``Journal`` rejects invalid questions and addresses.
  public init(text: String, email: String? = nil) {
    (self.text, self.email) = (text, email)
  }

  /// Checks only the form of an address, because the journal works offline.
  static func isEmail(_ text: String) -> Bool {
    let bytes = text.utf8
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    // RFC 5321, section 4.5.3.1, without the angle brackets.
    guard bytes.count <= 254, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
      return false
    }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
      default: !"\"<>()[],;:\\".unicodeScalars.contains(scalar)
      }
    }
  }
}

/// A building that the recognizer has named.
public struct JournalSighting: Equatable, Sendable {
  /// The label returned by the recognizer.
  public var label: String
  /// The probability, 0 to 1.
  public var confidence: Double
  /// The recognized photo.
  public var photo: JournalMedia?

  /// Creates a sighting. ``Journal`` rejects invalid confidence values.
  public init(label: String, confidence: Double, photo: JournalMedia? = nil) {
    (self.label, self.confidence, self.photo) = (label, confidence, photo)
  }
}

extension JournalEntry {
  var problem: String? {
    guard JournalLimits.times.contains(time) else { return "time is outside 1970 to 9999" }
    for name in [building, place, confirmedLabel] {
      if let name, !JournalEntry.isName(name) { return "label or place is empty or too long" }
    }
    switch content {
    case .favorite: return nil
    case .seen(let sighting): return sighting.problem
    case .note(let note): return note.problem
    case .question(let question): return question.problem
    }
  }

  static func isName(_ text: String) -> Bool { (1...JournalLimits.name).contains(text.utf8.count) }
}

extension JournalSighting {
  fileprivate var problem: String? {
    guard JournalEntry.isName(label) else { return "label is empty or too long" }
    guard (0...1).contains(confidence) else { return "confidence is outside 0 to 1" }
    return photo.map(\.isPhoto) ?? true ? nil : "photo has the wrong file type"
  }
}

extension JournalNote {
  fileprivate var problem: String? {
    guard title.utf8.count <= JournalLimits.name else { return "title is too long" }
    guard text.utf8.count <= JournalLimits.text else { return "text is too long" }
    guard rating.map({ (1...5).contains($0) }) ?? true else { return "rating is outside 1 to 5" }
    guard photos.count <= JournalLimits.photos else { return "too many photos" }
    guard photos.allSatisfy(\.isPhoto), !(voice?.isPhoto ?? false) else {
      return "photo or voice file has the wrong file type"
    }
    return nil
  }
}

extension JournalQuestion {
  fileprivate var problem: String? {
    guard (1...JournalLimits.text).contains(text.utf8.count) else {
      return "question is empty or too long"
    }
    guard let email else { return nil }
    return JournalQuestion.isEmail(email) ? nil : "invalid e-mail address"
  }
}

/// The limits of a journal, so that files from other devices cannot fill up the device.
enum JournalLimits {
  static let name = 1000
  static let text = 100_000
  static let photos = 100
  static let line = 1 << 20
  static let file = 256 << 20
  static let devices = 1000
  static let media = 100 << 20
  static let numbers = 1...(1 << 52)
  /// The milliseconds end in the year 4199.
  static let (milliseconds, ticks) = (0...(1 << 46), 0...(1 << 52))
  /// Lower limits for lines from other devices, so that this device cannot run out of numbers.
  static let (foreignNumber, foreignTick) = (1 << 40, 1 << 40)
  /// The maximum number of milliseconds by which another clock may be ahead: a year.
  static let ahead = 366 * 86_400_000
  /// Seconds since 1970, up to the end of the year 9999.
  static let times = 0...253_402_300_799.0
}
