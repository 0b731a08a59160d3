import Cupola
import CupolaGuide
import CupolaTraining

/// Many ways, asked for in a file: a line of JSON each.
struct RoutePairs {
  let path: String

  /// Bytes that the file may have.
  private static let mostBytes = 64 << 20

  private static let blanks: Set<UInt8> = [0x09, 0x0D, 0x20]

  private struct Answer: Encodable {
    let mode: TravelMode
    let from: [Double]
    let to: [Double]
    var meters: Double?
    var seconds: Double?
    var metersNotStepFreeBefore: Double?
    var metersNotStepFreeBeyond: Double?
    var shape: [[Double]]?
    var error: String?

    private enum CodingKeys: String, CodingKey {
      case mode, from, to, meters, seconds, shape, error
      case metersNotStepFreeBefore = "meters_not_step_free_before"
      case metersNotStepFreeBeyond = "meters_not_step_free_beyond"
    }

    /// What is told of a way; that it is step-free to its ends goes without saying.
    mutating func take(_ route: Route) {
      (meters, seconds) = (route.meters, route.seconds)
      let (before, beyond) = (route.metersNotStepFreeBefore, route.metersNotStepFreeBeyond)
      metersNotStepFreeBefore = before > 0 ? before : nil
      metersNotStepFreeBeyond = beyond > 0 ? beyond : nil
      shape = route.points.map { [$0.latitude, $0.longitude] }
    }
  }

  /// Prints a line for each way; one that there is not has `error`.
  ///
  /// - Throws: ``ExitStatus/someFailed`` at the end where there are such; what reading the file throws.
  func answer(by directions: Directions) throws {
    let lines = try FileAccess.read(path, limit: Self.mostBytes).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var (asked, failed) = (0, 0)
    for (number, line) in lines.enumerated() where !line.allSatisfy(Self.blanks.contains) {
      guard case .object(let members) = try? JSONReader.value(of: Array(line)),
        let start = members["from"].flatMap(Self.position),
        let goal = members["to"].flatMap(Self.position)
      else {
        throw TrainingError.badTable(
          path: path, line: number + 1, problem: "no {\"from\":[LAT,LON],\"to\":[LAT,LON]}")
      }
      var answer = Answer(
        mode: directions.mode, from: [start.latitude, start.longitude],
        to: [goal.latitude, goal.longitude])
      do throws(GuideError) {
        answer.take(try directions.route(from: .position(start), to: .position(goal)))
      } catch {
        answer.error = error.message
        failed += 1
      }
      asked += 1
      Console.print(try JSONObject.text(answer))
    }
    guard failed > 0 else { return }
    Console.error("\(path): no way for \(failed) of \(FigureText.count(asked, "pair"))")
    throw ExitStatus.someFailed
  }

  private static func position(_ value: JSONValue) -> Position? {
    guard case .array(let parts) = value, parts.count == 2 else { return nil }
    let numbers = parts.compactMap(\.double)
    return numbers.count == 2 ? Position(latitude: numbers[0], longitude: numbers[1]) : nil
  }
}
