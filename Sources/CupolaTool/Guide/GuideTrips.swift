import ArgumentParser
import CupolaGuide
import CupolaTraining
internal import CupolaTransit

// 1. Find the places or stops that match --from and --to.
// 2. Print the trips, and warn about steps on the walks to stops.

struct GuideTrips: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trips",
    abstract: "Find public transport trips with at most one change.",
    discussion: """
      PLACE is a stop, or a place as for cupola guide route. Trips include walking to and from the stops.

      EXAMPLE
        cupola guide trips campus.guide --from "Old Library" --to "Town Station" \\
          --when 2026-11-23T14:30
      """)

  @Argument(help: "Guide folder.", completion: .directory)
  var guide: String

  @Option(parsing: .unconditional, help: ArgumentHelp("Start.", valueName: "place"))
  var from: String

  @Option(parsing: .unconditional, help: ArgumentHelp("Destination.", valueName: "place"))
  var to: String

  @Option(help: "How to reach the stops.")
  var profile = AccessMode.walk

  @OptionGroup var moment: TimetableTimeOptions

  @Option(help: "Maximum number of trips.")
  var limit = 3

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try checkLimit(limit)
  }

  func run() async throws {
    let guide = try Guide(contentsOf: guide)
    let transit = try TransitGuide(guide)
    let timetable = transit.timetable
    let (start, goal) = try Console.listing(json: json) {
      let start = try Self.end(from, "from", in: guide, timetable)
      return (start, try Self.end(to, "to", in: guide, timetable, near: start))
    }
    let now = try moment.seconds(in: timetable)
    let journeys = transit.journeys(
      from: start, to: goal, at: now, limit: limit, by: profile.travelMode)
    if json {
      try Console.print(json: journeys.map { Self.object($0, timetable) })
    } else {
      for journey in journeys {
        for line in Self.lines(journey, timetable) { Console.print(line: line) }
      }
    }
    if profile == .stepFree { Self.warn(of: journeys, from: start, to: goal, in: guide) }
    if journeys.isEmpty {
      Console.note(
        TimetableTime.outside(now, timetable)
          ?? "no trip within a day is faster than walking all the way; see cupola guide route")
      throw ExitStatus.someFailed
    }
  }

  /// Returns a matching place. If there is none, returns a matching stop.
  ///
  /// A stop with exactly this name takes precedence over a place that matches only partly. If several places match, the
  /// one nearest to `start` is used.
  private static func end(
    _ text: String, _ option: String, in guide: Guide, _ timetable: Timetable,
    near start: RouteEnd? = nil
  ) throws -> RouteEnd {
    let stops = timetable.stops(matching: text)
    let named = stops.first { $0.isCalled(text) && $0.position != nil }?.position
    do {
      let ends = try RouteEndArgument(text: text).ends(in: guide)
      if let named, case .place(let place) = ends[0], !place.isCalled(text) {
        return .position(named)
      }
      func meters(_ end: RouteEnd) -> Double { start?.point.distance(to: end.point) ?? 0 }
      let end = ends.min { meters($0) < meters($1) } ?? ends[0]
      RouteEndArgument.explain(end, of: ends, option)
      return end
    } catch let error as GuideError {
      guard let position = named ?? stops.first?.position else { throw error }
      return .position(position)
    }
  }

  private static func warn(
    of journeys: [TransitJourney], from start: RouteEnd, to goal: RouteEnd, in guide: Guide
  ) {
    let directions = guide.directions(.stepFree)
    var (boarded, left): (Set<String>, Set<String>) = ([], [])
    var warnings: [String] = []
    func route(_ start: RouteEnd, _ goal: RouteEnd) -> Route? {
      start == goal ? nil : try? directions.route(from: start, to: goal)
    }
    for journey in journeys {
      if let stop = journey.legs.first?.from, boarded.insert(stop.id).inserted,
        let route = stop.position.flatMap({ route(start, .position($0)) })
      {
        warnings += GuideRoute.warnings(of: route, to: stop.name)
      }
      if let stop = journey.legs.last?.to, left.insert(stop.id).inserted,
        let route = stop.position.flatMap({ route(.position($0), goal) })
      {
        warnings += GuideRoute.warnings(of: route, from: stop.name)
      }
    }
    var printed: Set<String> = []
    for warning in warnings where printed.insert(warning).inserted { Console.note(warning) }
  }

  /// Schema `cupola.guide_trip/1`.
  private static func object(_ journey: TransitJourney, _ timetable: Timetable) -> JSONObject {
    [
      "schema": "cupola.guide_trip/1", "leave": journey.leave, "arrive": journey.arrive,
      "changes": journey.changes,
      "legs": journey.legs.map { leg -> JSONObject in
        [
          "trip": leg.trip.tripID, "route": leg.route.title, "destination": leg.destination,
          "from": leg.from.id, "from_name": leg.from.name, "departure": leg.departure,
          "departure_local": TimetableTime.local(leg.departure, timetable), "to": leg.to.id,
          "to_name": leg.to.name, "arrival": leg.arrival,
          "arrival_local": TimetableTime.local(leg.arrival, timetable),
        ]
      },
    ]
  }

  private static func lines(_ journey: TransitJourney, _ timetable: Timetable) -> [String] {
    func clock(_ moment: Double) -> String { TimetableTime.clock(moment, timetable) }
    var lines = [
      "\(clock(journey.leave)) to \(clock(journey.arrive)): \(GuideRoute.minutes(journey.seconds))"
    ]
    for leg in journey.legs {
      let every = leg.precision.words.map { ", " + $0 } ?? ""
      lines.append(
        "  \(clock(leg.departure)) \(leg.from.name): \(leg.route.title) \(leg.destination)\(every)")
      lines.append("  \(clock(leg.arrival)) \(leg.to.name)")
    }
    return lines
  }
}

enum AccessMode: String, CaseIterable, ExpressibleByArgument {
  case walk
  case stepFree = "step-free"

  var travelMode: TravelMode {
    switch self {
    case .walk: .walk
    case .stepFree: .stepFree
    }
  }
}
