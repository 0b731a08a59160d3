import ArgumentParser
import CupolaGuide
internal import CupolaGuideBuilder
import CupolaTraining
internal import CupolaTransit

// 1. Build a guide from maps and a timetable.
// 2. Write the guide, check it, or update it from another folder.

struct GuideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guide",
    abstract: "Build campus guides and find routes and places.",
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
      "Overpass JSON ([out:json]), GeoJSON with OpenStreetMap tags, or an IMDF folder or zip.",
      valueName: "map"),
    completion: .file(extensions: ["json", "geojson"]))
  var maps: [String]

  @Option(
    help: "Campus name. (default: from the map)")
  var name: String?

  @Option(help: "Time zone, such as Europe/Berlin. (default: local)")
  var timeZone: String?

  @Option(
    help: ArgumentHelp(
      "Map data attribution, shown with each drawing.", valueName: "text"))
  var attribution: String?

  @Option(
    help: ArgumentHelp(
      "Public transport schedule (GTFS), .zip file or folder.", valueName: "feed"))
  var gtfs: String?

  @Option(
    help: ArgumentHelp(
      "Maximum straight-line distance from the campus to stops.", valueName: "meters"))
  var reach = 800.0

  @Option(
    help: ArgumentHelp(
      "Language of names in the schedule, such as de.",
      valueName: "code"))
  var language: String?

  func validate() throws {
    try ensure((0...100_000).contains(reach), "--reach must be 0 to 100000 meters, not \(reach)")
    try ensure(language == nil || gtfs != nil, "--language requires --gtfs")
    if let timeZone, LocalTime(secondsSince1970: 0, timeZone: timeZone) == nil {
      throw ValidationError(
        "--time-zone must be the name of a time zone, such as Europe/Berlin, not \(timeZone)")
    }
  }

  func builder() throws -> GuideBuilder {
    var options = GuideBuilder.Options(
      name: name, timeZone: timeZone, attribution: attribution)
    (options.feed, options.reach, options.language) = (gtfs, reach, language)
    return try GuideBuilder(try GuideMap(reading: maps), options)
  }

  func checkUse(of builder: GuideBuilder) throws {
    guard builder.isEmpty else { return }
    throw MapReadError.nothingUsable(paths: maps, faults: builder.faults.count)
  }
}

struct GuideBuild: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build a guide from maps, for offline use in apps.",
    discussion: """
      The guide contains the paths, the places and the map drawing, and guide.json, which lists the size and SHA-256 \
      digest of each part. The same maps always produce the same bytes. Unusable features are skipped and counted; \
      cupola guide check lists them.

      EXAMPLES
        cupola guide build campus.osm.json floors.geojson -o campus.guide \\
          --time-zone Europe/Berlin
        cupola guide build campus.osm.json --gtfs buses.zip -o campus.guide
      """)

  @OptionGroup var maps: GuideMapOptions

  @Option(name: .shortAndLong, help: "Folder to write.", completion: .directory)
  var output: String

  @Option(
    help: ArgumentHelp(
      "Guide version. (default: digest of its parts)", valueName: "version"))
  var guideVersion: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let builder = try maps.builder()
    for fault in builder.faults where fault.isSummary { Console.note("note: \(fault)") }
    try maps.checkUse(of: builder)
    let bundle = try builder.guide.write(to: output, version: guideVersion)
    try report(builder, bundle.manifest)
    // In the summary, a fault of a whole map counts as one feature, so print it here.
    for fault in builder.faults where fault.isOfMap { Console.note("warning: \(fault)") }
    if let feed = maps.gtfs, let timetable = builder.timetable {
      let now = Double(Clock.seconds)
      if let end = timetable.endDate(before: now) {
        Console.note("warning: \(feed): " + TimetableTime.ended(end))
      } else if let start = timetable.startDate(after: now) {
        Console.note(
          "warning: \(feed): the timetable begins on \(start); use the current feed until then")
      }
    }
    let swapped = builder.guide.swappedBuildings.count
    if swapped > 0 {
      Console.note(
        "note: \(FigureText.count(swapped, "building")) may have latitude and longitude swapped; "
          + "see cupola guide check")
    }
  }

  /// Prints the contents of the guide: schema `cupola.guide_build/1`.
  private func report(_ builder: GuideBuilder, _ manifest: GuideManifest) throws {
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
      "\(FigureText.decimal(kilometers, digits: 1)) km of paths",
      stops.map { FigureText.count($0, "stop") }, trips.map { FigureText.count($0, "trip") },
    ].compactMap(\.self)
    Console.print(
      "\(output): \(name), \(facts.joined(separator: ", ")), \((bytes + 500) / 1000) kB")
    guard unusable > 0 else { return }
    Console.print(
      "\(FigureText.count(unusable, "feature")) skipped or used only partly; see cupola guide check"
    )
  }
}

struct GuideCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check maps for problems that affect visitors.",
    discussion: """
      Reports buildings without a path, missing entrances, disconnected paths, steps without a step-free \
      alternative, unreachable floors and rooms, duplicate names, invalid opening hours, and an expired or future timetable. \
      Prints one line for each finding, in OpenStreetMap terms. The exit code is 65 if there is a fault, and 0 if there is only advice. \
      Changes nothing.

      EXAMPLE
        cupola guide check campus.osm.json --no-advice
      """)

  @OptionGroup var maps: GuideMapOptions

  @Flag(help: "Report faults only, not advice.")
  var noAdvice = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let builder = try maps.builder()
    let all = GuideCheck(builder, now: Double(Clock.seconds)).findings
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
    if findings.isEmpty, !json { Console.print("no problems found") }
    if all.contains(where: { !$0.isAdvice }) { throw ExitStatus.badData }
  }
}

extension GuideFinding: CheckFinding {}

struct GuideUpdateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Update a guide from a newer one, part by part.",
    discussion: """
      Reads only parts whose digest has changed. Each part is verified, and the guide is replaced atomically, so an \
      interrupted update keeps the old guide. Apps do the same over the network with GuideUpdate.

      EXAMPLE
        cupola guide update campus.guide --from new/campus.guide
      """)

  @Argument(help: "Guide folder to create or update.", completion: .directory)
  var guide: String

  @Option(help: "Newer guide: a folder or a file: URL.", completion: .directory)
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
