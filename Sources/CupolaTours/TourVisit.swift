internal import CupolaCampus
internal import CupolaGuide

// 1. Handle events: start and end stops (StopProximity.swift) and record answers (TourProgress.swift).
// 2. Read and write the visit (TourVisitFile.swift).

/// A visit to the stops of a tour: handles events, returns signals, and can be saved at any time.
///
/// A stop starts after 5 s within its radius or beacon zone. For this, positions are ignored if their error is more
/// than both 30 m and twice the radius. A stop ends after 5 s outside the zone and beyond the radius plus the position
/// error (10 to 100 m). A stop that is not complete must be left before another can start. A stop is passed when its
/// questions are answered or it is skipped; stops that depend on it then open. It is complete when the visitor leaves,
/// another stop starts, or all stops are passed.
public struct TourVisit: Equatable, Sendable {
  package let tour: Tour
  let digest: String
  /// The location of each stop; `nil` if it is unknown or if the stop has only a beacon.
  let spots: [Position?]
  /// For each stop, the stops that must be passed before it.
  let before: [[Int]]

  var progress: [StopProgress]
  var evidence = TourEvidence()
  var current: Int?
  /// The time at which the visitor went away from the stop, in seconds since 1970.
  var awaySince: Double?
  /// Whether the end of the tour has been reported.
  public internal(set) var isFinished = false

  /// The seconds at a stop before it starts, and away from a stop before it ends.
  static let leastStay = 5.0
  /// The seconds without events after which a stay is counted again from the start.
  static let longestGap = 60.0
  /// The maximum delay of an event in seconds; a larger step back means that the clock was set.
  static let clockStep = 300.0

  /// Starts a visit; `places` returns the location of a place in the guide, if known.
  package init(
    of tour: Tour,
    places: (_ place: String) -> (latitude: Double, longitude: Double)? = { _ in nil }
  ) {
    (self.tour, digest) = (tour, tour.digest)
    spots = tour.stops.map { stop in
      switch stop.place {
      case .point(let latitude, let longitude):
        Position(latitude: latitude, longitude: longitude)
      case .named(let name):
        places(name).flatMap { Position(latitude: $0.latitude, longitude: $0.longitude) }
      case nil: nil
      }
    }
    before = TourConditions(tour.stops, tour.order).before
    progress = tour.stops.map { StopProgress($0) }
    for number in tour.stops.indices where isOpen(number) { progress[number].isOpened = true }
  }

  /// Handles an event and returns the resulting signals in order.
  public mutating func handle(_ event: TourEvent) -> [TourSignal] {
    var signals: [TourSignal] = []
    switch event {
    case .position(let latitude, let longitude, let accuracy, let time):
      let error = accuracy >= 0 && accuracy.isFinite ? accuracy : nil
      guard
        let position = Position(latitude: latitude, longitude: longitude, horizontalError: error),
        passes(to: time)
      else { return [] }
      evidence.fix = TourEvidence.Fix(position: position, time: time)
      locate(&signals)
    case .zone(let name, let level, let time):
      guard tour.stops.contains(where: { $0.beacon?.zone == name }), passes(to: time) else {
        return []
      }
      evidence.zones[name] = level
      locate(&signals)
    case .tick(let time):
      guard passes(to: time) else { return [] }
      locate(&signals)
    case .answer(let stop, let question, let answer):
      take(answer, to: question, of: stop, &signals)
    case .skip(let stop): skip(stop, &signals)
    case .restart: restart(&signals)
    }
    settle(&signals)
    return signals
  }

  /// Updates the clock; returns `false` for late or invalid times.
  private mutating func passes(to time: Double) -> Bool {
    guard time.isFinite, time.magnitude < 1e12 else { return false }
    let last = evidence.clock ?? time
    guard time >= last || time < last - Self.clockStep else { return false }
    if time < last || time - last > Self.longestGap {
      for number in progress.indices { progress[number].insideSince = nil }
      awaySince = nil
      if time < last { evidence.fix = nil }
    }
    evidence.clock = time
    return true
  }

  private mutating func restart(_ signals: inout [TourSignal]) {
    progress = tour.stops.map { StopProgress($0) }
    (current, awaySince, isFinished) = (nil, nil, false)
    signals.append(.restarted)
  }
}

struct StopProgress: Equatable, Sendable {
  enum Phase: String {
    case waiting
    case reached
    /// All questions are answered, and the visitor is still at the stop.
    case answered
    case done, skipped
  }

  var phase = Phase.waiting
  var isOpened = false
  /// Whether the signal that the stop is near has been sent.
  var isNear = false
  /// The start of the visitor's uninterrupted stay, in seconds since 1970.
  var insideSince: Double?
  var questions: [QuestionProgress]

  init(_ stop: TourStop) {
    questions = stop.questions.map { _ in QuestionProgress() }
  }

  /// Whether stops that depend on this one can open.
  var isPassed: Bool {
    switch phase {
    case .waiting, .reached: false
    case .answered, .done, .skipped: true
    }
  }

  var isOver: Bool { phase == .done || phase == .skipped }

  var unanswered: Int { questions.count { $0.outcome == .open } }
}

struct QuestionProgress: Equatable, Sendable {
  enum Outcome: String {
    case open, right
    /// The answer is wrong, and no attempts are left.
    case wrong
  }

  var outcome = Outcome.open
  var tries = 0
}
