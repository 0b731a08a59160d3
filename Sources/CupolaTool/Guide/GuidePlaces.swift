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
    abstract: "Search buildings, rooms and other places.",
    discussion: """
      WORDS are searched for in names, numbers and types ("room 3.12", "toilets", "coffee"), and may have small typing \
      errors. The best matches come first, or, with --near, the places with the shortest walk.

      EXAMPLES
        cupola guide poi campus.guide library
        cupola guide poi campus.guide toilets --near 48.3000,10.9000
        cupola guide poi campus.guide café --open --json
      """)

  @Argument(help: "Guide folder.", completion: .directory)
  var guide: String

  @Argument(help: "Words from the name, number or type.")
  var words: [String]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sort by walking distance from here.", valueName: "place"))
  var near: String?

  @OptionGroup var times: WhenOptions

  @Option(help: "Maximum number of places.")
  var limit = 20

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try checkLimit(limit)
    try ensure(
      words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }),
      "WORDS must contain a letter or digit")
  }

  func run() async throws {
    let guide = try Guide(contentsOf: guide)
    let time = times.time(of: guide)
    let text = words.joined(separator: " ")
    let fitting = guide.search(text, limit: nil)
    let found = fitting.filter { times.wants($0, at: time) }
    let sorted = try Console.listing(json: json) { try distances(to: found, in: guide) }
    let shown = Array(sorted.prefix(limit))
    try Console.print(
      shown, json: json, object: { Self.object($0.place, meters: $0.meters, at: time) },
      line: { Self.line($0.place, meters: $0.meters, at: time) })
    if fitting.isEmpty {
      Console.note("no place found")
      throw ExitStatus.someFailed
    }
    if found.isEmpty { throw GuideError.nothingOpen(text) }
  }

  /// The maximum number of places to which routes are computed. The nearest in a straight line are chosen.
  private static let maximumWalks = 200

  private func distances(
    to places: [Place], in guide: Guide
  ) throws -> [(place: Place, meters: Double?)] {
    guard let near else { return places.map { ($0, nil) } }
    let start = try RouteEndArgument(text: near).first(in: guide, "near")
    let walk = guide.directions(.walk)
    let straight = places.enumerated().map { offset, place in
      (meters: start.point.distance(to: place.position), offset: offset, place: place)
    }.sorted { ($0.meters, $0.offset) < ($1.meters, $1.offset) }
    return straight.prefix(Self.maximumWalks).map { one -> (place: Place, meters: Double?) in
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

extension Console {
  /// Runs `body`. If no place or stop matches, prints an empty JSON array if wanted, and throws the error.
  static func listing<Result>(json: Bool, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch GuideError.nothingFits(let problem) {
      if json { try print(json: [JSONObject]()) }
      throw GuideError.nothingFits(problem: problem)
    }
  }
}

struct GuideGraph: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Print the routing graph for other programs.",
    discussion: """
      The output is JSON in the node-link format of networkx. Nodes have a latitude, longitude and level. There is \
      one link per direction, with its length in meters and its cost (seconds, or meters with --shortest). For cars, \
      forbidden sequences of links are listed too. With --routes, random routes over this graph are printed instead, \
      one JSON object per line, so that other programs can check them.

      EXAMPLES
        cupola guide graph campus.guide --profile step-free > graph.json
        cupola guide graph campus.guide --routes 2000 > routes.jsonl
      """)

  @Argument(help: "Guide folder.", completion: .directory)
  var guide: String

  @Option(help: "Mode of travel.")
  var profile = TravelMode.walk

  @Flag(help: "Use meters instead of seconds as the cost.")
  var shortest = false

  @Option(help: "Number of random routes to print.")
  var routes: Int?

  @Option(help: "Random seed for the routes.")
  var seed: UInt64 = 1

  func validate() throws {
    if let routes, !(1...1_000_000).contains(routes) {
      throw ValidationError("--routes must be 1 to 1000000, not \(routes)")
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
