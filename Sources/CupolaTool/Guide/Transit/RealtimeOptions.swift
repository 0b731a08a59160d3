import ArgumentParser
import CupolaCampus
import CupolaGuide

/// Messages of GTFS-realtime in files.
struct RealtimeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A GTFS-realtime message: trip updates, vehicle positions or alerts; more than once for several.",
      valueName: "file"),
    completion: .file())
  var realtime: [String] = []

  /// What is known; `nil` without messages.
  func state(of timetable: Timetable, at moment: Double) throws -> RealtimeState? {
    if realtime.isEmpty { return nil }
    let feeds = try realtime.map { path in
      try RealtimeFeed(
        bytes: try FileAccess.read(path, limit: RealtimeFeed.mostBytes), path: path)
    }
    return RealtimeState(feeds, of: timetable, at: moment)
  }
}
