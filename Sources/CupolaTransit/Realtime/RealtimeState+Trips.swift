internal import CupolaGuide
internal import CupolaSupport

extension RealtimeState {
  /// Seconds from a trip's first arrival and last departure within which a moment may belong to it.
  fileprivate static let reach = 12.0 * 3600

  /// The trip on its day that is meant; `nil` when there is none.
  ///
  /// A date is that of the service day. Some agencies (WMATA) write the day on the calendar for trips that begin at
  /// 24:00 or later: where `start_time` or a moment that was said shows it, the trip of the day before is meant.
  ///
  /// Without a date it is the one that is on its way at the moment that was said, else at that of the message, or else
  /// the nearest in time; of equally near ones the earlier. An update of a copy names the trip that it is a copy of, but
  /// says nothing of that.
  ///
  /// - Parameters:
  ///   - moment: of the message, seconds since 1970.
  ///   - said: a moment at which the vehicle is on that trip, seconds since 1970.
  static func key(
    of trip: RealtimeFeed.Trip, in timetable: Timetable, at moment: Double, said: Double? = nil
  ) -> TripInstance.Key? {
    guard trip.relationship != .duplicated, let id = trip.id, timetable.hasTrip(id) else {
      return nil
    }
    let start = trip.startTime.flatMap(Self.seconds)
    let isFrequent = timetable.runsByFrequency(id)
    if isFrequent, start == nil { return nil }
    func found(_ date: LocalDate) -> TripInstance? {
      timetable.instance(
        TripInstance.Key(tripID: id, serviceDate: date, frequencyStart: isFrequent ? start : nil))
    }
    if let text = trip.startDate {
      guard let date = Self.date(text) else { return nil }
      let dated = found(date)
      if isFrequent || (said != nil && dated?.isNear(said) ?? false) { return dated?.key }
      let before = date.adding(days: -1).flatMap(found)
      let isBefore = before?.begins(on: date, at: start, said: said, in: timetable) ?? false
      return isBefore ? before?.key : dated?.key
    }
    // What is said of this evening in the morning is not said of the evening before.
    let then = said ?? moment
    guard let today = LocalTime(secondsSince1970: then, timeZone: timetable.timeZone)?.date else {
      return nil
    }
    var best: (away: Double, key: TripInstance.Key)?
    for days in -2...1 {
      guard let one = today.adding(days: days).flatMap(found), let away = one.away(from: then)
      else { continue }
      if away <= reach, away < best?.away ?? .infinity { best = (away, one.key) }
    }
    return best?.key
  }

  /// Of `25:10:00`.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
      Digits.number($0)
    }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      (0...999).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  /// Of `20261123`.
  static func date(_ text: String) -> LocalDate? {
    guard text.utf8.count == 8, let value = Digits.number(text) else { return nil }
    return LocalDate(year: value / 10_000, month: value / 100 % 100, day: value % 100)
  }
}

extension Timetable {
  /// The copy of a trip (`DUPLICATED`) of which an update is, at its own time; `nil` where it does not say what it is
  /// called and when it begins, or is a copy of no trip of the schedule.
  func copy(_ update: RealtimeFeed.TripUpdate) -> TripInstance? {
    guard let original = update.trip.id.flatMap({ index.tripNumbers[$0] }),
      let id = update.copy.id, !hasTrip(id),
      let date = update.copy.startDate.flatMap(RealtimeState.date),
      let start = update.copy.startTime.flatMap(RealtimeState.seconds)
    else { return nil }
    let trip = instance(ofTrip: original, on: date)
    guard let first = trip.calls.first?.departure else { return nil }
    let later = index.clock.secondsSince1970(start, on: date) - first
    return TripInstance(
      key: TripInstance.Key(tripID: id, serviceDate: date), route: trip.route,
      headsign: trip.headsign, direction: trip.direction, headway: nil,
      calls: trip.calls.map { call in
        var call = call
        call.arrival += later
        call.departure += later
        return call
      })
  }
}

extension TripInstance {
  /// Seconds between a moment and the time in which the vehicle is on its way; `nil` without calls.
  fileprivate func away(from moment: Double) -> Double? {
    guard let first = calls.first?.arrival, let last = calls.last?.departure else { return nil }
    return max(0, first - moment, moment - last)
  }

  /// Whether a moment, where one was said, may belong to it.
  fileprivate func isNear(_ moment: Double?) -> Bool {
    guard let moment, let away = away(from: moment) else { return moment == nil }
    return away <= RealtimeState.reach
  }

  /// Whether it begins at 24:00 or later, on the calendar on a date, and something said shows that it is meant.
  fileprivate func begins(
    on date: LocalDate, at start: Int?, said: Double?, in timetable: Timetable
  ) -> Bool {
    guard let first = calls.first?.departure,
      let local = LocalTime(secondsSince1970: first, timeZone: timetable.timeZone),
      local.date == date, key.serviceDate != date
    else { return false }
    if said != nil { return isNear(said) }
    return start.map { $0 / 60 == local.minute } ?? false
  }
}

extension RealtimeFeed.Trip {
  /// Whether it is a trip on its day, or one of several where it says no date or start.
  func means(_ key: TripInstance.Key) -> Bool {
    guard id == key.tripID else { return false }
    if let startDate, RealtimeState.date(startDate) != key.serviceDate { return false }
    guard let startTime, let start = key.frequencyStart else { return true }
    return RealtimeState.seconds(startTime) == start
  }
}

extension RealtimeFeed.TripUpdate {
  /// Whether it is a whole journey, stops with their times, in place of that of the schedule (`REPLACEMENT`). One that
  /// says less changes the journey of the schedule.
  var replacesTrip: Bool {
    guard trip.relationship == .replacement else { return false }
    let calls = stops.filter { $0.relationship != .skipped }
    return calls.count > 1 && calls.allSatisfy { $0.stop != nil && $0.time != nil }
  }

  /// The first moment that it says of a stop, seconds since 1970.
  var firstMoment: Double? {
    stops.lazy.compactMap { $0.arrival?.moment ?? $0.departure?.moment }.first
  }
}
