import ArgumentParser
import Cupola
import CupolaCampus
import CupolaTraining

// 1. Read positions from --at or from stdin.
// 2. Print whether each one is inside the fence, and its distance from it.

struct CampusContains: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contains",
    abstract: "Tells whether positions lie within the fence, and how far from it.",
    discussion: """
      Without --at positions are read from stdin, one LAT,LON or LAT,LON,ERROR a line. The answer is \
      "inside" or "outside" only when it is beyond doubt, else "too close to tell"; an error that is \
      not known is taken to be 15 m. With an error of 0 the position itself decides, and the boundary \
      is inside. Distances are meters along the ellipsoid.

      EXAMPLES
        cupola campus contains campus.geojson --at 48.3000,10.9000 \\
          --position-error 20
        cupola campus contains campus.geojson --jsonl < positions.csv
      """)

  @Argument(help: "The map, GeoJSON.", completion: .file(extensions: ["geojson", "json"]))
  var campus: String

  @Argument(help: "- for positions on stdin, which is also meant when --at is not given.")
  var source: String?

  @Option(
    parsing: .unconditional, help: "The position, degrees LAT,LON.",
    transform: Coordinates.parsed)
  var at: Coordinates?

  @Option(help: "Meters within which positions are right that do not say so themselves.")
  var positionError: Double?

  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(help: "Print a line of JSON for each position.")
  var jsonl = false

  func validate() throws {
    try PhotoArguments.checkPaths([campus])
    try JSONForms.check(json: json, jsonl: jsonl)
    try ensure(
      source == nil || source == "-" && at == nil, "Give positions by --at, or on stdin (-).")
    if let positionError { try Coordinates.checkError(positionError) }
  }

  func run() async throws {
    let fence = try MapFile.campus(campus).geofence
    guard let position = at?.position(error: positionError) else { return try answerLines(fence) }
    try Console.print(
      [position], json: json, jsonl: jsonl, object: { Self.object($0, fence) },
      line: { Self.text($0, fence, asked: "\($0.latitude),\($0.longitude)") })
    fence.noteExchanged(position, givenBy: "--at")
  }

  private func answerLines(_ fence: Geofence) throws {
    var (number, answered, failed) = (0, 0, 0)
    // Report swapped coordinates only once.
    var isNoted = false
    var answers: [JSONObject] = []
    while let next = readLine() {
      number += 1
      let line = StandardInput.unmarked(next, number: number)
      if line.allSatisfy(\.isWhitespace) { continue }
      let found = position(line)
      if let found {
        answered += 1
        isNoted = isNoted || fence.noteExchanged(found, givenBy: "stdin:\(number)")
      } else {
        Console.error("stdin:\(number): \"\(line.prefix(60))\" is no \(Self.wanted)")
        failed += 1
      }
      if json || jsonl {
        let answer =
          found.map { Self.object($0, fence) }
          ?? ["schema": "cupola.fence/1", "line": number, "error": "no \(Self.wanted)"]
        if json { answers.append(answer) } else { Console.print(try JSONObject.text(answer)) }
      } else if let found {
        Console.print(line: Self.text(found, fence, asked: line))
      }
    }
    if json { try Console.print(json: answers) }
    if answered == 0 && failed == 0 {
      Console.error("stdin: no positions; write one \(Self.wanted) a line")
      throw ExitStatus.noInput
    }
    if failed > 0 { throw answered == 0 ? ExitStatus.badData : ExitStatus.someFailed }
  }

  private func position(_ line: String) -> Position? {
    let numbers = Coordinates.numbers(line)
    guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1]
    else { return nil }
    var error = positionError
    if numbers.count == 3 {
      guard let own = numbers[2], own >= 0, own.isFinite else { return nil }
      error = own
    }
    return Position(latitude: latitude, longitude: longitude, horizontalError: error)
  }

  private static let wanted = "LAT,LON[,ERROR]"

  /// Schema `cupola.fence/1`.
  private static func object(_ position: Position, _ fence: Geofence) -> JSONObject {
    [
      "schema": "cupola.fence/1", "position": position, "fence": fence.side(of: position),
      "distance_m": distance(of: position, fence),
    ]
  }

  /// The distance to the millimeter, never -0; `nil` if the fence is the whole Earth.
  private static func distance(of position: Position, _ fence: Geofence) -> Double? {
    let meters = fence.signedDistance(to: position)
    return meters.isFinite ? (meters * 1000).rounded() / 1000 + 0 : nil
  }

  private static func text(_ position: Position, _ fence: Geofence, asked: String) -> String {
    let side = fence.side(of: position)
    guard let distance = distance(of: position, fence) else {
      return "\(asked): \(side == .outside ? "outside" : "inside")"
    }
    let meters = Format.meters(distance.magnitude)
    switch side {
    case .tooClose:
      let error = Format.meters(position.assumedError)
      let side = distance > 0 ? "outside" : "inside"
      return "\(asked): too close to tell, \(meters) \(side) the fence with an error of \(error)"
    case .outside: return "\(asked): outside, \(meters) from the fence"
    case .inside: return "\(asked): inside, \(meters) from the fence"
    }
  }
}

/// Swapped latitude and longitude put a position far from the campus.
extension Geofence {
  /// In meters: the distance from which a position is far away, and the distance up to which a swapped one is near.
  private static let (farAway, surroundings) = (10_000.0, 1000.0)

  /// Prints a note if a position is far away but would be near with latitude and longitude swapped.
  @discardableResult
  func noteExchanged(_ position: Position, givenBy name: String) -> Bool {
    guard let exchanged = position.swapped, signedDistance(to: position) > Self.farAway,
      signedDistance(to: exchanged) < Self.surroundings
    else { return false }
    Console.note(
      "note: \(name) is far from the map; with latitude and longitude exchanged it would be there")
    return true
  }
}
