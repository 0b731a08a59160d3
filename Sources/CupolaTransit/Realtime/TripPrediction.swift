internal import CupolaSupport

// 1. A canceled trip cancels all its calls.
// 2. `matches` finds the stop update of each call, by sequence or by stop.
// 3. Each call takes the times of its update, or the delay carried from the call before.
// 4. The delay against the schedule is computed for calls that have one.

/// What a trip update says of the calls of a scheduled trip, by the rules of GTFS-realtime
/// (https://gtfs.org/documentation/realtime/feed-entities/trip-updates).
///
/// - A delay holds from its stop to the next one that an update names; where one names a stop and says nothing, the
///   vehicle is on time from there on.
/// - Nothing is known of stops before the first update, and from `NO_DATA` on to the next one.
/// - Skipped stops carry the delay of those before them on.
/// - A time counts more than a delay. Where only the arrival is said, the vehicle leaves as much later or earlier; where
///   only the departure is said, of the arrival what came before holds.
/// - An update is of the call with its `stop_sequence`, else of the next one at its `stop_id`.
/// - A trip that is replaced (`REPLACEMENT`) calls where the update says, by `stop_id` in their order, and nowhere else.
/// - Trips that run by frequency without exact times have no schedule to be late for: only times count, and no delay is
///   told.
struct TripPrediction: Equatable, Sendable {
  /// A call with what is known of it.
  struct Call: Equatable, Sendable {
    enum Status: Equatable, Sendable {
      case scheduled, predicted, skipped, noData, canceled
    }

    var status = Status.scheduled
    /// When the vehicle comes, seconds since 1970; `nil` where nothing is predicted.
    var arrival: Double?
    /// When it leaves, likewise.
    var departure: Double?
    /// Seconds late of the departure, or of the arrival where there is no departure; less than 0 is early.
    var delay: Int?
  }

  /// As many as the trip has calls.
  let calls: [Call]

  init(_ update: RealtimeFeed.TripUpdate, to trip: TripInstance) {
    switch update.trip.relationship {
    case .canceled, .deleted:
      calls = trip.calls.map { _ in Call(status: .canceled) }
      return
    default: break
    }
    let isReplaced = update.replacesTrip
    let byCall = Self.matches(update.stops, trip.calls, byStopOnly: isReplaced)
    let isFree = trip.headway != nil
    var carried = isFree || isReplaced ? nil : update.delay.map { Double($0) }
    var all: [Call] = []
    for (scheduled, number) in zip(trip.calls, byCall) {
      var call = Call()
      if let number {
        let stop = update.stops[number]
        switch stop.relationship {
        case .skipped:
          call.status = .skipped
          all.append(call)
          continue
        case .noData:
          carried = nil
          call.status = .noData
        case .scheduled, .unscheduled:
          call.take(stop, scheduled, isFree: isFree, carried: &carried)
        }
      } else if isReplaced {
        call.status = .skipped
      } else if let delay = carried {
        call.status = .predicted
        call.arrival = scheduled.arrival + delay
        call.departure = scheduled.departure + delay
      }
      if call.status == .predicted, !isFree {
        let late =
          call.departure.map { $0 - scheduled.departure }
          ?? call.arrival.map { $0 - scheduled.arrival }
        call.delay = late.map { Int(saturating: $0.rounded()) }
      }
      all.append(call)
    }
    calls = all
  }

  /// The number of the update of each call.
  private static func matches(
    _ updates: [RealtimeFeed.StopUpdate], _ calls: [TripInstance.Call], byStopOnly: Bool
  ) -> [Int?] {
    var found: [Int?] = calls.map { _ in nil }
    var next = 0
    for (number, update) in updates.enumerated() {
      let place: Int?
      if let sequence = update.sequence, !byStopOnly {
        place = calls.firstIndex { $0.sequence == sequence }
      } else if let stop = update.stop {
        place = calls.indices.dropFirst(next).first { calls[$0].stopID == stop }
      } else {
        place = nil
      }
      guard let place else { continue }
      found[place] = number
      next = max(next, place + 1)
    }
    return found
  }
}

extension TripPrediction.Call {
  /// Takes what an update says of a stop.
  fileprivate mutating func take(
    _ stop: RealtimeFeed.StopUpdate, _ scheduled: TripInstance.Call, isFree: Bool,
    carried: inout Double?
  ) {
    func late(_ event: RealtimeFeed.Event?, _ time: Double) -> Double? {
      guard let event else { return nil }
      if let said = event.moment { return said - time }
      return isFree ? nil : event.delay.map { Double($0) }
    }
    // A stop that is named without a word is on time.
    let isSilent = stop.arrival == nil && stop.departure == nil
    let ofArrival = late(stop.arrival, scheduled.arrival)
    let ofDeparture = late(stop.departure, scheduled.departure)
    let before = isSilent && !isFree ? 0 : carried
    let (first, second) = (ofArrival ?? before, ofDeparture ?? ofArrival ?? before)
    guard first != nil || second != nil else { return }
    status = .predicted
    arrival = first.map { scheduled.arrival + $0 }
    departure = second.map { scheduled.departure + $0 }
    carried = second
  }
}
