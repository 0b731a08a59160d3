// 1. `take` checks an answer, counts the try and stores the outcome; `skip` passes over a stop.
// 2. `settle` passes stops without open questions, then opens the stops that waited for them.
// 3. It repeats this until nothing changes, and ends the tour when all stops are passed.
// 4. `score`, `state` and `next` report the progress.

extension TourVisit {
  /// Whether the order and what comes before let a stop be visited.
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

  /// What a right answer is worth: nothing where everything is right.
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

  /// Draws the conclusions: what is answered, over, opened, and finished.
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
      // Answered on the way to somewhere else.
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

  // MARK: - For people

  /// Points of right answers.
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

  /// How far it is with a stop; `nil` for one that the tour does not have.
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

  /// The stop where the visitor is; `nil` between stops.
  public var currentStop: TourStop? { current.map { tour.stops[$0] } }

  /// Where to go next: in a fixed order the next stop, else the nearest open one, by the last position. `nil` when
  /// none is left.
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

  /// Meters to a stop; infinite where nobody knows.
  private func distance(_ number: Int) -> Double {
    senses.presence(tour.stops[number], at: spots[number]).meters ?? .infinity
  }
}
