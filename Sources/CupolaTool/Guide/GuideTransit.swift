import ArgumentParser
import Cupola
import CupolaCampus
import CupolaGuide
import CupolaTraining

/// `cupola guide stops`.
struct GuideStops: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stops",
    abstract: "Lists the stops of public transport, near a place with the way to them.",
    discussion: """
      The guide must have been built with --gtfs.

      EXAMPLES
        cupola guide stops campus.guide --near "Old Library"
        cupola guide stops campus.guide central --json
      """)

  @Argument(help: "The guide.", completion: .directory)
  var guide: String

  @Argument(help: "Words of the name, the number on the sign, or the identifier.")
  var words: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only those near a place, the nearest on foot first.", valueName: "place")
  )
  var near: String?

  @Option(help: ArgumentHelp("How far they may be in a straight line.", valueName: "meters"))
  var within = Guide.nearMeters

  @Option(help: "The most stops to show.")
  var limit = 20

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more, not \(limit).") }
    guard (1...100_000).contains(within) else {
      throw ValidationError("--within must be 1 to 100000 meters, not \(within).")
    }
    guard near != nil || within == Guide.nearMeters else {
      throw ValidationError("--within is how far from a place: name that, too, with --near.")
    }
  }

  func run() async throws {
    try await ExitStatus.reporting {
      let guide = try Guide(contentsOf: guide)
      let timetable = try guide.timetable()
      let named = words.isEmpty ? nil : timetable.stops(meantBy: words.joined(separator: " "))
      let ids = named.map { Set($0.map(\.id)) }
      var found: [StopJSON] = []
      if let near {
        let start = try RouteEndArgument(text: near).first(in: guide, "near")
        found = guide.stops(near: start, within: within, by: .walk) { Self.isNamed($0, ids) }
          .map { StopJSON($0.stop, in: timetable, meters: $0.meters, seconds: $0.seconds) }
      } else {
        found = (named ?? timetable.stops.filter { $0.kind == .stop })
          .map { StopJSON($0, in: timetable) }
      }
      let shown = Array(found.prefix(limit))
      if json {
        Console.print(try JSONObject.text(shown, pretty: true))
      } else {
        for stop in shown { Console.print(line: stop.text) }
      }
      if shown.isEmpty { Console.note("No stop found.") }
      if ids?.isEmpty ?? false { throw ExitCode.validationFailure }
    }
  }

  /// Whether a stop, or the station whose platform it is, is one of those that were named, if any were.
  private static func isNamed(_ stop: TransitStop, _ ids: Set<String>?) -> Bool {
    guard let ids else { return true }
    return ids.contains(stop.id) || stop.station.map(ids.contains) ?? false
  }
}

/// A stop: schema `cupola.guide_stop/1`.
struct StopJSON: Encodable {
  let schema = "cupola.guide_stop/1"
  let id: String
  let name: String
  let code: String?
  let platform: String?
  let station: String?
  let latitude: Double?
  let longitude: Double?
  let wheelchair: Bool?
  let routes: [String]
  let meters: Double?
  let seconds: Double?

  init(
    _ stop: TransitStop, in timetable: Timetable, meters: Double? = nil, seconds: Double? = nil
  ) {
    (id, name, code) = (stop.id, stop.name, stop.code)
    (platform, station, wheelchair) = (stop.platform, stop.station, stop.isWheelchairAccessible)
    (latitude, longitude) = (stop.position?.latitude, stop.position?.longitude)
    routes = timetable.routes(at: stop.id).map(\.title)
    (self.meters, self.seconds) = (meters, seconds)
  }

  var text: String {
    let place = [code.map { "(\($0))" }, platform.map { "platform \($0)" }].compactMap(\.self)
    let facts = [
      routes.isEmpty
        ? nil : "\(routes.count == 1 ? "route" : "routes") \(routes.joined(separator: ", "))",
      meters.map { DistanceText.text(meters: $0) }, seconds.map { GuideRoute.minutes($0) }, id,
    ]
    return ([name] + place).joined(separator: " ") + ": "
      + facts.compactMap(\.self).joined(separator: ", ")
  }
}

/// `cupola guide departures`.
struct GuideDepartures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "departures",
    abstract: "Tells what leaves from a stop: \"55 Downtown in 4 min\".",
    discussion: """
      STOP is an identifier, the number on the sign or a name; of several stops of one name all are \
      shown together. With --realtime the times are those of vehicles on their way, as GTFS-realtime \
      files of the agency say; what is older than 90 s is called so.

      EXAMPLES
        cupola guide departures campus.guide "Central Station"
        cupola guide departures campus.guide 1423 --realtime trip-updates.pb \\
          --when 2026-11-23T14:30
      """)

  @Argument(help: "The guide.", completion: .directory)
  var guide: String

  @Argument(help: "The stop.")
  var stop: String

  @OptionGroup var realtime: RealtimeOptions

  @OptionGroup var moment: MomentOptions

  @Option(help: "The most departures to show.")
  var limit = 10

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more, not \(limit).") }
  }

  func run() async throws {
    try await ExitStatus.reporting {
      let timetable = try Guide(contentsOf: guide).timetable()
      let stops = timetable.stops(meantBy: stop)
      guard !stops.isEmpty else { throw GuideError.unknownStop(stop) }
      let now = try moment.seconds(in: timetable)
      let board = DepartureBoard(timetable, try realtime.state(of: timetable, at: now))
      let departures = board.departures(at: stops.map(\.id), from: now, limit: limit)
      if json {
        Console.print(
          try JSONObject.text(departures.map { DepartureJSON($0, timetable) }, pretty: true))
      } else {
        for departure in departures {
          Console.print(line: board.words(for: departure, now: now))
        }
        if departures.isEmpty { Console.note("Nothing leaves within a day.") }
      }
      if departures.isEmpty, let outside = MomentText.outside(now, timetable) {
        Console.note(outside)
      }
      for notice in board.notices(at: stops.map(\.id), now: now) { Console.note(notice) }
    }
  }
}

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

/// Messages of GTFS-realtime in files.
struct RealtimeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A GTFS-realtime message: trip updates, vehicle positions or alerts; more than once for several.",
      valueName: "file"),
    completion: .file())
  var realtime: [String] = []

  /// What is known; `nil` without messages.
  func state(of timetable: Timetable, at moment: Double) throws -> RealtimeState? {
    if realtime.isEmpty { return nil }
    let feeds = try realtime.map { path in
      try RealtimeFeed(
        bytes: try FileAccess.read(path, limit: RealtimeFeed.mostBytes), path: path)
    }
    return RealtimeState(feeds, of: timetable, at: moment)
  }
}

/// When somebody wants to go, by the clocks of a timetable.
struct MomentOptions: ParsableArguments {
  // Other commands of guides say when; these took only --at at first.
  @Option(
    name: [.customLong("when"), .customLong("at")],
    help: """
      When, on the clocks of the timetable, such as 2026-11-23T14:30, or seconds since 1970 \
      (default: now).
      """)
  var when: String?

  func validate() throws {
    if let when, LocalTime(when) == nil, Self.seconds(when) == nil {
      throw ValidationError("--when must be a time such as 2026-11-23T14:30, not \(when).")
    }
  }

  private static func seconds(_ text: String) -> Double? {
    guard text.utf8.count <= 12, !Clock.isDate(text) else { return nil }
    return Digits.number(text).map { Double($0) }
  }

  /// Seconds since 1970.
  func seconds(in timetable: Timetable) throws -> Double {
    guard let when else { return LocalTime.secondsSince1970Now }
    if let seconds = Self.seconds(when) { return seconds }
    guard let time = LocalTime(when) else { return LocalTime.secondsSince1970Now }
    guard let seconds = time.secondsSince1970(timeZone: timetable.timeZone) else {
      throw GuideError.badFeed(
        path: timetable.timeZone, problem: "this system does not know the time zone")
    }
    return seconds
  }
}

/// Moments as people read them.
enum MomentText {
  /// The time of the day on the clocks of a timetable.
  static func clock(_ moment: Double, _ timetable: Timetable) -> String {
    LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.clock ?? "?"
  }

  /// ISO 8601 without the zone.
  static func local(_ moment: Double, _ timetable: Timetable) -> String {
    LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.description ?? "?"
  }

  /// Why a timetable has nothing at a moment that lies outside of its dates; `nil` for one that lies within.
  static func outside(_ moment: Double, _ timetable: Timetable) -> String? {
    guard let dates = timetable.dates,
      let day = LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.date
    else { return nil }
    if day > dates.upperBound {
      return "note: the timetable ends \(dates.upperBound); build the guide with a newer feed"
    }
    if day < dates.lowerBound {
      return "note: the timetable begins \(dates.lowerBound); build the guide with an older feed"
    }
    return nil
  }
}
