public import CupolaGuide
internal import CupolaSupport

// A tour and the order of its stops:
// 1. a tour is read from JSON (TourFile.swift) and never changes;
// 2. its conditions say which stops come before which;
// 3. a tour whose stops wait for each other in a circle is refused.

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
  enum Order: String, Sendable {
    /// As the file has them; only the next one opens.
    case fixed
    /// As the visitor likes, but for what ``TourStop/after`` says.
    case free
  }

  /// What apps know it by.
  public let id: String
  /// What people call it.
  public let title: LocalizedText
  package let languages: [String]
  var order = Order.free
  /// At least one.
  public let stops: [TourStop]
  var from: LocalDate?
  /// The last day on which it can be taken; `nil` for no limit.
  package internal(set) var until: LocalDate?
  /// Whether a passkey of a ``PasskeySet`` opens it; to ask for it is up to the app.
  public internal(set) var needsPasskey = false

  static let format = "cupola.tour/1"
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

  package func stop(_ id: String) -> TourStop? { stops.first { $0.id == id } }

  /// What tells whether two files hold the same tour: SHA-256 of ``json``, 64 hexadecimal digits.
  var digest: String { SHA256.hexadecimal(of: json) }
}

/// What has to be passed before each stop of a tour opens.
struct TourConditions {
  private let stops: [TourStop]
  private let order: Tour.Order
  private let numbers: [String: Int]

  init(_ stops: [TourStop], _ order: Tour.Order) {
    (self.stops, self.order) = (stops, order)
    numbers = Dictionary(
      stops.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { a, _ in a })
  }

  /// The numbers of the stops that have to be passed before each.
  var before: [[Int]] { stops.map { $0.after.compactMap { numbers[$0] } } }

  /// Refuses identifiers that stand twice, stops that are not there, and those that could never open.
  func check(_ list: TourNode) throws(GuideError) {
    for (number, node) in try list.list(0...stops.count).enumerated() {
      let stop = stops[number]
      if let first = numbers[stop.id], first != number {
        throw node.fault("stops[\(first)] has the id \"\(stop.id)\" too; give each its own")
      }
      for id in stop.after {
        guard let other = numbers[id] else {
          throw try node.required("after").fault("no stop has the id \"\(id)\"")
        }
        // Of itself the cycle tells.
        guard order == .free || other <= number else {
          throw try node.required("after").fault(
            "\"\(id)\" comes later in the fixed order; move the stop, or make the order \"free\"")
        }
      }
    }
    if let cycle = cycle {
      let names = (cycle + cycle.prefix(1)).map { stops[$0].id }
      throw list.fault(
        "each opens after the next, so that none ever opens: \(Self.short(names)); "
          + "remove one of them from an \"after\"")
    }
  }

  private static func short(_ names: [String]) -> String {
    let most = 12
    let shown = names.count > most ? Array(names.prefix(most - 1)) + ["..."] : names
    return shown.joined(separator: " -> ")
  }

  /// Stops of which each waits for the next, and the last for the first; the same one every time.
  private var cycle: [Int]? {
    let before = before
    // 0 is new, 1 on the way, 2 known to be in no cycle.
    var colors = [UInt8](repeating: 0, count: stops.count)
    for start in stops.indices where colors[start] == 0 {
      // By hand: a chain of a thousand stops is no reason for a deep stack.
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
