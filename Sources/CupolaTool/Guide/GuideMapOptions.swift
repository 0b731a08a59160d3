import ArgumentParser
import CupolaGuide

/// The maps that a guide is made of.
struct GuideMapOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Maps: Overpass JSON ([out:json]), GeoJSON with OpenStreetMap's tags, folders of IMDF or WRLD.",
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
    guard (0...100_000).contains(reach) else {
      throw ValidationError("--reach must be 0 to 100000 meters, not \(reach).")
    }
    if let timeZone, LocalTime(secondsSince1970: 0, timeZone: timeZone) == nil {
      throw ValidationError(
        "--time-zone must be the name of a time zone, such as Europe/Berlin, not \(timeZone).")
    }
  }

  /// Reads the maps and makes a guide of them.
  func builder() throws -> GuideBuilder {
    var options = GuideBuilder.Options(
      name: name, timeZone: timeZone, attribution: attribution)
    (options.feed, options.reach) = (gtfs, reach)
    return try GuideBuilder(try GuideMap(reading: maps), options)
  }

  /// Refuses a guide that nobody finds anything in.
  ///
  /// - Throws: ``MapReadError/nothingUsable(paths:faults:)``.
  func checkUse(of builder: GuideBuilder) throws {
    guard builder.isEmpty else { return }
    throw MapReadError.nothingUsable(paths: maps, faults: builder.faults.count)
  }
}
