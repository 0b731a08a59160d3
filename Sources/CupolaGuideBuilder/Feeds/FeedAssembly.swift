internal import CupolaTransit

/// Puts together what is kept, with new numbers.
struct FeedAssembly {
  var feed = TransitFeed()
  /// By row of a trip its number in the feed; -1 of one that is not kept.
  private(set) var tripNumbers: [Int32]

  private let stops: FeedStops
  private let trips: FeedTrips
  private var isKept: [Bool]

  /// - Parameter isNear: by row of a stop.
  init(stops: FeedStops, trips: FeedTrips, isNear: [Bool]) {
    (self.stops, self.trips, isKept) = (stops, trips, isNear)
    tripNumbers = Array(repeating: -1, count: trips.rows.count)
  }

  // MARK: - Trips and stops

  /// Adds the trips that are kept, and the stops.
  mutating func add(_ calls: FeedCalls, _ faults: inout FeedFaults) {
    var times = FeedTimes(stops: stops, faults: faults)
    feed.stopTimes.reserveCapacity(calls.rows.count)
    for (row, place) in calls.places.enumerated() where !place.isEmpty {
      let id = trips.ids.text(Int32(truncatingIfNeeded: row))
      let settled = times.settled(calls.rows[place], of: id)
      if !settled.isEmpty { add(settled, ofRow: row) }
    }
    faults = times.allFaults
    addStops()
  }

  private mutating func add(_ calls: [FeedCall], ofRow row: Int) {
    let start = Int32(clamping: feed.stopTimes.count)
    for call in calls {
      isKept[Int(call.stop)] = true
      var time = TransitFeed.StopTime(
        stop: call.stop, arrival: call.arrival, departure: call.departure,
        sequence: call.sequence)
      (time.pickup, time.dropOff, time.isExact) = (call.pickup, call.dropOff, call.isExact)
      feed.stopTimes.append(time)
    }
    var trip = trips.trip(row)
    trip.stopTimes = start..<Int32(clamping: feed.stopTimes.count)
    tripNumbers[row] = Int32(clamping: feed.trips.count)
    feed.trips.append(trip)
  }

  private mutating func addStops() {
    for row in isKept.indices where isKept[row] {
      var parent = stops.rows[row].parent
      while parent >= 0, !isKept[Int(parent)] {
        isKept[Int(parent)] = true
        parent = stops.rows[Int(parent)].parent
      }
    }
    let numbers = Self.numbers(isKept)
    for row in isKept.indices where isKept[row] {
      var stop = stops.stop(row)
      let parent = stops.rows[row].parent
      stop.parent = parent < 0 ? nil : numbers[Int(parent)]
      feed.stops.append(stop)
    }
    for index in feed.stopTimes.indices {
      feed.stopTimes[index].stop = numbers[Int(feed.stopTimes[index].stop)]
    }
  }

  // MARK: - What trips are of

  /// Adds the routes and services of the trips, and the agencies of the routes.
  mutating func add(routes: FeedRoutes, services: FeedServices, agencies: FeedAgencies) {
    var hasRoute = [Bool](repeating: false, count: routes.rows.count)
    var hasService = [Bool](repeating: false, count: services.rows.count)
    var hasAgency = [Bool](repeating: false, count: agencies.rows.count)
    for trip in feed.trips {
      hasRoute[Int(trip.route)] = true
      hasService[Int(trip.service)] = true
    }
    for (row, route) in routes.rows.enumerated() where hasRoute[row] {
      hasAgency[Int(route.agency)] = true
    }
    feed.agencies = zip(agencies.rows, hasAgency).filter(\.1).map(\.0)
    feed.services = zip(services.rows, hasService).filter(\.1).map(\.0)
    feed.routes = zip(routes.rows, hasRoute).filter(\.1).map(\.0)
    let agencyNumbers = Self.numbers(hasAgency)
    for index in feed.routes.indices {
      feed.routes[index].agency = agencyNumbers[Int(feed.routes[index].agency)]
    }
    let (routeNumbers, serviceNumbers) = (Self.numbers(hasRoute), Self.numbers(hasService))
    for index in feed.trips.indices {
      feed.trips[index].route = routeNumbers[Int(feed.trips[index].route)]
      feed.trips[index].service = serviceNumbers[Int(feed.trips[index].service)]
    }
  }

  /// The numbers of what is kept, in its order; -1 of what is not.
  private static func numbers(_ isKept: [Bool]) -> [Int32] {
    var next: Int32 = 0
    return isKept.map { kept in
      guard kept else { return -1 }
      next += 1
      return next - 1
    }
  }
}
