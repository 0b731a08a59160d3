import CupolaGuide

/// A departure: schema `cupola.guide_departure/1`.
struct DepartureJSON: Encodable {
  let schema = "cupola.guide_departure/1"
  let route: String
  let destination: String
  let trip: String
  let serviceDate: String
  let stop: String
  let stopName: String
  let platform: String?
  let sequence: Int
  /// Seconds since 1970, and on the clocks of the timetable.
  let scheduled: Double
  let time: Double
  let local: String
  /// `scheduled`, `frequency`, `predicted`, `canceled`, `skipped`.
  let status: String
  let headway: Int?
  let delay: Int?
  let wheelchair: Bool?

  private enum CodingKeys: String, CodingKey {
    case schema, route, destination, trip, stop, platform, sequence, scheduled, time, local, status
    case headway, delay, wheelchair
    case serviceDate = "service_date"
    case stopName = "stop_name"
  }

  init(_ live: LiveDeparture, _ timetable: Timetable) {
    let departure = live.departure
    (route, destination) = (departure.route.title, departure.destination)
    (trip, serviceDate) = (departure.key.trip.tripID, "\(departure.key.trip.serviceDate)")
    (stop, stopName, platform) = (departure.stop.id, departure.stop.name, departure.stop.platform)
    (sequence, scheduled, time) = (departure.key.sequence, departure.time, live.time)
    local = MomentText.local(live.time, timetable)
    wheelchair = departure.isWheelchairAccessible
    if case .every(let seconds) = departure.precision { headway = seconds } else { headway = nil }
    if case .predicted(let late) = live.status { delay = late } else { delay = nil }
    status =
      switch live.status {
      case .scheduled: headway == nil ? "scheduled" : "frequency"
      case .predicted: "predicted"
      case .canceled: "canceled"
      case .skipped: "skipped"
      }
  }
}
