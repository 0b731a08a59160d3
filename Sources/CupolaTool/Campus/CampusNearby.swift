import ArgumentParser
import Cupola
import CupolaTraining

struct CampusNearby: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nearby",
    abstract: "Tells which buildings of a map are near a place, and where.",
    discussion: """
      Distances are meters to the nearest point of the footprint, bearings degrees clockwise from \
      true north. The JSON also has transforms that place a label in augmented reality.

      EXAMPLES
        cupola campus nearby campus.geojson --at 48.3000,10.9000
        cupola campus nearby campus.geojson --at 48.3000,10.9000 --heading 45 \\
          --within 250 --json
      """)

  @Argument(help: "The map, GeoJSON.", completion: .file(extensions: ["geojson", "json"]))
  var campus: String

  // Unconditional, because many a latitude begins with a minus sign.
  @Option(
    parsing: .unconditional, help: "The place, degrees LAT,LON.",
    transform: Coordinates.parsed)
  var at: Coordinates

  @Option(
    parsing: .unconditional, help: "Where someone there looks, degrees clockwise from true north.")
  var heading: Double?

  @Option(parsing: .unconditional, help: "How far away they may be, meters.")
  var within = 100.0

  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(help: "Print a line of JSON for each building.")
  var jsonl = false

  func validate() throws {
    try PhotoArguments.checkPaths([campus])
    try JSONForms.check(json: json, jsonl: jsonl)
    if let heading { try Coordinates.checkHeading(heading) }
    try ensure(within >= 0 && within.isFinite, "--within must be 0 or more meters.")
  }

  func run() async throws {
    let map = try MapFile.campus(campus)
    guard let position = at.position(error: nil) else { return }
    let near = map.buildings(
      near: position, within: within, heading: heading.flatMap { Heading(degrees: $0) })
    try Console.print(
      near, json: json, jsonl: jsonl, object: { JSONObject(nearby: $0) }, line: \.summary)
    if near.isEmpty {
      Console.note(nothing(in: map, position))
      map.geofence.noteExchanged(position, givenBy: "--at")
    }
  }

  /// Says that nothing is near, and what is nearest.
  private func nothing(in map: Campus, _ position: Position) -> String {
    let reach = Format.decimal(within, digits: within == within.rounded() ? 0 : 1)
    guard let nearest = map.buildings(near: position, within: .infinity).first else {
      return "The map has no buildings with a position."
    }
    return "No building within \(reach) m; the nearest is \(nearest.summary)"
  }
}

extension JSONObject {
  /// One building near a place: schema `cupola.nearby/1`.
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
  /// The label, the name and where it is.
  fileprivate var summary: String {
    var facts = [building.name]
    if isInside {
      facts.append("you are inside")
    } else {
      let meters =
        distance < 10_000
        ? Format.decimal(distance, digits: distance < 10 ? 1 : 0) + " m" : Format.meters(distance)
      let direction = bearing.flatMap { bearing in
        compassPoint.map { " \($0.rawValue) (\(Format.decimal(bearing, digits: 0))°)" }
      }
      facts.append(meters + (direction ?? ""))
    }
    if let side, let turn {
      let angle = Format.decimal(turn.magnitude, digits: 0) + "° to the "
      let ahead = side == .ahead || side == .behind ? side.rawValue + ", " : ""
      facts.append(ahead + angle + (turn < 0 ? "left" : "right"))
    }
    return "\(building.label): \(facts.joined(separator: ", "))"
  }
}
