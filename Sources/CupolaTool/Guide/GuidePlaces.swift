import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaGuideBuilder
import CupolaTraining

// 1. Search places, sorted by match or by distance.
// 2. Print the routing graph for other programs.

struct GuidePOI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "poi",
    abstract: "Finds buildings, rooms and other places of a guide.",
    discussion: """
      WORDS are looked for in names, numbers and kinds ("room 3.12", "toilets", "coffee"); small \
      errors in typing are forgiven. The best come first, or with --near those that are reached first \
      on foot.

      EXAMPLES
        cupola guide poi campus.guide library
        cupola guide poi campus.guide toilets --near 48.3000,10.9000
        cupola guide poi campus.guide café --open --json
      """)

  @Argument(help: "The guide.", completion: .directory)
  var guide: String

  @Argument(help: "Words of the name, the number or the kind.")
  var words: [String]

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Begin with the nearest.", valueName: "place"))
  var near: String?

  @OptionGroup var times: WhenOptions

  @Option(help: "The most places to show.")
  var limit = 20

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try checkLimit(limit)
    try ensure(
      words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }),
      "WORDS must have a letter or a digit.")
  }

  func run() async throws {
    let guide = try Guide(contentsOf: guide)
    let time = times.time(of: guide)
    let text = words.joined(separator: " ")
    let fitting = guide.search(text, limit: nil)
    let found = fitting.filter { times.wants($0, at: time) }
    let shown = Array(try distances(to: found, in: guide).prefix(limit))
    try Console.print(
      shown, json: json, object: { Self.object($0.place, meters: $0.meters, at: time) },
      line: { Self.line($0.place, meters: $0.meters, at: time) })
    if fitting.isEmpty {
      Console.note("No place found.")
      throw ExitCode.validationFailure
    }
    if found.isEmpty { throw GuideError.nothingOpen(text) }
  }

  /// The most places to find a route to, the nearest in a straight line first.
  private static let mostWalks = 200

  /// The places; with --near, sorted by walking distance in meters.
  private func distances(
    to places: [Place], in guide: Guide
  ) throws -> [(place: Place, meters: Double?)] {
    guard let near else { return places.map { ($0, nil) } }
    let start = try RouteEndArgument(text: near).first(in: guide, "near")
    let walk = guide.directions(.walk)
    let straight = places.enumerated().map { offset, place in
      (meters: start.point.distance(to: place.position), offset: offset, place: place)
    }.sorted { ($0.meters, $0.offset) < ($1.meters, $1.offset) }
    return straight.prefix(Self.mostWalks).map { one -> (place: Place, meters: Double?) in
      let end = RouteEnd.place(one.place)
      let route = try? walk.route(from: start, to: end)
      return (one.place, route?.fromDoorToDoor(start, end).meters)
    }.enumerated().sorted {
      ($0.element.meters ?? .infinity, $0.offset) < ($1.element.meters ?? .infinity, $1.offset)
    }.map(\.element)
  }

  /// Schema `cupola.guide_place/1`.
  private static func object(
    _ place: Place, meters: Double?, at time: LocalTime?
  ) -> JSONObject {
    [
      "schema": "cupola.guide_place/1", "id": place.id, "kind": place.kind, "name": place.name,
      "category": place.category, "ref": place.ref, "latitude": place.position.latitude,
      "longitude": place.position.longitude, "level": place.position.level,
      "building": place.building, "opening_hours": place.openingHours,
      "state": state(of: place, at: time), "meters": meters,
    ]
  }

  private static func line(_ place: Place, meters: Double?, at time: LocalTime?) -> String {
    let facts = [
      place.category.map { $0.replacing("_", with: " ") },
      place.position.level.map {
        "floor \(FigureText.decimal($0, digits: $0 == $0.rounded() ? 0 : 1))"
      },
      meters.map { DistanceText.text(meters: $0) }, state(of: place, at: time), place.id,
    ]
    return "\(place.title): " + facts.compactMap(\.self).joined(separator: ", ")
  }

  private static func state(of place: Place, at time: LocalTime?) -> String? {
    guard let time, let hours = place.openingHours else { return nil }
    return OpeningHours(hours).sentence(at: time)
  }
}

struct GuideGraph: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Prints the graph of a guide for other programs, such as networkx.",
    discussion: """
      JSON in networkx's node-link form: nodes with latitude, longitude and level, links with cost \
      (seconds, or meters with --shortest) and meters, one for each direction; for cars also the rows \
      of links that must not be driven. \
      With --routes it prints random ways over that graph instead, a line of JSON each, so that \
      another program can check them.

      EXAMPLES
        cupola guide graph campus.guide --profile step-free > graph.json
        cupola guide graph campus.guide --routes 2000 > routes.jsonl
      """)

  @Argument(help: "The guide.", completion: .directory)
  var guide: String

  @Option(help: "walk, step-free or drive.")
  var profile = TravelMode.walk

  @Flag(help: "Costs are meters, not seconds.")
  var shortest = false

  @Option(help: "Print so many random ways.")
  var routes: Int?

  @Option(help: "Where the random ways begin.")
  var seed: UInt64 = 1

  func validate() throws {
    if let routes, !(1...1_000_000).contains(routes) {
      throw ValidationError("--routes must be 1 to 1000000, not \(routes).")
    }
  }

  func run() async throws {
    let router = try Guide(contentsOf: guide).directions(profile, shortest: shortest).router
    if let routes {
      var random = SplitMix64(seed: seed)
      for _ in 0..<routes {
        Console.print(try JSONObject.text(router.randomWay { random.below($0) }))
      }
    } else {
      Console.print(try JSONObject.text(router.nodeLinkGraph))
    }
  }
}
