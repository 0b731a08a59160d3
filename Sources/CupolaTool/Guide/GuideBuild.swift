import ArgumentParser
import CupolaGuide
import CupolaTraining

/// `cupola guide build`.
struct GuideBuild: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Makes a guide of maps: a folder that an app carries, for use without a network.",
    discussion: """
      The folder holds the ways, the places and what is drawn, and guide.json, which names each part \
      with its size and SHA-256. The same maps make the same bytes. Features that cannot be used are \
      left out and counted; cupola guide check names them.

      EXAMPLES
        cupola guide build campus.osm.json floors.geojson -o campus.guide \\
          --time-zone Europe/Berlin
        cupola guide build campus.osm.json --gtfs buses.zip -o campus.guide
      """)

  @OptionGroup var maps: GuideMapOptions

  @Option(name: .shortAndLong, help: "The folder to write.", completion: .directory)
  var output: String

  @Option(
    help: ArgumentHelp(
      "The guide's version (default: a digest of its parts).", valueName: "version"))
  var guideVersion: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let builder = try maps.builder()
      try maps.checkUse(of: builder)
      let bundle = try builder.guide.write(to: output, version: guideVersion)
      let summary = GuideSummary(builder, bundle.manifest, output)
      Console.print(json ? try JSONObject.text(summary, pretty: true) : summary.text)
      // The summary counts it like one feature.
      for fault in builder.faults where fault.isOfMap { Console.note("warning: \(fault)") }
      let exchanged = builder.guide.exchangedBuildings.count
      if exchanged > 0 {
        Console.note(
          "note: only with latitude and longitude exchanged would "
            + "\(FigureText.count(exchanged, "building")) be near the ways; see cupola guide check")
      }
    }
  }
}

/// What a guide was made of: schema `cupola.guide_build/1`.
struct GuideSummary: Encodable {
  let schema = "cupola.guide_build/1"
  let guide: String
  let name: String
  let version: String
  let buildings: Int
  let rooms: Int
  let pointsOfInterest: Int
  let ways: Int
  let kilometers: Double
  let unusable: Int
  let stops: Int?
  let trips: Int?
  let bytes: Int

  private enum CodingKeys: String, CodingKey {
    case schema, guide, name, version, buildings, rooms, ways, kilometers, unusable, stops, trips,
      bytes
    case pointsOfInterest = "points_of_interest"
  }

  init(_ builder: GuideBuilder, _ manifest: GuideManifest, _ path: String) {
    let places = builder.guide.places
    guide = path
    name = builder.guide.name
    version = manifest.version
    buildings = places.count { $0.kind == .building }
    rooms = places.count { $0.kind == .room }
    pointsOfInterest = places.count { $0.kind == .poi }
    ways = builder.guide.graph.ways.count
    kilometers = (builder.guide.graph.metersOfLines / 10).rounded() / 100
    unusable = builder.faults.count + builder.feedFaults.reduce(0) { $0 + $1.count }
    stops = builder.guide.transit?.stops.count { $0.kind == .stop }
    trips = builder.guide.transit?.tripCount
    bytes = manifest.parts.reduce(0) { $0 + $1.bytes }
  }

  var text: String {
    let facts = [
      FigureText.count(buildings, "building"), FigureText.count(rooms, "room"),
      FigureText.count(pointsOfInterest, "point") + " of interest",
      "\(Format.decimal(kilometers, digits: 1)) km of ways",
      stops.map { FigureText.count($0, "stop") }, trips.map { FigureText.count($0, "trip") },
    ].compactMap(\.self)
    let lost =
      unusable == 0
      ? ""
      : "\n\(FigureText.count(unusable, "feature")) could not be used, or only in part: see cupola guide check"
    return "\(guide): \(name), \(facts.joined(separator: ", ")), \((bytes + 500) / 1000) kB" + lost
  }
}
