import ArgumentParser
import Cupola
import CupolaGuide
import CupolaTraining

/// `cupola guide route`.
struct GuideRoute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route",
    abstract: "Finds the way from one place to another, and says it turn by turn.",
    discussion: """
      PLACE is a name ("Old Library"), a room ("room 3.12"), a kind of place, of which the nearest is \
      taken ("café"), an identifier ("way/4711"), or LAT,LON, with the floor behind @ where it is \
      indoors ("48.3000,10.9000@1"). Small errors in typing are forgiven.

      EXAMPLES
        cupola guide route campus.guide --from "Old Library" --to "North Hall"
        cupola guide route campus.guide --from 48.3000,10.9000 --to café --open
        cupola guide route campus.guide --from Chapel --to "room 12" \\
          --profile step-free --svg way.svg
      """)

  @Argument(help: "The guide.", completion: .directory)
  var guide: String

  @Option(parsing: .unconditional, help: ArgumentHelp("Where to begin.", valueName: "place"))
  var from: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Where to go.", valueName: "place"))
  var to: String?

  @Option(help: "walk, step-free or drive.")
  var profile = TravelMode.walk

  @Flag(help: "The shortest way, not the fastest.")
  var shortest = false

  @OptionGroup var times: WhenOptions

  @Option(help: "Write a picture of the way on the map.", completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(help: "Write the way as GeoJSON.", completion: .file(extensions: ["geojson"]))
  var geojson: String?

  @Option(
    help: ArgumentHelp(
      "Many ways: a file of lines {\"from\":[LAT,LON],\"to\":[LAT,LON]}; prints a line of JSON each.",
      valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var pairs: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if pairs != nil {
      guard from == nil, to == nil, svg == nil, geojson == nil else {
        throw ValidationError("--pairs has its own ends, and no pictures.")
      }
      guard !times.open, times.when == nil else {
        throw ValidationError("--pairs has positions, which have no hours: no --open, no --when.")
      }
    } else if from == nil || to == nil {
      throw ValidationError("Name both ends: --from and --to.")
    }
    try OutputFile.checkIsNoStream(svg, as: "--svg", for: "pictures")
    try OutputFile.checkIsNoStream(geojson, as: "--geojson", for: "ways as GeoJSON")
    if let svg, let geojson, OutputFile.areOne(svg, geojson) {
      throw ValidationError("--svg and --geojson are one file; name two.")
    }
  }

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      try OutputFile.check(svg, as: "--svg", isNoneOf: files())
      try OutputFile.check(geojson, as: "--geojson", isNoneOf: files())
      let guide = try Guide(contentsOf: guide)
      let directions = guide.directions(profile, shortest: shortest)
      if let pairs {
        try RoutePairs(path: pairs).answer(by: directions)
        return
      }
      let route = try route(in: guide, directions)
      if let svg { try FileAccess.write(guide.drawing(of: route), to: svg) }
      if let geojson { try FileAccess.write(route.geoJSON(), to: geojson) }
      Console.print(json ? try JSONObject.text(RouteJSON(route), pretty: true) : Self.text(route))
      for warning in Self.warnings(of: route) { Console.note(warning) }
    }
  }

  /// Where somebody must go who asked for a step-free way and finds none. The directions say it as well, but who sees a
  /// way on a map does not read them to the end.
  ///
  /// - Parameters:
  ///   - start: what the begin is called where it is no place of the guide.
  ///   - goal: what the end is called, likewise.
  static func warnings(
    of route: Route, from start: String = "the start", to goal: String = "the destination"
  ) -> [String] {
    var warnings: [String] = []
    if route.metersNotStepFreeBefore > 0 {
      warnings.append(
        "warning: no step-free way from \(route.origin ?? start) is known for the first "
          + DistanceText.text(meters: route.metersNotStepFreeBefore))
    }
    if route.metersNotStepFreeBeyond > 0 {
      warnings.append(
        "warning: no step-free way to \(route.destination ?? goal) is known for the last "
          + DistanceText.text(meters: route.metersNotStepFreeBeyond))
    }
    return warnings
  }

  /// What the guide consists of; whatever else lies in its folder may be replaced.
  private func files() throws -> [String] {
    let parts = try GuideBundle(reading: guide).manifest.parts
    return (["guide.json"] + parts.map(\.file)).map { guide + "/" + $0 }
  }

  private func route(in guide: Guide, _ directions: Directions) throws -> Route {
    let time = times.time(of: guide)
    let starts = try RouteEndArgument(text: from ?? "").ends(in: guide)
    let goals = try RouteEndArgument(text: to ?? "").ends(in: guide) { times.wants($0, at: time) }
    let (number, route) = try directions.nearest(of: goals, from: starts[0])
    RouteEndArgument.explain(starts[0], of: starts, "from")
    if case .place(let place) = goals[number], let hours = place.openingHours, let time {
      Console.note("\(place.title): \(OpeningHours(hours).sentence(at: time))")
    }
    return route
  }

  private static func text(_ route: Route) -> String {
    let ends = [route.origin, route.destination].compactMap(\.self)
    let title = ends.isEmpty ? "" : ends.joined(separator: " to ") + ": "
    var lines = [
      "\(title)\(DistanceText.text(meters: route.meters)), \(minutes(route.seconds))\(climb(route))"
    ]
    let width = String(route.maneuvers.count).count
    for (number, maneuver) in route.maneuvers.enumerated() {
      let place = String(number + 1)
      let stretch = maneuver.meters >= 1 ? "  (\(DistanceText.text(meters: maneuver.meters)))" : ""
      lines.append(
        String(repeating: " ", count: width - place.count) + "\(place). \(maneuver.text)\(stretch)")
    }
    return lines.joined(separator: "\n")
  }

  /// Nothing of ways that are level to half a meter.
  private static func climb(_ route: Route) -> String {
    let (up, down) = (Int(route.ascent.rounded()), Int(route.descent.rounded()))
    return (up > 0 ? ", \(up) m up" : "") + (down > 0 ? ", \(down) m down" : "")
  }

  static func minutes(_ seconds: Double) -> String {
    "\(max(1, Int((seconds / 60).rounded()))) min"
  }
}

/// A way: schema `cupola.route/1`.
struct RouteJSON: Encodable {
  struct Maneuver: Encodable {
    let kind: CupolaGuide.Maneuver.Kind
    let text: String
    let name: String?
    let point: [Double]
    let level: Double?
    let meters: Double
    let seconds: Double
  }

  let schema = "cupola.route/1"
  let profile: TravelMode
  let from: String?
  let to: String?
  let meters: Double
  let seconds: Double
  let ascent: Double
  let descent: Double
  let metersBeyond: Double
  let metersNotStepFreeBefore: Double
  let metersNotStepFreeBeyond: Double
  let maneuvers: [Maneuver]
  /// Latitude, longitude, and the floor indoors.
  let shape: [[Double]]

  private enum CodingKeys: String, CodingKey {
    case schema, profile, from, to, meters, seconds, ascent, descent, maneuvers, shape
    case metersBeyond = "meters_beyond"
    case metersNotStepFreeBefore = "meters_not_step_free_before"
    case metersNotStepFreeBeyond = "meters_not_step_free_beyond"
  }

  init(_ route: Route) {
    profile = route.mode
    (from, to) = (route.origin, route.destination)
    (meters, seconds, metersBeyond) = (route.meters, route.seconds, route.metersBeyond)
    metersNotStepFreeBefore = route.metersNotStepFreeBefore
    metersNotStepFreeBeyond = route.metersNotStepFreeBeyond
    (ascent, descent) = (route.ascent, route.descent)
    shape = route.points.map { [$0.latitude, $0.longitude] + ($0.level.map { [$0] } ?? []) }
    maneuvers = route.maneuvers.map { maneuver in
      let point = route.points[maneuver.point]
      return Maneuver(
        kind: maneuver.kind, text: maneuver.text, name: maneuver.name,
        point: [point.latitude, point.longitude], level: point.level, meters: maneuver.meters,
        seconds: maneuver.seconds)
    }
  }
}
