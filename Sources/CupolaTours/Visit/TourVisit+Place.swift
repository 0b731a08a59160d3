extension TourVisit {
  /// Finds out what the last position and the beacons mean.
  mutating func locate(_ signals: inout [TourSignal]) {
    guard senses.clock != nil else { return }
    let presences = tour.stops.indices.map { senses.presence(tour.stops[$0], at: spots[$0]) }
    leave(presences, &signals)
    for number in progress.indices where canBegin(number) {
      let presence = presences[number]
      let since = progress[number].insideSince
      progress[number].insideSince = presence.isInside ? since ?? presence.time : nil
      if presence.isNear, !progress[number].isNear {
        progress[number].isNear = true
        signals.append(.near(stop: tour.stops[number].id, meters: presence.meters))
      } else if presence.isFar {
        progress[number].isNear = false
      }
    }
    begin(presences, &signals)
  }

  /// Whether a stop can be visited and the visitor is not there.
  private func canBegin(_ number: Int) -> Bool {
    number != current && progress[number].isOpened && !progress[number].isPassed
  }

  /// Ends the stop of which the visitor is away long enough.
  private mutating func leave(
    _ presences: [TourPresence], _ signals: inout [TourSignal]
  ) {
    guard let number = current else { return }
    guard presences[number].isAway else {
      awaySince = nil
      return
    }
    let since = awaySince ?? presences[number].time
    awaySince = since
    guard presences[number].time - since >= Self.leastStay else { return }
    if progress[number].phase == .reached {
      signals.append(.left(stop: tour.stops[number].id, unanswered: progress[number].unanswered))
    }
    end(number, &signals)
  }

  /// Takes the visitor away from the stop, which is over if it is passed.
  mutating func end(_ number: Int, _ signals: inout [TourSignal]) {
    (current, awaySince) = (nil, nil)
    progress[number].insideSince = nil
    guard progress[number].phase == .answered else { return }
    progress[number].phase = .done
    signals.append(.done(stop: tour.stops[number].id))
  }

  /// Begins the stop where the visitor has been long enough; of several the nearest.
  private mutating func begin(
    _ presences: [TourPresence], _ signals: inout [TourSignal]
  ) {
    if let current, !progress[current].isPassed { return }
    let candidates = progress.indices.filter { number in
      guard canBegin(number), let since = progress[number].insideSince else { return false }
      return presences[number].time - since >= Self.leastStay
    }
    guard
      let next = candidates.min(by: { (presences[$0].rank, $0) < (presences[$1].rank, $1) })
    else { return }
    if let current { end(current, &signals) }
    (current, awaySince) = (next, nil)
    progress[next].insideSince = nil
    progress[next].phase = .reached
    signals.append(.arrived(stop: tour.stops[next].id))
  }
}
