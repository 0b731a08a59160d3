public import CupolaGuide
internal import CupolaSupport

/// A tour of a campus: stops with texts, media and questions, in a fixed order or any.
///
/// It is a JSON file, `cupola.tour/1`:
/// ```json
/// {"format": "cupola.tour/1", "id": "old-campus", "languages": ["en", "el"], "order": "fixed",
///  "title": {"en": "The old campus", "el": "Η παλιά πανεπιστημιούπολη"}, "passkey": true,
///  "from": "2026-03-01", "until": "2026-10-31",
///  "stops": [
///    {"id": "gate", "title": "Main gate", "latitude": 37.9681, "longitude": 23.7787, "radius": 20},
///    {"id": "library", "title": "Old Library", "place": "way/4711", "radius": 30, "after": ["gate"],
///     "beacon": {"zone": "library hall", "level": "near"},
///     "text": "Built in 1932.",
///     "media": [{"path": "media/library.jpg", "kind": "image", "alt": "The reading room"}],
///     "questions": [
///       {"id": "year", "text": "When was it built?", "number": 1932, "tolerance": 1,
///        "hint": "Look above the door.", "explanation": "...", "points": 10, "tries": 3},
///       {"text": "Who built it?", "answers": ["Rodin", "Auguste Rodin"]},
///       {"text": "Which is true?", "choices": [{"text": "A", "right": true}, {"text": "B"}]}]}]}
/// ```
/// A text is one string, in the first language, or an object of strings by language. A question has one of
/// `choices`, `answers` and `number`; without `id` it is known by its number from 1. Unknown members are faults:
/// most are misspelled.
public struct Tour: Equatable, Sendable {
  /// In which order stops are visited.
  public enum Order: String, Sendable {
    /// As the file has them; only the next one opens.
    case fixed
    /// As the visitor likes, but for what ``TourStop/after`` says.
    case free
  }

  /// What apps know it by.
  public let id: String
  /// What people call it.
  public let title: LocalizedText
  /// The languages of its texts, as of BCP 47, the one to fall back to first.
  public let languages: [String]
  /// In which order stops are visited.
  public let order: Order
  /// At least one.
  public let stops: [TourStop]
  /// The first day on which it can be taken; `nil` for no limit.
  public let from: LocalDate?
  /// The last day on which it can be taken; `nil` for no limit.
  public let until: LocalDate?
  /// Whether a passkey of a ``PasskeySet`` opens it; to ask for it is up to the app.
  public let needsPasskey: Bool

  init(
    id: String, title: LocalizedText, languages: [String], order: Order = .free,
    stops: [TourStop], from: LocalDate? = nil, until: LocalDate? = nil, needsPasskey: Bool = false
  ) {
    (self.id, self.title, self.languages, self.order) = (id, title, languages, order)
    (self.stops, self.from, self.until) = (stops, from, until)
    self.needsPasskey = needsPasskey
  }

  static let format = "cupola.tour/1"
  /// Bytes of a file at most.
  static let mostBytes = 16 << 20
  static let mostStops = 1000
  static let mostLanguages = 20
  /// Media and questions of a stop, and answers of a question, at most.
  static let mostParts = 50
  static let mostTitleBytes = 500
  static let mostTextBytes = 50_000

  /// Whether it can be taken on a day.
  public func isOpen(on date: LocalDate) -> Bool {
    (from.map { $0 <= date } ?? true) && (until.map { date <= $0 } ?? true)
  }

  /// A text for somebody who reads a language; where it is missing, in the first that the tour has.
  public func text(_ text: LocalizedText, in language: String? = nil) -> String {
    text.text(in: language, fallback: languages)
  }

  /// Whether it has a language, as of ``text(_:in:)``: of `de-AT` also `de`.
  package func speaks(_ language: String) -> Bool {
    LocalizedText.ranges(of: language).contains { languages.contains($0) }
  }

  /// The stop of an identifier.
  public func stop(_ id: String) -> TourStop? { stops.first { $0.id == id } }

  /// What tells whether two files hold the same tour: SHA-256 of ``json``, 64 hexadecimal digits.
  public var digest: String { SHA256.hexadecimal(of: json) }
}
