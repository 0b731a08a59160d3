import ArgumentParser
import Cupola
import CupolaCampus
import CupolaTraining

// 1. Read positions from --at or from stdin.
// 2. Print on which side of the fence each one is, and how far from it.

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
    try ensure(
      positionError.map({ $0 >= 0 && $0.isFinite }) ?? true,
      "--position-error must be 0 or more meters.")
  }

  func run() async throws {
    let fence = try MapFile.campus(campus).geofence
    if let position = at?.position(error: positionError) {
      let answer = FenceAnswer(position, fence)
      Console.print(
        jsonl
          ? try JSONObject.text(answer.json)
          : json
            ? try JSONObject.text([answer.json], pretty: true) : answer.text(asked: answer.place))
      fence.noteExchanged(position, givenBy: "--at")
    } else {
      try answerLines(fence)
    }
  }

  /// One answer a line of stdin, as the lines come.
  private func answerLines(_ fence: Geofence) throws {
    var (number, answered, failed) = (0, 0, 0)
    // Of a file of exchanged places once is enough.
    var isNoted = false
    var answers: [FenceAnswer] = []
    while let next = readLine() {
      number += 1
      let line = StandardInput.unmarked(next, number: number)
      if line.allSatisfy(\.isWhitespace) { continue }
      var answer = FenceAnswer(line: number)
      if let position = position(line) {
        answer = FenceAnswer(position, fence)
        answered += 1
        isNoted = isNoted || fence.noteExchanged(position, givenBy: "stdin:\(number)")
      } else {
        Console.error("stdin:\(number): \"\(line.prefix(60))\" is no \(FenceAnswer.wanted)")
        failed += 1
      }
      if json {
        answers.append(answer)
      } else if jsonl {
        Console.print(try JSONObject.text(answer.json))
      } else if answer.error == nil {
        Console.print(line: answer.text(asked: line))
      }
    }
    if json { Console.print(try JSONObject.text(answers.map(\.json), pretty: true)) }
    if answered == 0 && failed == 0 {
      Console.error("stdin: no positions; write one \(FenceAnswer.wanted) a line")
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
}

/// Where one position lies: schema `cupola.fence/1`; a line that is no position has `error` instead.
struct FenceAnswer {
  static let wanted = "LAT,LON[,ERROR]"

  private(set) var position: Position?
  private var fence: FenceSide?
  private var distance: Double?
  private var line: Int?
  private(set) var error: String?

  var json: JSONObject {
    [
      "schema": "cupola.fence/1", "position": position, "fence": fence, "distance_m": distance,
      "line": line, "error": error,
    ]
  }

  init(_ position: Position, _ geofence: Geofence) {
    self.position = position
    fence = geofence.side(of: position)
    let meters = geofence.signedDistance(to: position)
    // To the millimeter, without a negative zero; the whole Earth has no fence to measure to.
    distance = meters.isFinite ? (meters * 1000).rounded() / 1000 + 0 : nil
  }

  init(line: Int) {
    self.line = line
    error = "no \(FenceAnswer.wanted)"
  }

  var place: String { position.map { "\($0.latitude),\($0.longitude)" } ?? "" }

  func text(asked: String) -> String {
    guard let distance else { return "\(asked): \(fence == .outside ? "outside" : "inside")" }
    let meters = Format.meters(distance.magnitude)
    switch fence {
    case .tooClose:
      let error = Format.meters(position?.assumedError ?? 0)
      let side = distance > 0 ? "outside" : "inside"
      return "\(asked): too close to tell, \(meters) \(side) the fence with an error of \(error)"
    case .outside: return "\(asked): outside, \(meters) from the fence"
    case .inside, nil: return "\(asked): inside, \(meters) from the fence"
    }
  }
}

/// Whoever exchanges latitude and longitude is far from everything.
extension Geofence {
  /// Meters from the fence that make a place one of another campus, and up to which people still mean this one.
  private static let (farAway, surroundings) = (10_000.0, 1000.0)

  /// Says so where a place is far away, and near with latitude and longitude exchanged.
  ///
  /// - Parameter name: what gave the place, such as an option.
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
