internal import CupolaGuide
internal import CupolaSupport

/// Trip updates, vehicles and alerts, by the field numbers of gtfs-realtime.proto.
extension RealtimeDecoder {
  mutating func tripUpdate(_ parts: Parts) throws(Fault) -> RealtimeFeed.TripUpdate {
    var update = RealtimeFeed.TripUpdate()
    var (trips, vehicles, stops): (Parts, Parts, Parts) = ([], [], [])
    var properties: Parts = []
    try each(parts) { number, value in
      switch number {
      case 1: trips.add(value)
      case 2: stops.add(value)
      case 3: vehicles.add(value)
      case 4: update.timestamp = value.moment ?? update.timestamp
      case 5: update.delay = value.int32 ?? update.delay
      case 6: properties.add(value)
      default: break
      }
    }
    update.trip = try trip(trips)
    update.copy = try copy(properties)
    let vehicle = try descriptor(vehicles)
    update.vehicle = vehicle.id
    update.wheelchair = vehicle.wheelchair
    update.stops.reserveCapacity(stops.count)
    for stop in stops { update.stops.append(try stopUpdate(stop)) }
    return update
  }

  private mutating func trip(_ parts: Parts) throws(Fault) -> RealtimeFeed.Trip {
    var trip = RealtimeFeed.Trip()
    try each(parts) { number, value in
      switch number {
      case 1: trip.id = value.text ?? trip.id
      case 2: trip.startTime = value.text ?? trip.startTime
      case 3: trip.startDate = value.text ?? trip.startDate
      case 4: trip.relationship = value.int32.flatMap { .init(rawValue: $0) } ?? trip.relationship
      case 5: trip.route = value.text ?? trip.route
      case 6: trip.direction = value.int32 ?? trip.direction
      default: break
      }
    }
    return trip
  }

  private mutating func copy(_ parts: Parts) throws(Fault) -> RealtimeFeed.Trip {
    var trip = RealtimeFeed.Trip()
    try each(parts) { number, value in
      switch number {
      case 1: trip.id = value.text ?? trip.id
      case 2: trip.startDate = value.text ?? trip.startDate
      case 3: trip.startTime = value.text ?? trip.startTime
      default: break
      }
    }
    return trip
  }

  private mutating func stopUpdate(
    _ bytes: ArraySlice<UInt8>
  ) throws(Fault) -> RealtimeFeed.StopUpdate {
    var update = RealtimeFeed.StopUpdate()
    var (arrivals, departures): (Parts, Parts) = ([], [])
    try each(bytes) { number, value in
      switch number {
      case 1: update.sequence = value.uint32 ?? update.sequence
      case 2: arrivals.add(value)
      case 3: departures.add(value)
      case 4: update.stop = value.text ?? update.stop
      case 5:
        update.relationship = value.int32.flatMap { .init(rawValue: $0) } ?? update.relationship
      default: break
      }
    }
    if !arrivals.isEmpty { update.arrival = try event(arrivals) }
    if !departures.isEmpty { update.departure = try event(departures) }
    return update
  }

  private mutating func event(_ parts: Parts) throws(Fault) -> RealtimeFeed.Event {
    var event = RealtimeFeed.Event()
    try each(parts) { number, value in
      switch number {
      case 1: event.delay = value.int32 ?? event.delay
      case 2: event.time = value.int64 ?? event.time
      case 3: event.uncertainty = value.int32 ?? event.uncertainty
      case 4: event.scheduledTime = value.int64 ?? event.scheduledTime
      default: break
      }
    }
    return event
  }

  // MARK: - Vehicles

  mutating func vehicle(_ parts: Parts) throws(Fault) -> RealtimeFeed.VehiclePosition {
    var vehicle = RealtimeFeed.VehiclePosition()
    var (trips, names, places): (Parts, Parts, Parts) = ([], [], [])
    try each(parts) { number, value in
      switch number {
      case 1: trips.add(value)
      case 2: places.add(value)
      case 3: vehicle.sequence = value.uint32 ?? vehicle.sequence
      case 4: vehicle.status = value.int32.flatMap { .init(rawValue: $0) } ?? vehicle.status
      case 5: vehicle.timestamp = value.moment ?? vehicle.timestamp
      case 7: vehicle.stop = value.text ?? vehicle.stop
      case 8: names.add(value)
      case 9: vehicle.occupancy = value.int32 ?? vehicle.occupancy
      default: break
      }
    }
    if !trips.isEmpty { vehicle.trip = try trip(trips) }
    let descriptor = try descriptor(names)
    (vehicle.id, vehicle.label) = (descriptor.id, descriptor.label)
    vehicle.wheelchair = descriptor.wheelchair
    try each(places) { number, value in
      switch number {
      case 1: vehicle.latitude = value.float ?? vehicle.latitude
      case 2: vehicle.longitude = value.float ?? vehicle.longitude
      case 3: vehicle.bearing = value.float ?? vehicle.bearing
      case 5: vehicle.speed = value.float ?? vehicle.speed
      default: break
      }
    }
    return vehicle
  }

  /// What a message says of the vehicle itself.
  private struct Descriptor {
    var id: String?
    var label: String?
    var wheelchair: RealtimeFeed.WheelchairAccess?
  }

  private mutating func descriptor(_ parts: Parts) throws(Fault) -> Descriptor {
    var descriptor = Descriptor()
    try each(parts) { number, value in
      switch number {
      case 1: descriptor.id = value.text ?? descriptor.id
      case 2: descriptor.label = value.text ?? descriptor.label
      case 4:
        descriptor.wheelchair = value.int32.flatMap { RealtimeFeed.WheelchairAccess(rawValue: $0) }
      default: break
      }
    }
    return descriptor
  }

  // MARK: - Alerts

  mutating func alert(_ parts: Parts) throws(Fault) -> RealtimeFeed.Alert {
    var alert = RealtimeFeed.Alert()
    var (periods, subjects): (Parts, Parts) = ([], [])
    var (urls, headers, descriptions): (Parts, Parts, Parts) = ([], [], [])
    try each(parts) { number, value in
      switch number {
      case 1: periods.add(value)
      case 5: subjects.add(value)
      case 6: alert.cause = value.int32 ?? alert.cause
      case 7: alert.effect = value.int32 ?? alert.effect
      case 8: urls.add(value)
      case 10: headers.add(value)
      case 11: descriptions.add(value)
      default: break
      }
    }
    for period in periods { alert.periods.append(try self.period(period)) }
    for subject in subjects { alert.subjects.append(try self.subject(subject)) }
    alert.url = try translations(urls)
    alert.header = try translations(headers)
    alert.description = try translations(descriptions)
    return alert
  }

  private mutating func period(
    _ bytes: ArraySlice<UInt8>
  ) throws(Fault) -> RealtimeFeed.Alert.Period {
    var period = RealtimeFeed.Alert.Period()
    try each(bytes) { number, value in
      switch number {
      case 1: period.start = value.moment ?? period.start
      case 2: period.end = value.moment ?? period.end
      default: break
      }
    }
    return period
  }

  private mutating func subject(
    _ bytes: ArraySlice<UInt8>
  ) throws(Fault) -> RealtimeFeed.Alert.Subject {
    var subject = RealtimeFeed.Alert.Subject()
    var trips: Parts = []
    try each(bytes) { number, value in
      switch number {
      case 1: subject.agency = value.text ?? subject.agency
      case 2: subject.route = value.text ?? subject.route
      case 3: subject.routeType = value.int32 ?? subject.routeType
      case 4: trips.add(value)
      case 5: subject.stop = value.text ?? subject.stop
      case 6: subject.direction = value.uint32 ?? subject.direction
      default: break
      }
    }
    if !trips.isEmpty { subject.trip = try trip(trips) }
    return subject
  }

  private mutating func translations(
    _ parts: Parts
  ) throws(Fault) -> [RealtimeFeed.Alert.Translation] {
    var all: Parts = []
    try each(parts) { number, value in if number == 1 { all.add(value) } }
    var translations: [RealtimeFeed.Alert.Translation] = []
    for part in all {
      var translation = RealtimeFeed.Alert.Translation()
      try each(part) { number, value in
        switch number {
        case 1: translation.text = value.text ?? translation.text
        case 2: translation.language = value.text ?? translation.language
        default: break
        }
      }
      translations.append(translation)
    }
    return translations
  }
}
