internal import CupolaSupport

// 1. Cancel all calls of a canceled trip; otherwise, match each call with its stop update.
// 2. Apply the times of the update, or the delay carried over from the previous call.

/// The predicted times of a trip, computed according to the rules of GTFS-realtime.
///
/// - A delay applies until the next stop with an update. A stop update without times means that the trip is on time.
/// - There is no prediction before the first update, or between `NO_DATA` and the next update.
/// - A skipped stop passes on the delay of the stop before it.
/// - A time overrides a delay. The delay of an arrival also applies to the departure, but not vice versa.
/// - An update matches the call with its `stop_sequence`; if there is none, the next call at its `stop_id`.
/// - A `REPLACEMENT` that contains all times calls only at its own stops, which are matched by `stop_id` in order.
/// - For trips with a frequency but no exact times, only times are used, and there is no delay.
///
/// Source: https://gtfs.org/documentation/realtime/feed-entities/trip-updates
struct TripPrediction: Equatable, Sendable {
  struct Call: Equatable, Sendable {
    enum Status: Equatable, Sendable {
      case scheduled, predicted, skipped, noData, canceled
    }

    var status = Status.scheduled
    /// The predicted time in seconds since 1970, like `departure`; `nil` if there is no prediction.
    var arrival: Double?
    var departure: Double?
    /// The delay of the departure in seconds or, if missing, of the arrival; negative if early.
    var delay: Int?
  }

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
    let hasHeadway = trip.headway != nil
    var carried = hasHeadway || isReplaced ? nil : update.delay.map { Double($0) }
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
          call.take(stop, scheduled, hasHeadway: hasHeadway, carried: &carried)
        }
      } else if isReplaced {
        call.status = .skipped
      } else if let delay = carried {
        call.status = .predicted
        call.arrival = scheduled.arrival + delay
        call.departure = scheduled.departure + delay
      }
      if call.status == .predicted, !hasHeadway {
        let late =
          call.departure.map { $0 - scheduled.departure }
          ?? call.arrival.map { $0 - scheduled.arrival }
        call.delay = late.map { Int(saturating: $0.rounded()) }
      }
      all.append(call)
    }
    calls = all
  }

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
  fileprivate mutating func take(
    _ stop: RealtimeFeed.StopUpdate, _ scheduled: TripInstance.Call, hasHeadway: Bool,
    carried: inout Double?
  ) {
    func late(_ event: RealtimeFeed.Event?, _ time: Double) -> Double? {
      guard let event else { return nil }
      if let reported = event.moment { return reported - time }
      return hasHeadway ? nil : event.delay.map { Double($0) }
    }
    let hasNoTimes = stop.arrival == nil && stop.departure == nil
    let arrivalDelay = late(stop.arrival, scheduled.arrival)
    let departureDelay = late(stop.departure, scheduled.departure)
    let before = hasNoTimes && !hasHeadway ? 0 : carried
    let (first, second) = (arrivalDelay ?? before, departureDelay ?? arrivalDelay ?? before)
    guard first != nil || second != nil else { return }
    status = .predicted
    arrival = first.map { scheduled.arrival + $0 }
    departure = second.map { scheduled.departure + $0 }
    carried = second
  }
}
