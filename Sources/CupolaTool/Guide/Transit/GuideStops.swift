import ArgumentParser
import Cupola
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
