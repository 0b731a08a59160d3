public import CupolaCampus
internal import CupolaGuide

// 1. `JournalEntry` holds a favorite, a sighting, a note or a question, with time and place.
// 2. `problem` checks an entry before a journal keeps it.
// 3. `JournalLimits` lists the limits.

/// Something that a visitor keeps.
public struct JournalEntry: Equatable, Sendable, Identifiable {
  /// What names it for good.
  public let id: JournalID
  /// When it was, seconds since 1970.
  public var time: Double
  /// Where the visitor was.
  public var position: Position?
  /// The label of the building in the catalog.
  public var building: String?
  /// What people call the place.
  public var place: String?
  /// The label that the visitor confirmed: only then its photos may become training photos.
  public var confirmedLabel: String?
  /// What it says.
  public var content: JournalContent

  package var kind: JournalKind { content.kind }

  /// The label of the building that it is about: the confirmed one, else the given, else the recognizer's.
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

  /// What people call it, in one line.
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

/// What an entry of a journal says.
public enum JournalContent: Equatable, Sendable {
  /// A building or place to come back to.
  case favorite
  /// An answer of the recognizer.
  case seen(JournalSighting)
  /// What the visitor wrote, said or photographed.
  case note(JournalNote)
  /// A question of the visitor to those who run the campus.
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

/// What an entry of a journal is.
package enum JournalKind: String, CaseIterable, Sendable {
  /// A building or place to come back to.
  case favorite
  /// An answer of the recognizer.
  case seen
  /// What the visitor wrote, said or photographed.
  case note
  /// A question of the visitor to those who run the campus.
  case question
}

/// What the visitor wrote, said or photographed.
public struct JournalNote: Equatable, Sendable {
  /// At most 1,000 bytes of UTF-8.
  public var title: String
  /// At most 100,000 bytes of UTF-8.
  public var text: String
  /// 1 (bad) to 5 (good).
  public var rating: Int?
  /// A voice file.
  public var voice: JournalMedia?
  /// At most 100.
  public var photos: [JournalMedia]

  /// A note; ``Journal`` refuses one beyond these limits.
  public init(
    title: String = "", text: String = "", rating: Int? = nil, voice: JournalMedia? = nil,
    photos: [JournalMedia] = []
  ) {
    (self.title, self.text, self.rating) = (title, text, rating)
    (self.voice, self.photos) = (voice, photos)
  }
}

/// A question of the visitor to those who run the campus.
public struct JournalQuestion: Equatable, Sendable {
  /// At most 100,000 bytes of UTF-8.
  public var text: String
  /// Where the answer is to go: an address such as `ada@example.org`.
  public var email: String?

  /// A question; ``Journal`` refuses one beyond these limits, or with an address that is none.
  public init(text: String, email: String? = nil) {
    (self.text, self.email) = (text, email)
  }

  /// Whether a text has the form of an address: something, one @, something, without blanks and quotes. Whether
  /// somebody reads there, nobody knows offline.
  static func isEmail(_ text: String) -> Bool {
    let bytes = text.utf8
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    // RFC 5321, section 4.5.3.1, less the angle brackets.
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

/// An answer of the recognizer.
public struct JournalSighting: Equatable, Sendable {
  /// The label that the recognizer gave.
  public var label: String
  /// How sure it was, 0...1.
  public var confidence: Double
  /// What it looked at.
  public var photo: JournalMedia?

  /// An answer; ``Journal`` refuses one with a confidence outside of 0...1.
  public init(label: String, confidence: Double, photo: JournalMedia? = nil) {
    (self.label, self.confidence, self.photo) = (label, confidence, photo)
  }
}

extension JournalEntry {
  /// Why no journal can keep it, in a few words; `nil` when one can.
  var problem: String? {
    guard JournalLimits.times.contains(time) else { return "a time outside of 1970 to 9999" }
    for name in [building, place, confirmedLabel] {
      if let name, !JournalEntry.isName(name) { return "an empty or too long label or place" }
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
    guard JournalEntry.isName(label) else { return "an empty or too long label" }
    guard (0...1).contains(confidence) else { return "a confidence outside of 0 to 1" }
    return photo.map(\.isPhoto) ?? true ? nil : "a photo of another kind of file"
  }
}

extension JournalNote {
  fileprivate var problem: String? {
    guard title.utf8.count <= JournalLimits.name else { return "a title too long" }
    guard text.utf8.count <= JournalLimits.text else { return "a text too long" }
    guard rating.map({ (1...5).contains($0) }) ?? true else { return "a rating outside of 1 to 5" }
    guard photos.count <= JournalLimits.photos else { return "too many photos" }
    guard photos.allSatisfy(\.isPhoto), !(voice?.isPhoto ?? false) else {
      return "a photo or voice of another kind of file"
    }
    return nil
  }
}

extension JournalQuestion {
  fileprivate var problem: String? {
    guard (1...JournalLimits.text).contains(text.utf8.count) else {
      return "an empty or too long question"
    }
    guard let email else { return nil }
    return JournalQuestion.isEmail(email) ? nil : "an e-mail address that is none"
  }
}

/// What a journal accepts, so that no file of somebody else can fill a phone.
enum JournalLimits {
  /// Bytes of a label, name, title or address in UTF-8.
  static let name = 1000
  /// Bytes of the text of a note or question.
  static let text = 100_000
  static let photos = 100
  static let line = 1 << 20
  /// Bytes of a journal's file, and of one to be imported.
  static let file = 256 << 20
  static let devices = 1000
  static let media = 100 << 20
  /// Numbers of lines.
  static let numbers = 1...(1 << 52)
  /// Milliseconds and ticks of clocks; the milliseconds end in the year 4199.
  static let (milliseconds, ticks) = (0...(1 << 46), 0...(1 << 52))
  /// What is taken from another journal: below what can be read, so that it cannot use up what this device has
  /// left to count.
  static let (othersNumber, othersTick) = (1 << 40, 1 << 40)
  /// Milliseconds by which another's clock may be ahead of this one's: a year.
  static let ahead = 366 * 86_400_000
  /// Seconds since 1970 of entries: to the end of the year 9999.
  static let times = 0...253_402_300_799.0
}
