import ArgumentParser
import Cupola
import CupolaCampus
import CupolaTraining

// 1. Read positions from --at or from stdin.
// 2. Print whether each position is inside the fence, and how far it is from the fence.

struct CampusContains: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contains",
    abstract: "Report whether positions are inside the fence.",
    discussion: """
      Also prints the distance from the fence. Without --at, positions are read from stdin, one LAT,LON or \
      LAT,LON,ERROR per line, where ERROR is the accuracy in meters (15 m if missing). The answer is "inside" or \
      "outside" only if it is certain for this accuracy; otherwise, it is "inconclusive". With an accuracy of 0, every \
      answer is certain, and positions on the boundary count as inside. Distances are in meters along the ellipsoid.

      EXAMPLES
        cupola campus contains campus.geojson --at 48.3000,10.9000 \\
          --position-error 20
        cupola campus contains campus.geojson --jsonl < positions.csv
      """)

  @Argument(
    help: "Campus map (GeoJSON or CSV).",
    completion: .file(extensions: ["geojson", "json", "csv"]))
  var campus: String

  @Argument(help: "- to read positions from stdin.")
  var source: String?

  @Option(
    parsing: .unconditional, help: "Position as LAT,LON in degrees.",
    transform: Coordinates.parsed)
  var at: Coordinates?

  @Option(help: "Accuracy in meters for positions without one.")
  var positionError: Double?

  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(help: "Print one line of JSON for each position.")
  var jsonl = false

  func validate() throws {
    try PhotoArguments.checkPaths([campus])
    try JSONForms.check(json: json, jsonl: jsonl)
    try ensure(
      source == nil || source == "-" && at == nil,
      "give positions with --at or on stdin (-), not both")
    if let positionError { try Coordinates.checkError(positionError) }
  }

  func run() async throws {
    let fence = try MapFile.campus(campus).geofence
    guard let position = at?.position(error: positionError) else { return try answerLines(fence) }
    try Console.print(
      [position], json: json, jsonl: jsonl, object: { Self.object($0, fence) },
      line: { Self.text($0, fence, asked: "\($0.latitude),\($0.longitude)") })
    fence.noteSwapped(position, givenBy: "--at")
  }

  private func answerLines(_ fence: Geofence) throws {
    var (number, answered, failed) = (0, 0, 0)
    var isNoted = false
    var answers: [JSONObject] = []
    while let next = readLine() {
      number += 1
      let line = StandardInput.unmarked(next, number: number)
      if line.allSatisfy(\.isWhitespace) { continue }
      let found = position(line)
      if let found {
        answered += 1
        isNoted = isNoted || fence.noteSwapped(found, givenBy: "stdin:\(number)")
      } else {
        Console.error("stdin:\(number): \"\(line.prefix(60))\" is not \(Self.wanted)")
        failed += 1
      }
      if json || jsonl {
        let answer =
          found.map { Self.object($0, fence) }
          ?? ["schema": "cupola.fence/1", "line": number, "error": "not \(Self.wanted)"]
        if json { answers.append(answer) } else { Console.print(try JSONObject.text(answer)) }
      } else if let found {
        Console.print(line: Self.text(found, fence, asked: line))
      }
    }
    if json { try Console.print(json: answers) }
    if answered == 0 && failed == 0 {
      Console.error("stdin: no positions; write one \(Self.wanted) per line")
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

  /// The distance rounded to millimeters, never -0; `nil` if the fence is the whole Earth.
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
      return "\(asked): inconclusive; \(meters) \(side) the fence, "
        + "but the accuracy is only \(error)"
    case .outside: return "\(asked): outside, \(meters) from the fence"
    case .inside: return "\(asked): inside, \(meters) from the fence"
    }
  }
}

extension Geofence {
  private static let (farAway, surroundings) = (10_000.0, 1000.0)

  @discardableResult
  func noteSwapped(_ position: Position, givenBy name: String) -> Bool {
    guard let swapped = position.swapped, signedDistance(to: position) > Self.farAway,
      signedDistance(to: swapped) < Self.surroundings
    else { return false }
    Console.note(
      "note: \(name) is far from the campus; did you swap latitude and longitude?")
    return true
  }
}
