internal import CupolaCampus
internal import CupolaGuide

// A visit of a tour, as a value:
// 1. an event is taken, and the clock set (here);
// 2. positions and beacons begin and end stops (TourPresence.swift);
// 3. answers and skipped stops count, and what follows from them is drawn (TourProgress.swift);
// 4. the visit is written and read again (TourVisitFile.swift).

/// A visit of a tour: takes what happens, tells what it means, and can be written down at any moment.
///
/// A stop begins when positions lie within its radius, or its beacon is near enough, for
/// 5 seconds without a break: passing by does not count. Positions whose error is larger than
/// 30 m and twice the radius begin nothing. It ends when positions lie beyond the radius and their error (10 to
/// 100 m), and its beacon is farther, for as long. One is at one stop at a time: an unfinished one keeps others from
/// beginning until it is left. A stop is passed, and what waits for it opens, when its questions are answered or it
/// is skipped; it is done when it is left, or another begins, or all are passed.
public struct TourVisit: Equatable, Sendable {
  package let tour: Tour
  /// What tells whether it is still the same.
  let digest: String
  /// Where its stops are; `nil` where a beacon alone tells, or the guide does not know the place.
  let spots: [Position?]
  /// For each stop those that come before.
  let before: [[Int]]

  var progress: [StopProgress]
  var senses = TourSenses()
  /// The number of the stop where the visitor is.
  var current: Int?
  /// Since when the visitor is away from it without a break, seconds since 1970.
  var awaySince: Double?
  /// Whether it was said that all is over.
  public internal(set) var isFinished = false

  /// Seconds at a stop before it begins, and away from it before it ends.
  static let leastStay = 5.0
  /// Seconds without events after which a stay counts anew.
  static let longestGap = 60.0
  /// Seconds by which an event may come late; a larger step back is a clock that was set.
  static let clockStep = 300.0

  /// Begins a visit.
  ///
  /// - Parameters:
  ///   - places: the latitude and longitude of a place of the guide by its identifier or name; `nil` for one
  ///     that it does not know.
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
    // What is open at the start nobody has to be told.
    for number in tour.stops.indices where isOpen(number) { progress[number].isOpened = true }
  }

  /// Takes an event.
  ///
  /// - Returns: what it means, in this order; often nothing.
  public mutating func handle(_ event: TourEvent) -> [TourSignal] {
    var signals: [TourSignal] = []
    switch event {
    case .position(let latitude, let longitude, let accuracy, let time):
      let error = accuracy >= 0 && accuracy.isFinite ? accuracy : nil
      guard
        let position = Position(latitude: latitude, longitude: longitude, horizontalError: error),
        passes(to: time)
      else { return [] }
      senses.fix = TourSenses.Fix(position: position, time: time)
      locate(&signals)
    case .zone(let name, let level, let time):
      guard tour.stops.contains(where: { $0.beacon?.zone == name }), passes(to: time) else {
        return []
      }
      senses.zones[name] = level
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

  /// Sets the clock; `false` for an event that comes too late or at no time.
  private mutating func passes(to time: Double) -> Bool {
    guard time.isFinite, time.magnitude < 1e12 else { return false }
    let last = senses.clock ?? time
    guard time >= last || time < last - Self.clockStep else { return false }
    if time < last || time - last > Self.longestGap {
      // What was between is not known.
      for number in progress.indices { progress[number].insideSince = nil }
      awaySince = nil
      if time < last { senses.fix = nil }
    }
    senses.clock = time
    return true
  }

  private mutating func restart(_ signals: inout [TourSignal]) {
    progress = tour.stops.map { StopProgress($0) }
    (current, awaySince, isFinished) = (nil, nil, false)
    signals.append(.restarted)
  }
}

/// What a visit keeps of a stop.
struct StopProgress: Equatable, Sendable {
  enum Phase: String {
    case waiting
    /// The visitor has been there.
    case reached
    /// All questions are answered, and the visitor is still there.
    case answered
    case done, skipped
  }

  var phase = Phase.waiting
  /// Whether it was said that the stop is open.
  var isOpened = false
  /// Whether it was said that the stop is near.
  var isNear = false
  /// Since when the visitor is inside without a break, seconds since 1970.
  var insideSince: Double?
  /// In the order of the stop's questions.
  var questions: [QuestionProgress]

  init(_ stop: TourStop) {
    questions = stop.questions.map { _ in QuestionProgress() }
  }

  /// Whether stops that wait for this one may open.
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
    /// Answered wrongly as often as one may.
    case wrong
  }

  var outcome = Outcome.open
  var tries = 0
}
