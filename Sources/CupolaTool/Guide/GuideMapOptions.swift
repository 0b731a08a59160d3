import ArgumentParser
import CupolaGuide

/// The maps that a guide is made of.
struct GuideMapOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Maps: Overpass JSON ([out:json]), GeoJSON with OpenStreetMap's tags, folders of IMDF.",
      valueName: "map"),
    completion: .file(extensions: ["json", "geojson"]))
  var maps: [String]

  @Option(help: "What the campus is called (default: as the map's university or college).")
  var name: String?

  @Option(help: "The time zone of opening hours, such as Europe/Berlin (default: the device's).")
  var timeZone: String?

  @Option(
    help: ArgumentHelp(
      "Whose data the maps are, to be shown with every picture.", valueName: "text"))
  var attribution: String?

  func validate() throws {
    if let timeZone, LocalTime(secondsSince1970: 0, timeZone: timeZone) == nil {
      throw ValidationError(
        "--time-zone must be the name of a time zone, such as Europe/Berlin, not \(timeZone).")
    }
  }

  /// Reads the maps and makes a guide of them.
  func builder() throws -> GuideBuilder {
    GuideBuilder(
      try GuideMap(reading: maps),
      GuideBuilder.Options(name: name, timeZone: timeZone, attribution: attribution))
  }
}
