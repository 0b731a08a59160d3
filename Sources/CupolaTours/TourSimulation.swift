internal import CupolaCampus
package import CupolaGuide
internal import CupolaSupport

/// A simulated visit: a walk along points with position errors.
///
/// The position errors follow a first-order Gauss-Markov process, because real errors of phones change slowly. A seeded
/// random number generator makes them reproducible.
package struct TourSimulation {
  package struct Walk: Sendable {
    package var points: [MapPoint]
    /// The speed in meters per second; positive.
    package var speed = 1.3
    var pause = 15.0
    /// The standard deviation of each coordinate in meters; at least 0.
    package var noise = 4.0
    /// Whether the visitor answers all questions, and answers them correctly.
    var answers = true
    var start = 0.0

    package init(points: [MapPoint]) { self.points = points }
  }

  struct Step: Equatable, Sendable {
    let seconds: Double
    let event: TourEvent
    let signals: [TourSignal]
  }

  private(set) var steps: [Step] = []
  private(set) var visit: TourVisit

  static let mostSeconds = 86_400
  /// The maximum distance in meters at which a beacon is in each zone.
  private static let zones: [(level: TourZoneLevel, meters: Double)] = [
    (.immediate, 1), (.near, 4), (.far, 15),
  ]
  /// The autocorrelation of the error after one second.
  private static let correlation = 0.95

  /// Simulates a walk of at most ``mostSeconds``; `beacons` returns the location of a beacon zone (by default, the
  /// location of its stop).
  package init(
    of visit: TourVisit, _ walk: Walk, using generator: inout some RandomNumberGenerator,
    beacons: (_ zone: String) -> MapPoint? = { _ in nil }
  ) {
    precondition(walk.speed > 0 && walk.speed.isFinite && walk.pause >= 0, "\(walk)")
    precondition(walk.noise >= 0 && walk.noise.isFinite && walk.start.magnitude < 1e11, "\(walk)")
    self.visit = visit
    let points = walk.points.compactMap {
      Position(latitude: $0.latitude, longitude: $0.longitude)
    }
    let beacons = Self.beacons(of: visit, beacons)
    var levels: [String: TourZoneLevel] = [:]
    var error = (
      east: Self.normal(&generator) * walk.noise, north: Self.normal(&generator) * walk.noise
    )
    for (second, place) in Self.places(points, walk).enumerated() {
      let time = walk.start + Double(second)
      let fresh = (1 - Self.correlation * Self.correlation).squareRoot() * walk.noise
      error.east = Self.correlation * error.east + fresh * Self.normal(&generator)
      error.north = Self.correlation * error.north + fresh * Self.normal(&generator)
      let seen = Self.moved(place, error.east, error.north)
      add(
        .position(
          latitude: seen.latitude, longitude: seen.longitude, accuracy: max(3, 1.5 * walk.noise),
          time: time), second, walk)
      for (zone, beacon) in beacons {
        let meters = Geodesic(from: place, to: beacon).distance
        let level = Self.zones.first { meters <= $0.meters }?.level
        guard level != levels[zone] else { continue }
        levels[zone] = level
        add(.zone(zone, level: level, time: time), second, walk)
      }
    }
  }

  private mutating func add(_ event: TourEvent, _ second: Int, _ walk: Walk) {
    let signals = visit.handle(event)
    steps.append(Step(seconds: Double(second), event: event, signals: signals))
    guard walk.answers else { return }
    for case .arrived(let id) in signals {
      for question in visit.tour.stop(id)?.questions ?? [] {
        let event = TourEvent.answer(stop: id, question: question.id, Self.answer(question))
        let signals = visit.handle(event)
        steps.append(Step(seconds: Double(second), event: event, signals: signals))
      }
    }
  }

  private static func answer(_ question: TourQuestion) -> TourAnswer {
    switch question.form {
    case .choices(let choices):
      let right = choices.indices.filter { choices[$0].isRight }
      return .choices(right.isEmpty ? [0] : right)
    case .text(let texts): return .text(texts.first ?? "yes")
    case .number(let number, _): return .number(number)
    }
  }

  private static func beacons(
    of visit: TourVisit, _ known: (String) -> MapPoint?
  ) -> [(zone: String, place: Position)] {
    var places: [String: Position] = [:]
    for (stop, spot) in zip(visit.tour.stops, visit.spots) {
      guard let zone = stop.beacon?.zone, places[zone] == nil else { continue }
      let point = known(zone)
      places[zone] =
        point.flatMap { Position(latitude: $0.latitude, longitude: $0.longitude) } ?? spot
    }
    return places.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func places(_ points: [Position], _ walk: Walk) -> [Position] {
    var places: [Position] = []
    let stay = Int(min(walk.pause, Double(mostSeconds)).rounded())
    for (number, point) in points.enumerated() {
      places += Array(repeating: point, count: min(stay + 1, mostSeconds - places.count))
      guard number + 1 < points.count, places.count < mostSeconds else { break }
      let way = Geodesic(from: point, to: points[number + 1])
      let seconds = Int(min(way.distance / walk.speed, Double(mostSeconds)).rounded(.down))
      for second in 0..<min(seconds, mostSeconds - places.count) {
        places.append(
          point.destination(azimuth: way.azimuth, distance: Double(second + 1) * walk.speed))
      }
    }
    return places
  }

  private static func moved(_ place: Position, _ east: Double, _ north: Double) -> Position {
    let distance = (east * east + north * north).squareRoot()
    guard distance > 0 else { return place }
    return place.destination(azimuth: Degrees.azimuth(east: east, north: north), distance: distance)
  }

  /// An approximately normally distributed number: the sum of 12 uniform ones minus 6, which is the same on all
  /// machines.
  private static func normal(_ generator: inout some RandomNumberGenerator) -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += Double(generator.next() >> 11) * 0x1p-53 }
    return sum
  }

  /// Returns a line for each event: the time since the start, the event, and the sentences shown to the visitor.
  ///
  /// `all` includes events without sentences.
  package func lines(in language: String? = nil, all: Bool = false) -> [String] {
    var lines: [String] = []
    for step in steps {
      let sentences = step.signals.compactMap { $0.sentence(of: visit.tour, in: language) }
      guard all || !sentences.isEmpty else { continue }
      lines += WrappedText.lines(
        Self.line(step.event), indent: 10, first: "\(Self.clock(step.seconds))  ")
      for sentence in sentences {
        lines += WrappedText.lines(sentence, indent: 12, first: "          > ")
      }
    }
    let passed = visit.progress.count(where: \.isPassed)
    lines.append(
      "\(passed) of \(visit.progress.count) stops passed, \(visit.score) of \(visit.mostScore) points"
    )
    return lines
  }

  private static func clock(_ seconds: Double) -> String {
    let seconds = Int(exactly: seconds.rounded()) ?? 0
    return [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { Digits.padded(max($0, 0), to: 2) }.joined(separator: ":")
  }

  private static func line(_ event: TourEvent) -> String {
    switch event {
    case .position(let latitude, let longitude, let accuracy, _):
      "at \(degrees(latitude)),\(degrees(longitude)), error \(DistanceText.text(meters: accuracy))"
    case .zone(let zone, let level, _):
      "beacon \(VisibleText.line(zone)): \(level?.rawValue ?? "gone")"
    case .tick: "time passes"
    case .answer(let stop, let question, let answer):
      "answer to \(stop), question \(question): \(line(answer))"
    case .skip(let stop): "skip \(stop)"
    case .restart: "restart"
    }
  }

  private static func line(_ answer: TourAnswer) -> String {
    switch answer {
    case .choices(let numbers):
      "choice \(numbers.map { String($0 &+ 1) }.joined(separator: ", "))"
    case .text(let text): VisibleText.line(text)
    case .number(let number): NumberText.short(number)
    }
  }

  /// Rounds to 1e-6 degrees, because the last digits differ between math libraries.
  private static func degrees(_ value: Double) -> String { String((value * 1e6).rounded() / 1e6) }
}
