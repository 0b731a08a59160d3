public import CupolaGuide
internal import CupolaSupport

// 1. Define a tour and its limits.
// 2. Check the conditions of its stops: known identifiers, dependencies consistent with the order, no cycles.

/// A tour of a campus: stops with texts, media and questions.
///
/// The JSON format is `cupola.tour/1`:
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
/// A text is either a string in the first language, or an object of strings by language. A question has exactly one of
/// `choices`, `answers` and `number`; its default `id` is its number, starting with 1. Unknown members are errors.
public struct Tour: Equatable, Sendable {
  enum Order: String, Sendable {
    case fixed
    /// Visitors choose the order, except for the stops in ``TourStop/after``.
    case free
  }

  /// The identifier of the tour.
  public let id: String
  /// The title of the tour.
  public let title: LocalizedText
  package let languages: [String]
  var order = Order.free
  /// The stops; at least one.
  public let stops: [TourStop]
  var from: LocalDate?
  /// The last day of the tour, if there is one.
  package internal(set) var until: LocalDate?
  /// Whether the tour requires a passkey from a ``PasskeySet``. The app must ask for it.
  public internal(set) var needsPasskey = false

  static let format = "cupola.tour/1"
  static let mostBytes = 16 << 20
  static let mostStops = 1000
  static let mostLanguages = 20
  static let mostParts = 50
  static let mostTitleBytes = 500
  static let mostTextBytes = 50_000

  /// Whether the tour is available on a day.
  public func isOpen(on date: LocalDate) -> Bool {
    (from.map { $0 <= date } ?? true) && (until.map { date <= $0 } ?? true)
  }

  /// Returns a text in a language or, if missing, in the first language of the tour that has the text.
  public func text(_ text: LocalizedText, in language: String? = nil) -> String {
    text.text(in: language, fallback: languages)
  }

  /// Whether the tour supports a language; `de-AT` also matches `de`.
  package func speaks(_ language: String) -> Bool {
    LocalizedText.ranges(of: language).contains { languages.contains($0) }
  }

  package func stop(_ id: String) -> TourStop? { stops.first { $0.id == id } }

  /// The SHA-256 of ``json`` as 64 hexadecimal digits, which identifies the tour's content.
  var digest: String { SHA256.hexadecimal(of: json) }
}

/// For each stop of a tour, the stops that must be passed before it opens.
struct TourConditions {
  private let stops: [TourStop]
  private let order: Tour.Order
  private let numbers: [String: Int]

  init(_ stops: [TourStop], _ order: Tour.Order) {
    (self.stops, self.order) = (stops, order)
    numbers = Dictionary(
      stops.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { a, _ in a })
  }

  var before: [[Int]] { stops.map { $0.after.compactMap { numbers[$0] } } }

  /// Rejects duplicate and unknown identifiers, and stops that can never open.
  func check(_ list: TourNode) throws(GuideError) {
    for (number, node) in try list.list(0...stops.count).enumerated() {
      let stop = stops[number]
      if let first = numbers[stop.id], first != number {
        throw node.fault(
          "duplicate ID \"\(stop.id)\", also used by stops[\(first)]; use a unique one")
      }
      for id in stop.after {
        guard let other = numbers[id] else {
          throw try node.required("after").fault("unknown stop \"\(id)\"; use the ID of a stop")
        }
        guard order == .free || other <= number else {
          throw try node.required("after").fault(
            "\"\(id)\" comes later in the fixed order; move the stop, or set \"order\" to \"free\"")
        }
      }
    }
    if let cycle = cycle {
      let names = (cycle + cycle.prefix(1)).map { stops[$0].id }
      throw list.fault(
        "stops depend on each other in a cycle: \(Self.short(names)); "
          + "remove one from an \"after\" list")
    }
  }

  private static func short(_ names: [String]) -> String {
    let most = 12
    let shown = names.count > most ? Array(names.prefix(most - 1)) + ["..."] : names
    return shown.joined(separator: " -> ")
  }

  /// The first cycle of stops that depend on each other, if there is one.
  private var cycle: [Int]? {
    let before = before
    // 0: not visited; 1: on the current path; 2: not part of a cycle.
    var colors = [UInt8](repeating: 0, count: stops.count)
    for start in stops.indices where colors[start] == 0 {
      // The search is iterative, because a chain of a thousand stops would require a deep stack.
      var way: [(stop: Int, next: Int)] = [(start, 0)]
      colors[start] = 1
      while let (stop, next) = way.last {
        guard next < before[stop].count else {
          colors[stop] = 2
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let other = before[stop][next]
        if colors[other] == 1 { return way.map(\.stop).drop { $0 != other }.map { $0 } }
        guard colors[other] == 0 else { continue }
        colors[other] = 1
        way.append((other, 0))
      }
    }
    return nil
  }
}
