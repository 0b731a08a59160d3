// 1. Check an answer, count the attempt and store the result; or skip a stop.
// 2. Pass stops without unanswered questions, and open the stops that depend on them.
// 3. End the tour when all stops are passed.

extension TourVisit {
  /// Whether the tour's order and the stop's conditions permit a visit to the stop.
  func isOpen(_ number: Int) -> Bool {
    guard before[number].allSatisfy({ progress[$0].isPassed }) else { return false }
    return tour.order == .free || number == progress.firstIndex { !$0.isPassed }
  }

  mutating func take(
    _ answer: TourAnswer, to question: String, of stop: String, _ signals: inout [TourSignal]
  ) {
    guard let number = tour.stops.firstIndex(where: { $0.id == stop }) else {
      return signals.append(.refused(.unknownStop))
    }
    let questions = tour.stops[number].questions
    guard let index = questions.firstIndex(where: { $0.id == question }) else {
      return signals.append(.refused(.unknownQuestion))
    }
    guard !progress[number].isOver, progress[number].questions[index].outcome == .open else {
      return signals.append(.refused(.isOver))
    }
    guard progress[number].isOpened else { return signals.append(.refused(.notOpen)) }
    guard progress[number].phase == .reached else {
      return signals.append(.refused(.notReached))
    }
    let asked = questions[index]
    guard let isRight = asked.isRight(answer) else {
      return signals.append(.refused(.notAnAnswer))
    }
    var taken = progress[number].questions[index]
    taken.tries += 1
    let triesLeft = max(0, asked.tries - taken.tries)
    if isRight {
      taken.outcome = .right
      signals.append(.right(stop: stop, question: question, points: Self.points(asked)))
    } else {
      if triesLeft == 0 { taken.outcome = .wrong }
      signals.append(.wrong(stop: stop, question: question, triesLeft: triesLeft))
    }
    progress[number].questions[index] = taken
  }

  /// The points for a right answer; 0 if the question accepts every answer.
  private static func points(_ question: TourQuestion) -> Int {
    question.hasRightAnswer ? question.points : 0
  }

  mutating func skip(_ stop: String, _ signals: inout [TourSignal]) {
    guard let number = tour.stops.firstIndex(where: { $0.id == stop }) else {
      return signals.append(.refused(.unknownStop))
    }
    guard !progress[number].isPassed else { return signals.append(.refused(.isOver)) }
    guard progress[number].isOpened else { return signals.append(.refused(.notOpen)) }
    if current == number { (current, awaySince) = (nil, nil) }
    progress[number].insideSince = nil
    progress[number].phase = .skipped
    signals.append(.skipped(stop: stop))
  }

  /// Passes, opens and completes stops until nothing more changes.
  mutating func settle(_ signals: inout [TourSignal]) {
    while pass(&signals) || open(&signals) {}
    guard !isFinished, progress.allSatisfy(\.isPassed) else { return }
    if let current { end(current, &signals) }
    isFinished = true
    signals.append(.finished(score: score, of: mostScore))
  }

  private mutating func pass(_ signals: inout [TourSignal]) -> Bool {
    var passed = false
    for number in progress.indices
    where progress[number].phase == .reached && progress[number].isOpened
      && progress[number].unanswered == 0
    {
      passed = true
      progress[number].phase = .answered
      signals.append(.answered(stop: tour.stops[number].id))
      if number != current {
        progress[number].phase = .done
        signals.append(.done(stop: tour.stops[number].id))
      }
    }
    return passed
  }

  private mutating func open(_ signals: inout [TourSignal]) -> Bool {
    var opened = false
    for number in progress.indices
    where !progress[number].isPassed && !progress[number].isOpened && isOpen(number) {
      opened = true
      progress[number].isOpened = true
      signals.append(.opened(stop: tour.stops[number].id))
    }
    return opened
  }

  /// The total points for right answers.
  public var score: Int {
    zip(tour.stops, progress).reduce(0) { sum, pair in
      sum
        + zip(pair.0.questions, pair.1.questions).reduce(0) {
          $0 + ($1.1.outcome == .right ? Self.points($1.0) : 0)
        }
    }
  }

  var mostScore: Int {
    tour.stops.reduce(0) { $0 + $1.questions.reduce(0) { $0 + Self.points($1) } }
  }

  func state(of stop: String) -> TourStopState? {
    tour.stops.firstIndex { $0.id == stop }.map(state)
  }

  func state(_ number: Int) -> TourStopState {
    let stop = progress[number]
    switch stop.phase {
    case .done: return .done
    case .skipped: return .skipped
    case .answered: return .answered
    case .waiting, .reached:
      if number == current { return .at }
      guard stop.isOpened else { return .locked }
      return stop.isNear ? .near : .open
    }
  }

  /// The stop where the visitor is, if there is one.
  public var currentStop: TourStop? { current.map { tour.stops[$0] } }

  /// The next stop: if the order is fixed, the following stop; otherwise, the nearest open stop.
  public var next: TourStop? {
    let open = progress.indices.filter {
      progress[$0].isOpened && !progress[$0].isPassed && $0 != current
    }
    let best = open.min {
      let (a, b) = (distance($0), distance($1))
      return a == b ? $0 < $1 : a < b
    }
    return best.map { tour.stops[$0] }
  }

  private func distance(_ number: Int) -> Double {
    evidence.proximity(tour.stops[number], at: spots[number]).meters ?? .infinity
  }
}
