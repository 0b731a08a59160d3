import ArgumentParser
import Cupola

/// `cupola campus contains`.
struct CampusContains: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contains",
    abstract: "Tells whether a position lies within the fence.")

  @Argument(help: "The map, GeoJSON.")
  var campus: String

  @Option(parsing: .unconditional, help: "The position, degrees LAT,LON.")
  var at: Coordinates

  func run() async throws {
    try await ExitStatus.reporting {
      let fence = try MapFile.campus(campus).geofence
      guard let position = at.position(error: nil) else { return }
      Console.print(fence.contains(position) ? "inside" : "outside")
    }
  }
}
