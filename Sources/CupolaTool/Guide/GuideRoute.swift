public import ArgumentParser
import Cupola
public import CupolaGuide
internal import CupolaGuideBuilder
import CupolaServe
import CupolaTraining

// 1. Find the places that match --from and --to.
// 2. Find the route to the nearest of these places.
// 3. Print the directions, and draw the route on the map.

struct GuideRoute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route",
    abstract: "Find a route between two places and print directions.",
    discussion: """
      PLACE is a name ("Old Library"), a room ("room 3.12"), a type of place ("café"; the nearest one is used), an ID \
      ("way/4711"), or LAT,LON, followed by @ and the floor if it is indoors ("48.3000,10.9000@1"). Small typing \
      errors are corrected.

      EXAMPLES
        cupola guide route campus.guide --from "Old Library" --to "North Hall"
        cupola guide route campus.guide --from 48.3000,10.9000 --to café --open
        cupola guide route campus.guide --from Chapel --to "room 12" \\
          --profile step-free --svg way.svg
      """)

  @Argument(help: "Guide folder.", completion: .directory)
  var guide: String

  @Option(parsing: .unconditional, help: ArgumentHelp("Start.", valueName: "place"))
  var from: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Destination.", valueName: "place"))
  var to: String?

  @Option(help: "Mode of travel.")
  var profile = TravelMode.walk

  @Flag(help: "Find the shortest route instead of the fastest.")
  var shortest = false

  @OptionGroup var times: WhenOptions

  @Option(help: "Draw the route on the map (SVG).", completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(help: "Write the route as GeoJSON.", completion: .file(extensions: ["geojson"]))
  var geojson: String?

  @Option(
    help: ArgumentHelp(
      "File of lines {\"from\":[LAT,LON],\"to\":[LAT,LON]}; prints one JSON object for each.",
      valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var pairs: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if pairs != nil {
      try ensure(
        from == nil && to == nil && svg == nil && geojson == nil,
        "--pairs cannot be combined with --from, --to, --svg or --geojson")
      try ensure(
        !times.open && times.when == nil, "--pairs cannot be combined with --open or --when")
    } else if from == nil || to == nil {
      throw ValidationError("missing --from or --to")
    }
    try OutputFile.checkIsFile(svg, as: "--svg", for: "drawings")
    try OutputFile.checkIsFile(geojson, as: "--geojson", for: "GeoJSON routes")
    if let svg, let geojson, OutputFile.areSame(svg, geojson) {
      throw ValidationError("--svg and --geojson must be different files")
    }
  }

  func run() async throws {
    try OutputFile.check(svg, as: "--svg", isNotAmong: files())
    try OutputFile.check(geojson, as: "--geojson", isNotAmong: files())
    let guide = try Guide(contentsOf: guide)
    let directions = guide.directions(profile, shortest: shortest)
    if let pairs {
      try RoutePairs(path: pairs).answer(by: directions)
      return
    }
    let route = try route(in: guide, directions)
    if let svg { try FileAccess.write(guide.drawing(of: route), to: svg) }
    if let geojson { try FileAccess.write(route.geoJSON(), to: geojson) }
    if json {
      try Console.print(json: JSONObject(route: route))
    } else {
      Console.print(Self.text(route))
    }
    for warning in Self.warnings(of: route) { Console.note(warning) }
  }

  /// Returns warnings about parts of a step-free route that may have steps.
  static func warnings(
    of route: Route, from start: String = "the start", to goal: String = "the destination"
  ) -> [String] {
    var warnings: [String] = []
    if route.metersNotStepFreeBefore > 0 {
      warnings.append(
        "warning: no step-free path from \(route.origin ?? start) is known for the first "
          + DistanceText.text(meters: route.metersNotStepFreeBefore))
    }
    if route.metersNotStepFreeBeyond > 0 {
      warnings.append(
        "warning: no step-free path to \(route.destination ?? goal) is known for the last "
          + DistanceText.text(meters: route.metersNotStepFreeBeyond))
    }
    return warnings
  }

  /// Returns the guide's files, which output files must not replace.
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
      title + DistanceText.text(meters: route.totalMeters) + ", "
        + minutes(route.totalSeconds) + climb(route)
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

  private static func climb(_ route: Route) -> String {
    let (up, down) = (Int(route.ascent.rounded()), Int(route.descent.rounded()))
    return (up > 0 ? ", \(up) m up" : "") + (down > 0 ? ", \(down) m down" : "")
  }

  static func minutes(_ seconds: Double) -> String {
    "\(max(1, Int((seconds / 60).rounded()))) min"
  }
}

/// A place on the command line: a name, a type of place, an ID, or LAT,LON with an optional `@` and floor.
struct RouteEndArgument {
  let text: String

  func ends(in guide: Guide, where isWanted: (Place) -> Bool = { _ in true }) throws -> [RouteEnd] {
    if let position {
      if guide.hasSwappedCoordinates(position) {
        Console.note(
          "note: \(text) is far from all paths; did you swap latitude and longitude?")
      }
      return [position]
    }
    let meant = guide.places(matching: text)
    guard !meant.isEmpty else {
      throw GuideError.unknownPlace(text)
    }
    let wanted = meant.filter(isWanted)
    guard !wanted.isEmpty else { throw GuideError.nothingOpen(text) }
    return wanted.map { .place($0) }
  }

  func first(in guide: Guide, _ option: String) throws -> RouteEnd {
    let ends = try ends(in: guide)
    Self.explain(ends[0], of: ends, option)
    return ends[0]
  }

  static func explain(_ used: RouteEnd, of ends: [RouteEnd], _ option: String) {
    guard ends.count > 1, case .place(let place) = used else { return }
    Console.note(
      "note: \(ends.count) places match --\(option); using \(place.title) (\(place.id))")
  }

  private var position: RouteEnd? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 2,
      let coordinates = Coordinates(argument: String(first)),
      let position = coordinates.position(error: nil)
    else { return nil }
    guard parts.count == 2 else { return .position(position) }
    return Double(parts[1]).map { .position(position, level: $0) }
  }
}

struct RoutePairs {
  let path: String

  private static let mostBytes = 64 << 20

  private static let blanks: Set<UInt8> = [0x09, 0x0D, 0x20]

  /// Prints one line for each pair, with `error` if there is no route.
  func answer(by directions: Directions) throws {
    let lines = try FileAccess.read(path, limit: Self.mostBytes).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var (asked, failed) = (0, 0)
    for (number, line) in lines.enumerated() where !line.allSatisfy(Self.blanks.contains) {
      guard case .object(let members) = try? JSONReader.value(of: Array(line)),
        let start = members["from"].flatMap(Self.position),
        let goal = members["to"].flatMap(Self.position)
      else {
        throw TrainingError.badTable(
          path: path, line: number + 1, problem: "not {\"from\":[LAT,LON],\"to\":[LAT,LON]}")
      }
      var answer: JSONObject = [
        "mode": directions.mode, "from": [start.latitude, start.longitude],
        "to": [goal.latitude, goal.longitude],
      ]
      do throws(GuideError) {
        let route = try directions.route(from: .position(start), to: .position(goal))
        let (before, beyond) = (route.metersNotStepFreeBefore, route.metersNotStepFreeBeyond)
        answer = answer.adding([
          "meters": route.meters, "seconds": route.seconds,
          // Omitted if 0, which means that the whole route is step-free.
          "meters_not_step_free_before": before > 0 ? before : nil,
          "meters_not_step_free_beyond": beyond > 0 ? beyond : nil,
          "shape": route.points.map { [$0.latitude, $0.longitude] },
        ])
      } catch {
        answer = answer.adding(["error": error.message])
        failed += 1
      }
      asked += 1
      Console.print(try JSONObject.text(answer))
    }
    guard failed > 0 else { return }
    Console.error("\(path): no route for \(failed) of \(FigureText.count(asked, "pair"))")
    throw ExitStatus.someFailed
  }

  private static func position(_ value: JSONValue) -> Position? {
    guard case .array(let parts) = value, parts.count == 2 else { return nil }
    let numbers = parts.compactMap(\.double)
    return numbers.count == 2 ? Position(latitude: numbers[0], longitude: numbers[1]) : nil
  }
}

struct WhenOptions: ParsableArguments {
  @Flag(help: "Only places that are open at the time of --when.")
  var open = false

  @Option(help: "Local time, such as 2026-11-23T14:30. (default: now)")
  var when: String?

  func validate() throws {
    if let when, LocalTime(when) == nil {
      throw ValidationError("--when must be a time such as 2026-11-23T14:30, not \(when)")
    }
  }

  func time(of guide: Guide) -> LocalTime? {
    if let when { return LocalTime(when) }
    return LocalTime.now(in: guide.timeZone)
  }

  func wants(_ place: Place, at time: LocalTime?) -> Bool {
    guard open, let time else { return true }
    guard let hours = place.openingHours, case .open = OpeningHours(hours).state(at: time) else {
      return false
    }
    return true
  }
}

extension TravelMode: ExpressibleByArgument {}
