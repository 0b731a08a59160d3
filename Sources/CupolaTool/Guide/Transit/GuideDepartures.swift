import ArgumentParser
import CupolaGuide
import CupolaTraining

/// `cupola guide departures`.
struct GuideDepartures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "departures",
    abstract: "Tells what leaves from a stop: \"55 Downtown in 4 min\".",
    discussion: """
      STOP is an identifier, the number on the sign or a name; of several stops of one name all are \
      shown together. With --realtime the times are those of vehicles on their way, as GTFS-realtime \
      files of the agency say; what is older than 90 s is called so.

      EXAMPLES
        cupola guide departures campus.guide "Central Station"
        cupola guide departures campus.guide 1423 --realtime trip-updates.pb \\
          --when 2026-11-23T14:30
      """)

  @Argument(help: "The guide.", completion: .directory)
  var guide: String

  @Argument(help: "The stop.")
  var stop: String

  @OptionGroup var realtime: RealtimeOptions

  @OptionGroup var moment: MomentOptions

  @Option(help: "The most departures to show.")
  var limit = 10

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more, not \(limit).") }
  }

  func run() async throws {
    try await ExitStatus.reporting {
      let timetable = try Guide(contentsOf: guide).timetable()
      let stops = timetable.stops(meantBy: stop)
      guard !stops.isEmpty else { throw GuideError.unknownStop(stop) }
      let now = try moment.seconds(in: timetable)
      let board = DepartureBoard(timetable, try realtime.state(of: timetable, at: now))
      let departures = board.departures(at: stops.map(\.id), from: now, limit: limit)
      if json {
        Console.print(
          try JSONObject.text(departures.map { DepartureJSON($0, timetable) }, pretty: true))
      } else {
        for departure in departures {
          Console.print(line: board.words(for: departure, now: now))
        }
        if departures.isEmpty { Console.note("Nothing leaves within a day.") }
      }
      if departures.isEmpty, let outside = MomentText.outside(now, timetable) {
        Console.note(outside)
      }
      for notice in board.notices(at: stops.map(\.id), now: now) { Console.note(notice) }
    }
  }
}
