import ArgumentParser
import CupolaGuide

/// Which entries of a journal.
struct JournalQueryOptions: ParsableArguments {
  @Option(help: "Only entries with all these words, or words that begin so.")
  var text: String?

  @Option(help: "Only entries of a kind, any number: favorite, seen, note, question.")
  var kind: [JournalKind] = []

  @Option(help: ArgumentHelp("Only entries about a building.", valueName: "label"))
  var building: String?

  @Option(
    help: ArgumentHelp(
      "Only entries from then on: 2026-11-23, 2026-11-23T14:30, RFC 3339, or seconds since 1970.",
      valueName: "time"),
    transform: JournalTime.parsed)
  var since: JournalTime?

  @Option(
    help: ArgumentHelp("Only entries before then.", valueName: "time"),
    transform: JournalTime.parsed)
  var until: JournalTime?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only entries near a place.", valueName: "lat,lon"),
    transform: Coordinates.parsed)
  var near: Coordinates?

  private static let usualReach = 100.0

  @Option(help: ArgumentHelp("How near.", valueName: "meters"))
  var within = JournalQueryOptions.usualReach

  @Option(help: ArgumentHelp("Only notes of so many stars or more.", valueName: "stars"))
  var rating: Int?

  func validate() throws {
    guard within >= 0, within.isFinite else {
      throw ValidationError("--within must be 0 meters or more, not \(within).")
    }
    guard near != nil || within == Self.usualReach else {
      throw ValidationError("--within is how near to a place: name that, too, with --near.")
    }
    guard rating.map({ (1...5).contains($0) }) ?? true else {
      throw ValidationError("--rating must be 1 to 5.")
    }
  }

  /// The query.
  var query: JournalQuery {
    var query = JournalQuery()
    query.text = text
    query.kinds = kind.isEmpty ? nil : Set(kind)
    (query.building, query.leastRating) = (building, rating)
    (query.since, query.until) = (since?.seconds, until?.seconds)
    query.near = near?.position(error: nil).map { JournalQuery.Circle($0, radius: within) }
    return query
  }
}
