internal import CupolaCampus
internal import CupolaGuide

// 1. Read the file once to count each trip's rows and find the trips with stops within reach.
// 2. Reserve space, then read the file again and store the rows.

/// The rows of `stop_times.txt` for trips that stop within reach.
///
/// The file is read twice, so that memory is needed only for the rows that are kept, whatever their order.
struct FeedCalls {
  enum Column: Int, FeedColumn {
    case trip, stop, sequence, arrival, departure, pickup, dropOff, distance, timepoint
    case location, group, windowStart, windowEnd, headsign

    static let file = FeedFile.stopTimes
    static let names = [
      "trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time", "pickup_type",
      "drop_off_type", "shape_dist_traveled", "timepoint", "location_id", "location_group_id",
      "start_pickup_drop_off_window", "end_pickup_drop_off_window", "stop_headsign",
    ]
    static let required: [Column] = [.trip, .stop, .sequence]
  }

  static let limit = 8_000_000

  private(set) var rows: [FeedCall] = []
  private(set) var places: [Range<Int>] = []
  private var headsigns = ByteTable()
  var stopHeadsigns: [String] {
    (0..<headsigns.count).map { headsigns.text(Int32(truncatingIfNeeded: $0)) }
  }

  private let stops: FeedStops
  private let trips: FeedTrips

  init(_ input: FeedInput, stops: FeedStops, trips: FeedTrips, isNear: [Bool]) throws(GuideError) {
    (self.stops, self.trips) = (stops, trips)
    let ends = try reserve(input, isNear)
    try fill(input, ends: ends)
  }

  /// Reserves space for each trip, and returns the end of each trip's space.
  private mutating func reserve(_ input: FeedInput, _ isNear: [Bool]) throws(GuideError) -> [Int] {
    let (counts, isKept) = try count(input, isNear)
    var total = 0
    var ends: [Int] = []
    ends.reserveCapacity(counts.count)
    places.reserveCapacity(counts.count)
    for trip in counts.indices {
      if counts[trip] == 0 { input.faults.add(.noStopTimes, in: .trips, value: text(of: trip)) }
      places.append(total..<total)
      if isKept[trip] { total += Int(counts[trip]) }
      ends.append(total)
    }
    guard total <= Self.limit else {
      throw input.bad("more than \(Self.limit) stop times within reach; use a smaller --reach")
    }
    rows = Array(repeating: FeedCall(), count: total)
    return ends
  }

  private func text(of trip: Int) -> String { trips.ids.text(Int32(truncatingIfNeeded: trip)) }

  private func count(
    _ input: FeedInput, _ isNear: [Bool]
  ) throws(GuideError) -> (counts: [UInt32], isKept: [Bool]) {
    var counts = [UInt32](repeating: 0, count: trips.rows.count)
    var isKept = [Bool](repeating: false, count: trips.rows.count)
    // Faults are reported in the second pass.
    let input = FeedInput(input.source)
    guard var table = try input.table(of: Column.self) else { return (counts, isKept) }
    var last: Int32 = -1
    while try table.next() {
      guard let trip = trip(of: table, last) else { continue }
      last = trip
      guard let stop = stops.row(.stop, of: table) else { continue }
      counts[Int(trip)] &+= 1
      if isNear[Int(stop)] { isKept[Int(trip)] = true }
    }
    return (counts, isKept)
  }

  @inline(__always)
  private func trip(of table: CSVTable<Column>, _ last: Int32) -> Int32? {
    let place = table.place(.trip)
    if last >= 0, trips.ids.isEqual(last, place, in: table.bytes) { return last }
    return place.isEmpty ? nil : trips.ids.number(of: place, in: table.bytes)
  }

  private mutating func fill(_ input: FeedInput, ends: [Int]) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    var last: Int32 = -1
    while try table.next() {
      guard let trip = trip(of: table, last) else {
        table.report(.unknownTrip, .trip)
        continue
      }
      last = trip
      guard let stop = stop(of: table) else { continue }
      let place = places[Int(trip)].upperBound
      // If there is no space, the trip is not kept, or the file has changed since the first pass.
      guard place < ends[Int(trip)], var call = call(at: stop, of: table) else { continue }
      call.headsign = table.number(.headsign, in: &headsigns)?.number ?? -1
      rows[place] = call
      places[Int(trip)] = places[Int(trip)].lowerBound..<place + 1
    }
  }

  private func stop(of table: CSVTable<Column>) -> Int32? {
    if let stop = stops.row(.stop, of: table), !isOnDemand(table) { return stop }
    table.report(isOnDemand(table) ? .onDemand : .unknownStop, .stop)
    return nil
  }

  private func call(at stop: Int32, of table: CSVTable<Column>) -> FeedCall? {
    guard let number = table.integer(.sequence), number >= 0, let sequence = Int32(exactly: number)
    else {
      table.report(.badSequence, .sequence)
      return nil
    }
    if stops.rows[Int(stop)].locationType != 0 {
      table.report(.stopIsNoStop, .stop)
    }
    var call = FeedCall(
      stop: stop, sequence: sequence, distance: distance(of: table),
      line: UInt32(clamping: table.line),
      pickup: table.choice(.pickup, upTo: 3) ?? 0,
      dropOff: table.choice(.dropOff, upTo: 3) ?? 0,
      isExact: table.choice(.timepoint, upTo: 1) != 0)
    readTimes(of: &call, table)
    return call
  }

  private func isOnDemand(_ table: CSVTable<Column>) -> Bool {
    !table.isBlank(.windowStart) || !table.isBlank(.windowEnd)
      || table.isBlank(.stop) && !(table.isBlank(.location) && table.isBlank(.group))
  }

  private func readTimes(of call: inout FeedCall, _ table: CSVTable<Column>) {
    let arrival = table.time(.arrival)
    let departure = table.time(.departure)
    guard let first = arrival ?? departure, var last = departure ?? arrival else { return }
    if last < first {
      table.report(.departsEarly, .departure)
      last = first
    }
    (call.arrival, call.departure) = (first, last)
  }

  private func distance(of table: CSVTable<Column>) -> Float {
    if table.isBlank(.distance) { return .nan }
    if let value = table.decimal(.distance), value >= 0, value < 1e12 {
      return Float(value)
    }
    table.report(.badDistance, .distance)
    return .nan
  }
}

/// A row of `stop_times.txt`, stored in 32 bytes.
struct FeedCall {
  var stop: Int32 = 0
  /// The arrival in seconds; -1 if blank.
  var arrival: Int32 = -1
  var departure: Int32 = -1
  var sequence: Int32 = 0
  /// The distance in the feed's unit; NaN if blank.
  var distance = Float.nan
  var line: UInt32 = 0
  var headsign: Int32 = -1
  var pickup: UInt8 = 0
  var dropOff: UInt8 = 0
  var isExact = false

  var hasTime: Bool { departure >= 0 }
}
