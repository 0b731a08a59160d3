import ArgumentParser
import Cupola
import CupolaTraining

// 1. List the buildings near a position.
// 2. List the buildings that match words, categories and years.

struct BuildingForm: ParsableArguments {
  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(help: "Print one line of JSON for each building.")
  var jsonl = false

  func check() throws { try JSONForms.check(json: json, jsonl: jsonl) }
}

struct CampusNearby: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nearby",
    abstract: "List the buildings near a position.",
    discussion: """
      Distances are in meters to the nearest point of the footprint, and bearings in degrees clockwise from true \
      north. The JSON also contains transforms that place a label in augmented reality.

      EXAMPLES
        cupola campus nearby campus.geojson --at 48.3000,10.9000
        cupola campus nearby campus.geojson --at 48.3000,10.9000 --heading 45 \\
          --within 250 --json
      """)

  @Argument(
    help: "Campus map (GeoJSON or CSV).",
    completion: .file(extensions: ["geojson", "json", "csv"]))
  var campus: String

  @Option(
    parsing: .unconditional, help: "Position as LAT,LON in degrees.",
    transform: Coordinates.parsed)
  var at: Coordinates

  @Option(
    parsing: .unconditional, help: "Heading in degrees clockwise from true north.")
  var heading: Double?

  @Option(parsing: .unconditional, help: "Maximum distance in meters.")
  var within = 100.0

  @OptionGroup var form: BuildingForm

  func validate() throws {
    try PhotoArguments.checkPaths([campus])
    try form.check()
    if let heading { try Coordinates.checkHeading(heading) }
    try ensure(within >= 0 && within.isFinite, "--within must be 0 or more meters")
  }

  func run() async throws {
    let map = try MapFile.campus(campus)
    guard let position = at.position(error: nil) else { return }
    let near = map.buildings(
      near: position, within: within, heading: heading.flatMap { Heading(degrees: $0) })
    try Console.print(
      near, json: form.json, jsonl: form.jsonl, object: { JSONObject(nearby: $0) }, line: \.summary)
    if near.isEmpty {
      Console.note(nothing(in: map, position))
      map.geofence.noteSwapped(position, givenBy: "--at")
      throw ExitStatus.someFailed
    }
  }

  private func nothing(in map: Campus, _ position: Position) -> String {
    let reach = FigureText.decimal(within, digits: within == within.rounded() ? 0 : 1)
    guard let nearest = map.buildings(near: position, within: .infinity).first else {
      return "the map has no buildings with a position"
    }
    return "no building within \(reach) m; the nearest is \(nearest.summary)"
  }
}

extension JSONObject {
  /// A building near a position: schema `cupola.nearby/1`.
  fileprivate init(nearby near: NearbyBuilding) {
    func numbers(_ columns: [SIMD4<Double>]) -> [Double] {
      columns.flatMap { [$0.x, $0.y, $0.z, $0.w] }
    }
    self = [
      "schema": "cupola.nearby/1", "building": near.building, "distance_m": near.distance,
      "inside": near.isInside, "nearest_point": near.nearestPoint, "bearing_deg": near.bearing,
      "compass": near.compassPoint, "turn_deg": near.turn, "side": near.side,
      "transform_enu": numbers(near.placement.eastNorthUp),
      "transform_arkit": numbers(near.placement.gravityAndHeading),
    ]
  }
}

extension NearbyBuilding {
  fileprivate var summary: String {
    var facts = [building.name]
    if isInside {
      facts.append("you are inside")
    } else {
      let meters =
        distance < 10_000
        ? FigureText.decimal(distance, digits: distance < 10 ? 1 : 0) + " m"
        : Format.meters(distance)
      let direction = bearing.flatMap { bearing in
        compassPoint.map { " \($0.rawValue) (\(FigureText.decimal(bearing, digits: 0))°)" }
      }
      facts.append(meters + (direction ?? ""))
    }
    if let side, let turn {
      let angle = FigureText.decimal(turn.magnitude, digits: 0) + "° to the "
      let ahead = side == .ahead || side == .behind ? side.rawValue + ", " : ""
      facts.append(ahead + angle + (turn < 0 ? "left" : "right"))
    }
    return "\(building.label): \(facts.joined(separator: ", "))"
  }
}

struct CampusSearch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search the buildings on a map.",
    discussion: """
      WORDS are searched for in the name, the abbreviation and the description, in any order. Case and accents are \
      ignored, and the first letters of a word are sufficient. Words with 4 or more letters may have one typing error, \
      and words with 8 or more letters two. A building must match all criteria; without criteria, all buildings are \
      listed. The best matches come first.

      EXAMPLES
        cupola campus search campus.geojson old library
        cupola campus search campus.geojson --category teaching --year 1950-1980
        cupola campus search campus.geojson --year 'before 1850' --jsonl
      """)

  @Argument(
    help: "Campus map (GeoJSON or CSV).",
    completion: .file(extensions: ["geojson", "json", "csv"]))
  var campus: String

  @Argument(help: "Words from the name, abbreviation or description.")
  var words: [String] = []

  @Option(help: "Words from the name.")
  var name: String?

  @Option(help: "Abbreviation or its first letters.")
  var abbreviation: String?

  @Option(help: "Words from the category.")
  var category: String?

  @Option(help: "Words from the address.")
  var address: String?

  @Option(
    help: ArgumentHelp(
      "Year of construction: 1970, 1950-1980, 1890s, C19, ~1900, 'before 1850', 'after 1990'.",
      valueName: "years"),
    transform: CampusSearch.years)
  var year: YearRange?

  @Option(help: "Maximum number of buildings. (default: all)")
  var limit: Int?

  @OptionGroup var form: BuildingForm

  func validate() throws {
    try PhotoArguments.checkPaths([campus])
    try form.check()
    if let limit { try checkLimit(limit) }
    let asked = [
      ("WORDS", words.isEmpty ? nil : words.joined(separator: " ")), ("--name", name),
      ("--abbreviation", abbreviation), ("--category", category), ("--address", address),
    ]
    for case (let option, let text?) in asked
    where !text.contains(where: { $0.isLetter || $0.isNumber }) {
      throw ValidationError("\(option) must contain a letter or digit")
    }
  }

  func run() async throws {
    let map = try MapFile.campus(campus)
    let matches = map.search(query)
    try Console.print(
      Array(matches.enumerated()), json: form.json, jsonl: form.jsonl,
      object: { JSONObject(found: $0.element, rank: $0.offset + 1) },
      line: \.element.building.summary)
    if matches.isEmpty {
      Console.note(nothing(in: map))
      throw ExitStatus.someFailed
    }
  }

  private var query: BuildingQuery {
    var query = BuildingQuery(words.isEmpty ? nil : words.joined(separator: " "))
    query.name = name
    query.abbreviation = abbreviation
    query.category = category
    query.address = address
    query.years = year
    query.limit = limit
    return query
  }

  private func nothing(in map: Campus) -> String {
    if map.buildings.isEmpty { return MapMessages.noBuildings }
    var byCategory = BuildingQuery()
    byCategory.category = category
    guard let category, map.search(byCategory).isEmpty else { return "no building found" }
    let known = Set(map.buildings.compactMap(\.category)).sorted()
    return known.isEmpty
      ? "no building found: the map has no categories"
      : "no building found: no category \"\(category)\"; the map has \(known.joined(separator: ", "))"
  }

  private static func years(_ text: String) throws -> YearRange {
    guard let years = YearRange(text) else {
      throw ValidationError(
        "\"\(text)\" is not a year; write 1970, 1950-1980, 1890s, C19, ~1900, 'before 1850' or 'after 1990'"
      )
    }
    return years
  }
}

extension JSONObject {
  /// A matching building: schema `cupola.search/1`.
  fileprivate init(found match: BuildingMatch, rank: Int) {
    self = [
      "schema": "cupola.search/1", "rank": rank, "points": match.points,
      "building": match.building, "years_built": match.yearsBuilt,
    ]
  }
}

extension Building {
  var summary: String {
    let title = abbreviation.map { "\(name) (\($0))" } ?? name
    let facts = [title, category, yearBuilt.map { "built \($0)" }, address].compactMap(\.self)
    return "\(label): \(facts.joined(separator: ", "))"
  }
}
