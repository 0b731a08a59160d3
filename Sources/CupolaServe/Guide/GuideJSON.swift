package import CupolaGuide
package import CupolaTraining
package import CupolaTransit

// 1. Describe a route as JSON.
// 2. Describe a departure as JSON.

extension JSONObject {
  /// A route: schema `cupola.route/1`.
  package init(route: Route) {
    self = [
      "schema": "cupola.route/1", "profile": route.mode, "from": route.origin,
      "to": route.destination, "meters": route.totalMeters, "seconds": route.totalSeconds,
      "ascent": route.ascent, "descent": route.descent, "meters_beyond": route.metersBeyond,
      "meters_not_step_free_before": route.metersNotStepFreeBefore,
      "meters_not_step_free_beyond": route.metersNotStepFreeBeyond,
      "maneuvers": route.maneuvers.map { maneuver -> JSONObject in
        let point = route.points[maneuver.point]
        return [
          "kind": maneuver.kind, "text": maneuver.text, "name": maneuver.name,
          "point": [point.latitude, point.longitude], "level": point.level,
          "meters": maneuver.meters, "seconds": maneuver.seconds,
        ]
      },
      // Latitude, longitude, and indoors also the floor.
      "shape": route.points.map { [$0.latitude, $0.longitude] + ($0.level.map { [$0] } ?? []) },
    ]
  }

  /// A departure: schema `cupola.guide_departure/1`, with times in seconds since 1970 and `local` in the timetable's
  /// time zone.
  package init(departure live: LiveDeparture, of timetable: Timetable) {
    let (departure, key) = (live.departure, live.departure.key)
    var (headway, delay): (Int?, Int?)
    if case .every(let seconds) = departure.precision { headway = seconds }
    if case .predicted(let late) = live.status { delay = late }
    let status =
      switch live.status {
      case .scheduled: headway == nil ? "scheduled" : "frequency"
      case .predicted: "predicted"
      case .canceled: "canceled"
      case .skipped: "skipped"
      }
    let local = LocalTime(secondsSince1970: live.time, timeZone: timetable.timeZone)
    self = [
      "schema": "cupola.guide_departure/1", "route": departure.route.title,
      "destination": departure.destination, "trip": key.trip.tripID,
      "service_date": "\(key.trip.serviceDate)", "stop": departure.stop.id,
      "stop_name": departure.stop.name, "platform": departure.stop.platform,
      "sequence": key.sequence, "scheduled": departure.time, "time": live.time,
      "local": local?.description ?? "?", "status": status, "headway": headway,
      "delay": delay, "wheelchair": departure.isWheelchairAccessible,
    ]
  }
}
