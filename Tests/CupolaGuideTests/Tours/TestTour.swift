import CupolaCampus
import CupolaSupport
import Cupola
import Foundation

@testable import CupolaGuide
@testable import CupolaTours

enum TestTour {
  static let campus = (latitude: 37.9681, longitude: 23.7787)

  static func point(_ east: Double, _ north: Double) -> (latitude: Double, longitude: Double) {
    // The meters per degree at 37.97° N on WGS 84.
    (campus.latitude + north / 110_992, campus.longitude + east / 87_853)
  }

  static func stop(
    _ id: String, _ east: Double, _ north: Double, radius: Double = 25,
    questions: [TourQuestion] = [], after: [String] = []
  ) -> TourStop {
    let at = point(east, north)
    let rounded = MapPoint(latitude: at.latitude, longitude: at.longitude)
    return TourStop(
      id: id, title: LocalizedText(["en": "Stop \(id)"]),
      place: .point(latitude: rounded?.latitude ?? 0, longitude: rounded?.longitude ?? 0),
      radius: radius, text: LocalizedText(["en": "About \(id)."]), questions: questions,
      after: after)
  }

  static func tour(_ stops: [TourStop], order: Tour.Order = .free) -> Tour {
    Tour(
      id: "made", title: LocalizedText(["en": "Made"]), languages: ["en", "el"], order: order,
      stops: stops)
  }

  static func position(
    _ east: Double, _ north: Double, at time: Double, accuracy: Double = 5
  ) -> TourEvent {
    let place = point(east, north)
    return .position(
      latitude: place.latitude, longitude: place.longitude, accuracy: accuracy, time: time)
  }

  static let year = TourQuestion(
    id: "year", text: LocalizedText(["en": "When?"]), form: .number(1932, tolerance: 1),
    hint: LocalizedText(["en": "Look up."]), explanation: LocalizedText(["en": "In 1932."]),
    points: 10, tries: 2)

  static let example = """
    {"format": "cupola.tour/1", "id": "old-campus", "languages": ["en", "el"], "order": "fixed",
     "title": {"en": "The old campus", "el": "Η παλιά"}, "passkey": true,
     "from": "2026-03-01", "until": "2026-10-31",
     "stops": [
       {"id": "gate", "title": "Main gate", "latitude": 37.9681, "longitude": 23.7787, "radius": 20},
       {"id": "library", "title": "Old Library", "place": "way/4711", "radius": 30, "after": ["gate"],
        "beacon": {"zone": "library hall", "level": "near"},
        "text": "Built in 1932.\\nOpen every day.",
        "media": [{"path": "media/library.jpg", "kind": "image", "alt": "The reading room"}],
        "questions": [
          {"id": "year", "text": "When was it built?", "number": 1932, "tolerance": 1,
           "hint": "Look above the door.", "explanation": "In 1932.", "points": 10, "tries": 3},
          {"text": "Who built it?", "answers": ["Rodin", "Auguste Rodin"]},
          {"text": "Which is true?", "choices": [{"text": "A", "right": true}, {"text": "B"}]}]}]}
    """

  /// Returns a random tour with 1 to 8 stops, of all kinds.
  static func any(using random: inout SplitMix64) -> Tour {
    func flip() -> Bool { Bool.random(using: &random) }
    func text(_ word: String) -> LocalizedText {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: LocalizedText(["en": word])
      case 1: LocalizedText(["el": word + " \"\\ ά\n😀"])
      default: LocalizedText(["en": word, "el": "ω" + word])
      }
    }
    func question(_ id: String) -> TourQuestion {
      let form: TourQuestion.Form =
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          .choices(
            (0..<Int.random(in: 2...5, using: &random)).map { _ in
              .init(LocalizedText(["en": "choice"]), isRight: flip())
            })
        case 1: .text((0..<Int.random(in: 0...3, using: &random)).map { "Answer \($0)" })
        default: .number(Double.random(in: -1e6...1e6, using: &random), tolerance: flip() ? 0 : 0.5)
        }
      return TourQuestion(
        id: id, text: text("?"), form: form, hint: flip() ? text("h") : nil,
        explanation: flip() ? text("e") : nil, points: Int.random(in: 0...10, using: &random),
        tries: Int.random(in: 1...4, using: &random))
    }
    let order: Tour.Order = flip() ? .fixed : .free
    let stops = (0..<Int.random(in: 1...8, using: &random)).map { number -> TourStop in
      let hasPlace = flip() || flip()
      let place = stop(
        "s\(number)", Double.random(in: -200...200, using: &random),
        Double.random(in: -200...200, using: &random)
      ).place
      let after = (0..<number).filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
      return TourStop(
        id: "s\(number)", title: LocalizedText(["en": "S\(number)"]), place: hasPlace ? place : nil,
        radius: hasPlace ? Double(Int.random(in: 10...60, using: &random)) : 25,
        beacon: !hasPlace || flip()
          ? .init(
            zone: "z\(number % 5)",
            level: TourZoneLevel.allCases.randomElement(using: &random) ?? .far)
          : nil,
        text: flip() ? text("t") : nil,
        media: flip()
          ? [TourMedia(path: "m/\(number).jpg", kind: .image, alternative: text("a"))] : [],
        questions: (0..<Int.random(in: 0...2, using: &random)).map { question("q\($0)") },
        after: after.map { "s\($0)" })
    }
    return Tour(
      id: "any",
      title: text("T").texts["en"].map { LocalizedText(["en": $0]) } ?? LocalizedText(["el": "T"]),
      languages: ["en", "el"], order: order, stops: stops,
      from: flip() ? LocalDate(year: 2026, month: 1, day: 2) : nil, needsPasskey: flip())
  }

  /// Returns a random event for a visitor who walks around; `walker` stores the state between calls.
  static func anyEvent(
    of tour: Tour, _ walker: inout (east: Double, north: Double, time: Double),
    using random: inout SplitMix64
  ) -> TourEvent {
    let stop = tour.stops.randomElement(using: &random)
    walker.time += [1.0, 1.0, 1.0, 2.0, 3.0, 7.0, 70.0, -1.0].randomElement(using: &random) ?? 1.0
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return .skip(stop: stop?.id ?? "?")
    case 1:
      return Int.random(in: 0..<20, using: &random) == 0 ? .restart : .tick(time: walker.time)
    case 2...6:
      let question = stop?.questions.randomElement(using: &random)
      let answer: TourAnswer =
        switch question?.form {
        case .choices(let choices):
          .choices(choices.indices.filter { choices[$0].isRight || Bool.random(using: &random) })
        case .text(let texts): .text(Bool.random(using: &random) ? texts.first ?? "x" : "wrong")
        case .number(let number, _): .number(Bool.random(using: &random) ? number : number + 1)
        case nil: .text("?")
        }
      return .answer(stop: stop?.id ?? "?", question: question?.id ?? "q0", answer)
    case 7...9:
      return .zone(
        "z\(Int.random(in: 0...5, using: &random))",
        level: ([nil] + TourZoneLevel.allCases).randomElement(using: &random) ?? nil,
        time: walker.time)
    case 10...13: return .tick(time: walker.time)
    default:
      // Sometimes, the visitor goes to a stop.
      if Int.random(in: 0..<6, using: &random) == 0,
        case .point(let latitude, let longitude)? = stop?.place
      {
        walker.east = (longitude - campus.longitude) * 87_853
        walker.north = (latitude - campus.latitude) * 110_992
      }
      walker.east += Double.random(in: -5...5, using: &random)
      walker.north += Double.random(in: -5...5, using: &random)
      return position(
        walker.east, walker.north, at: walker.time,
        accuracy: [5.0, 10.0, 40.0, 200.0, -1.0].randomElement(using: &random) ?? 5.0)
    }
  }
}
