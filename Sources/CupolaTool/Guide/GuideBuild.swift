import ArgumentParser
import CupolaGuide
internal import CupolaGuideBuilder
import CupolaTraining
internal import CupolaTransit

// 1. Read maps and a timetable into a guide.
// 2. Write it, check it, or update it from another folder.

struct GuideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guide",
    abstract: "Makes a guide of a map, and finds the way: on foot, step-free, by car, indoors.",
    discussion: """
      EXAMPLES
        cupola guide build campus.osm.json -o campus.guide
        cupola guide check campus.osm.json
        cupola guide route campus.guide --from "Old Library" --to café --svg way.svg
        cupola guide poi campus.guide toilets --near 48.3000,10.9000
        cupola guide departures campus.guide "Library Walk"
        cupola guide tour simulate tour.json --guide campus.guide
      """,
    subcommands: [
      GuideBuild.self, GuideCheckCommand.self, GuideRoute.self, GuidePOI.self, GuideGraph.self,
      GuideUpdateCommand.self, GuideStops.self, GuideDepartures.self, GuideTrips.self,
      TourCommand.self,
    ])
}

struct GuideMapOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Maps: Overpass JSON ([out:json]), GeoJSON with OpenStreetMap's tags, folders of IMDF.",
      valueName: "map"),
    completion: .file(extensions: ["json", "geojson"]))
  var maps: [String]

  @Option(
    help: "What the campus is called (default: as the map's boundary, university or college).")
  var name: String?

  @Option(help: "The time zone of opening hours, such as Europe/Berlin (default: the device's).")
  var timeZone: String?

  @Option(
    help: ArgumentHelp(
      "Whose data the maps are, to be shown with every picture.", valueName: "text"))
  var attribution: String?

  @Option(
    help: ArgumentHelp(
      "A schedule of public transport, GTFS: a .zip or a folder.", valueName: "feed"))
  var gtfs: String?

  @Option(
    help: ArgumentHelp(
      "How far from the grounds its stops may be in a straight line.", valueName: "meters"))
  var reach = 800.0

  func validate() throws {
    try ensure((0...100_000).contains(reach), "--reach must be 0 to 100000 meters, not \(reach).")
    if let timeZone, LocalTime(secondsSince1970: 0, timeZone: timeZone) == nil {
      throw ValidationError(
        "--time-zone must be the name of a time zone, such as Europe/Berlin, not \(timeZone).")
    }
  }

  func builder() throws -> GuideBuilder {
    var options = GuideBuilder.Options(
      name: name, timeZone: timeZone, attribution: attribution)
    (options.feed, options.reach) = (gtfs, reach)
    return try GuideBuilder(try GuideMap(reading: maps), options)
  }

  /// Rejects an empty guide.
  func checkUse(of builder: GuideBuilder) throws {
    guard builder.isEmpty else { return }
    throw MapReadError.nothingUsable(paths: maps, faults: builder.faults.count)
  }
}

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
    let builder = try maps.builder()
    try maps.checkUse(of: builder)
    let bundle = try builder.guide.write(to: output, version: guideVersion)
    try tell(of: builder, bundle.manifest)
    // The summary counts such a fault as one feature only.
    for fault in builder.faults where fault.isOfMap { Console.note("warning: \(fault)") }
    let exchanged = builder.guide.exchangedBuildings.count
    if exchanged > 0 {
      Console.note(
        "note: only with latitude and longitude exchanged would "
          + "\(FigureText.count(exchanged, "building")) be near the ways; see cupola guide check")
    }
  }

  /// Prints the contents of the guide: schema `cupola.guide_build/1`.
  private func tell(of builder: GuideBuilder, _ manifest: GuideManifest) throws {
    let (name, graph) = (builder.guide.name, builder.guide.graph)
    func count(_ kind: Place.Kind) -> Int { builder.guide.places.count { $0.kind == kind } }
    let (buildings, rooms, points) = (count(.building), count(.room), count(.poi))
    let kilometers = (graph.metersOfLines / 10).rounded() / 100
    let unusable = builder.faults.count + builder.feedFaults.reduce(0) { $0 + $1.count }
    let stops = builder.timetable?.stops.count { $0.kind == .stop }
    let trips = builder.timetable?.tripCount
    let bytes = manifest.parts.reduce(0) { $0 + $1.bytes }
    if json {
      return try Console.print(
        json: [
          "schema": "cupola.guide_build/1", "guide": output, "name": name,
          "version": manifest.version, "buildings": buildings, "rooms": rooms,
          "points_of_interest": points, "ways": graph.ways.count, "kilometers": kilometers,
          "unusable": unusable, "stops": stops, "trips": trips, "bytes": bytes,
        ] as JSONObject)
    }
    let facts = [
      FigureText.count(buildings, "building"), FigureText.count(rooms, "room"),
      FigureText.count(points, "point") + " of interest",
      "\(FigureText.decimal(kilometers, digits: 1)) km of ways",
      stops.map { FigureText.count($0, "stop") }, trips.map { FigureText.count($0, "trip") },
    ].compactMap(\.self)
    Console.print(
      "\(output): \(name), \(facts.joined(separator: ", ")), \((bytes + 500) / 1000) kB")
    guard unusable > 0 else { return }
    Console.print(
      "\(FigureText.count(unusable, "feature")) could not be used, or only in part: see cupola guide check"
    )
  }
}

struct GuideCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds what visitors would stumble over in maps, and says how to mend it.",
    discussion: """
      Looks for buildings that no path reaches, missing entrances, ways that meet no others, steps \
      without a step-free way round, floors and rooms that nothing leads to, names that stand twice, \
      and opening hours that cannot be read. One line for each, in OpenStreetMap's terms; the exit \
      code is 65 when one is a fault, and 0 when all is advice. Changes nothing.

      EXAMPLE
        cupola guide check campus.osm.json --no-advice
      """)

  @OptionGroup var maps: GuideMapOptions

  @Flag(help: "Leave out what visitors find their way in spite of.")
  var noAdvice = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let builder = try maps.builder()
    let all = GuideCheck(builder).findings
    let findings = noAdvice ? all.filter { !$0.isAdvice } : all
    if json {
      try Console.print(
        json: [
          "schema": "cupola.guide_check/1", "findings": findings.map { JSONObject(finding: $0) },
        ] as JSONObject)
    } else {
      for finding in findings { Console.print(line: finding.text) }
    }
    try maps.checkUse(of: builder)
    if findings.isEmpty, !json { Console.print("nothing wrong") }
    if all.contains(where: { !$0.isAdvice }) { throw ExitStatus.badData }
  }
}

extension GuideFinding: CheckFinding {}

struct GuideUpdateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Brings a guide up to date from another folder, part by part.",
    discussion: """
      Only parts whose digest changed are read; each is verified, and the guide is replaced whole: \
      what is interrupted leaves the old one. Apps do the same over the network with GuideUpdate.

      EXAMPLE
        cupola guide update campus.guide --from new/campus.guide
      """)

  @Argument(help: "The guide to bring up to date, or where to put it.", completion: .directory)
  var guide: String

  @Option(help: "The newer guide: a folder or a file: URL.", completion: .directory)
  var from: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let outcome = try await GuideUpdate(
      of: guide, fetching: GuideUpdate.fetcher(fromFolder: from)
    ).run()
    let (version, bytes): (String, Int?) =
      switch outcome {
      case .upToDate(let version): (version, nil)
      case .updated(let version, _, let fetched): (version, fetched)
      }
    if json {
      try Console.print(
        json: [
          "schema": "cupola.guide_update/1", "guide": guide, "version": version,
          "updated": bytes != nil, "bytes": bytes ?? 0,
        ] as JSONObject)
    } else if let bytes {
      Console.print("\(guide): version \(version), \((bytes + 500) / 1000) kB read")
    } else {
      Console.print("\(guide): up to date, version \(version)")
    }
  }
}
