import ArgumentParser
import Cupola
import CupolaCampus
import CupolaGuide
import CupolaServe
import CupolaTraining
internal import CupolaTransit

// 1. List stops, with the walking route to each stop if a place is given.
// 2. List departures, with GTFS-realtime updates.

struct GuideStops: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stops",
    abstract: "List public transport stops, for example near a place.",
    discussion: """
      The guide must have been built with --gtfs.

      EXAMPLES
        cupola guide stops campus.guide --near "Old Library"
        cupola guide stops campus.guide central --json
      """)

  @Argument(help: "Guide folder.", completion: .directory)
  var guide: String

  @Argument(help: "Words from the stop name, or a stop code or ID.")
  var words: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only stops near here, sorted by walking distance.", valueName: "place"))
  var near: String?

  @Option(help: ArgumentHelp("Maximum straight-line distance.", valueName: "meters"))
  var within = TransitGuide.nearMeters

  @Option(help: "Maximum number of stops.")
  var limit = 20

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try checkLimit(limit)
    try ensure(
      (1...100_000).contains(within), "--within must be 1 to 100000 meters, not \(within)")
    try ensure(near != nil || within == TransitGuide.nearMeters, "--within requires --near")
  }

  func run() async throws {
    let guide = try Guide(contentsOf: guide)
    let transit = try TransitGuide(guide)
    let timetable = transit.timetable
    let named = words.isEmpty ? nil : timetable.stops(matching: words.joined(separator: " "))
    let ids = named.map { Set($0.map(\.id)) }
    let found: [FoundStop]
    if let near {
      let start = try Console.listing(json: json) {
        try RouteEndArgument(text: near).first(in: guide, "near")
      }
      found = transit.stops(near: start, within: within, by: .walk) { Self.isNamed($0, ids) }
        .map { ($0.stop, $0.meters, $0.seconds) }
    } else {
      found = (named ?? timetable.stops.filter { $0.kind == .stop }).map { ($0, nil, nil) }
    }
    let shown = Array(found.prefix(limit))
    try Console.print(
      shown, json: json, object: { Self.object($0, timetable) },
      line: { Self.line($0, timetable) })
    if shown.isEmpty {
      Console.note("no stop found")
      throw ExitStatus.someFailed
    }
  }

  private static func isNamed(_ stop: TransitStop, _ ids: Set<String>?) -> Bool {
    guard let ids else { return true }
    return ids.contains(stop.id) || stop.station.map(ids.contains) ?? false
  }

  /// A stop, and with `--near` the walking distance and time to it.
  private typealias FoundStop = (stop: TransitStop, meters: Double?, seconds: Double?)

  /// Schema `cupola.guide_stop/1`.
  private static func object(_ found: FoundStop, _ timetable: Timetable) -> JSONObject {
    let stop = found.stop
    return [
      "schema": "cupola.guide_stop/1", "id": stop.id, "name": stop.name, "code": stop.code,
      "platform": stop.platform, "station": stop.station, "latitude": stop.position?.latitude,
      "longitude": stop.position?.longitude, "wheelchair": stop.isWheelchairAccessible,
      "routes": timetable.routes(at: stop.id).map(\.title), "meters": found.meters,
      "seconds": found.seconds,
    ]
  }

  private static func line(_ found: FoundStop, _ timetable: Timetable) -> String {
    let stop = found.stop
    let routes = timetable.routes(at: stop.id).map(\.title)
    let place = [stop.code.map { "(\($0))" }, stop.platform.map { "platform \($0)" }]
    let facts = [
      routes.isEmpty
        ? nil : "\(routes.count == 1 ? "route" : "routes") \(routes.joined(separator: ", "))",
      found.meters.map { DistanceText.text(meters: $0) },
      found.seconds.map { GuideRoute.minutes($0) }, stop.id,
    ]
    return ([stop.name] + place.compactMap(\.self)).joined(separator: " ") + ": "
      + facts.compactMap(\.self).joined(separator: ", ")
  }
}

struct GuideDepartures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "departures",
    abstract: "List departures, such as \"55 Downtown in 4 min\".",
    discussion: """
      STOP is an ID, a stop code or a name. Departures from all stops with the same name are listed together. With \
      --realtime, the times are predictions from the agency's GTFS-realtime files. If these are more than 90 s old, a \
      note says so.

      EXAMPLES
        cupola guide departures campus.guide "Central Station"
        cupola guide departures campus.guide 1423 --realtime trip-updates.pb \\
          --when 2026-11-23T14:30
      """)

  @Argument(help: "Guide folder.", completion: .directory)
  var guide: String

  @Argument(help: "Stop ID, stop code or stop name.")
  var stop: String

  @OptionGroup var realtime: RealtimeOptions
  @OptionGroup var moment: TimetableTimeOptions

  @Option(help: "Maximum number of departures.")
  var limit = 10

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try checkLimit(limit)
  }

  func run() async throws {
    let timetable = try TransitGuide(Guide(contentsOf: guide)).timetable
    let stops = timetable.stops(matching: stop)
    if stops.isEmpty {
      try Console.listing(json: json) { throw GuideError.unknownStop(stop) }
    }
    let now = try moment.seconds(in: timetable)
    let board = DepartureBoard(timetable, try realtime.state(of: timetable, at: now))
    let departures = board.departures(at: stops.map(\.id), from: now, limit: limit)
    try Console.print(
      departures, json: json, object: { JSONObject(departure: $0, of: timetable) },
      line: { board.words(for: $0, now: now) })
    if departures.isEmpty {
      let ended = timetable.endDate(before: now) != nil
      if !json, !ended { Console.note("no departures within a day") }
      if let outside = TimetableTime.outside(now, timetable) { Console.note(outside) }
    }
    for notice in board.notices(at: stops.map(\.id), now: now) { Console.note(notice) }
    if departures.isEmpty { throw ExitStatus.someFailed }
  }
}

struct RealtimeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "GTFS-realtime file: trip updates, vehicle positions or alerts. Repeatable.",
      valueName: "file"),
    completion: .file())
  var realtime: [String] = []

  func state(of timetable: Timetable, at moment: Double) throws -> RealtimeState? {
    if realtime.isEmpty { return nil }
    let feeds = try realtime.map { path in
      try RealtimeFeed(
        bytes: try FileAccess.read(path, limit: RealtimeFeed.mostBytes), path: path)
    }
    return RealtimeState(feeds, of: timetable, at: moment)
  }
}

/// A time in the time zone of a timetable.
struct TimetableTimeOptions: ParsableArguments {
  // --at is the old name of this option, kept for compatibility.
  @Option(
    name: [.customLong("when"), .customLong("at")],
    help: """
      Time in the timetable's time zone, such as 2026-11-23T14:30, or seconds since 1970. \
      (default: now)
      """)
  var when: String?

  func validate() throws {
    if let when, LocalTime(when) == nil, Self.seconds(when) == nil {
      throw ValidationError("--when must be a time such as 2026-11-23T14:30, not \(when)")
    }
  }

  private static func seconds(_ text: String) -> Double? {
    guard text.utf8.count <= 12, !Clock.isDate(text) else { return nil }
    return Digits.number(text).map { Double($0) }
  }

  func seconds(in timetable: Timetable) throws -> Double {
    guard let when else { return LocalTime.secondsSince1970Now }
    if let seconds = Self.seconds(when) { return seconds }
    guard let time = LocalTime(when) else { return LocalTime.secondsSince1970Now }
    guard let seconds = time.secondsSince1970(timeZone: timetable.timeZone) else {
      throw GuideError.badFile(
        path: timetable.timeZone, problem: "the time zone is unknown on this system")
    }
    return seconds
  }
}

enum TimetableTime {
  static func clock(_ moment: Double, _ timetable: Timetable) -> String {
    LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.clock ?? "?"
  }

  static func local(_ moment: Double, _ timetable: Timetable) -> String {
    LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.description ?? "?"
  }

  static func outside(_ moment: Double, _ timetable: Timetable) -> String? {
    if let end = timetable.endDate(before: moment) { return ended(end) }
    guard let dates = timetable.dates,
      let day = LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.date
    else { return nil }
    if day > dates.upperBound { return ended(dates.upperBound) }
    if day < dates.lowerBound {
      return "note: the timetable begins on \(dates.lowerBound); build the guide with an older feed"
    }
    return nil
  }

  static func ended(_ date: LocalDate) -> String {
    "the timetable ended on \(date); build the guide with a newer feed"
  }
}
