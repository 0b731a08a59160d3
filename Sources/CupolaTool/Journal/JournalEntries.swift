import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaJournal
import CupolaTraining

// 1. List the entries that match a query.
// 2. Delete, compact, confirm and check entries.

struct JournalList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List or search entries.",
    discussion: """
      EXAMPLES
        cupola journal list visit
        cupola journal list visit --kind note --rating 4 --since 2026-11-01
        cupola journal list visit --near 48.3005,10.8984 --within 50 --json
      """)

  @OptionGroup var folder: JournalFolder
  @OptionGroup var filter: JournalQueryOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let journal = try folder.open()
    let entries = journal.entries(matching: filter.query)
    try Console.print(
      entries, json: json, object: { JSONObject(entry: $0) }, line: { Self.line($0) })
    if entries.isEmpty {
      if !json { Console.note("no entries found") }
      throw ExitStatus.someFailed
    }
  }

  /// `phone-12  2026-11-23 14:30  note  The stairs: worn round`.
  private static func line(_ entry: JournalEntry) -> String {
    let local = LocalTime(secondsSince1970: entry.time, timeZone: LocalTime.deviceTimeZone)
    let time = local.map { "\($0.date) \($0.clock)" } ?? "?"
    var parts = [entry.id.description, time, entry.kind.rawValue, words(entry)]
    if let rating = entry.rating { parts.append("\(rating) of 5") }
    if !entry.media.isEmpty { parts.append(FigureText.count(entry.media.count, "file")) }
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private static func words(_ entry: JournalEntry) -> String {
    let place = entry.place ?? entry.buildingLabel
    let text =
      switch entry.content {
      case .favorite: ""
      case .seen(let sighting): "probability \(FigureText.percent(sighting.confidence))"
      case .note(let note): [note.title, note.text].filter { !$0.isEmpty }.joined(separator: ": ")
      case .question(let question): question.text
      }
    return [place, text].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension JSONObject {
  /// An entry of a journal: schema `cupola.journal_entry/1`.
  fileprivate init(entry: JournalEntry) {
    let (position, content) = (entry.position, JSONObject(content: entry.content))
    self = content.adding([
      "schema": "cupola.journal_entry/1", "id": entry.id.description, "kind": entry.kind.rawValue,
      "time": entry.time, "latitude": position?.latitude, "longitude": position?.longitude,
      "accuracy": position?.horizontalError, "building": entry.building, "place": entry.place,
      "confirmed_label": entry.confirmedLabel, "rating": entry.rating,
      "photos": entry.photos.map(\.path),
    ])
  }

  private init(content: JournalContent) {
    switch content {
    case .favorite: self = [:]
    case .seen(let sighting):
      self = ["label": sighting.label, "confidence": sighting.confidence]
    case .note(let note):
      self = ["title": note.title, "text": note.text, "voice": note.voice?.path]
    case .question(let question): self = ["text": question.text, "email": question.email]
    }
  }
}

struct JournalQueryOptions: ParsableArguments {
  @Option(help: "Only entries with all of these words or prefixes.")
  var text: String?

  @Option(help: "Only entries of this kind. Repeatable.")
  var kind: [JournalKind] = []

  @Option(help: ArgumentHelp("Only entries about this building.", valueName: "label"))
  var building: String?

  @Option(
    help: ArgumentHelp(
      "Only entries from this time or later: 2026-11-23, 2026-11-23T14:30, RFC 3339, or seconds since 1970.",
      valueName: "time"),
    transform: JournalTime.parsed)
  var since: JournalTime?

  @Option(
    help: ArgumentHelp("Only entries before this time.", valueName: "time"),
    transform: JournalTime.parsed)
  var until: JournalTime?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only entries near this position.", valueName: "lat,lon"),
    transform: Coordinates.parsed)
  var near: Coordinates?

  private static let usualReach = 100.0

  @Option(help: ArgumentHelp("Maximum distance from --near.", valueName: "meters"))
  var within = JournalQueryOptions.usualReach

  @Option(help: ArgumentHelp("Only notes with at least this rating.", valueName: "stars"))
  var rating: Int?

  func validate() throws {
    try ensure(within >= 0 && within.isFinite, "--within must be 0 meters or more, not \(within)")
    try ensure(near != nil || within == Self.usualReach, "--within requires --near")
    try ensure(rating.map({ (1...5).contains($0) }) ?? true, "--rating must be 1 to 5")
  }

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

struct JournalDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete entries here and in journals merged later.",
    discussion: """
      Removes their content, and photos and voice recordings that no other entry uses, from this folder, and from \
      other journals when they merge this one. Only the IDs of the entries and the times of their changes remain.

      EXAMPLE
        cupola journal delete visit phone-12 phone-14
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "Entry IDs, as printed by cupola journal list.")
  var ids: [JournalID]

  func run() async throws {
    var journal = try options.openForWriting()
    try journal.delete(ids)
  }
}

struct JournalCompact: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Clear entries that earlier versions deleted.",
    discussion: """
      Removes the content, and photos and voice recordings that no entry uses. Only the IDs of the entries and the \
      times of their changes remain, so that merging does not restore the entries.

      EXAMPLE
        cupola journal compact visit
      """)

  @OptionGroup var folder: JournalFolder

  func run() async throws {
    var journal = try folder.open()
    let lines = try journal.compact()
    let files = try journal.prune()
    Console.print(
      line: "\(folder.journal): \(FigureText.count(lines, "line")) cleared, "
        + "\(FigureText.count(files, "file")) removed")
  }
}

struct JournalConfirm: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Confirm which building an entry's photos show.",
    discussion: """
      EXAMPLES
        cupola journal confirm visit phone-12 old_library
        cupola journal confirm visit phone-12 --none
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "Entry ID.")
  var id: JournalID

  @Argument(help: "Label of the building.")
  var label: String?

  @Flag(help: "Remove the confirmation.")
  var none = false

  func validate() throws {
    try ensure(none != (label != nil), "give either a label or --none")
  }

  func run() async throws {
    var journal = try options.openForWriting()
    guard var entry = journal[id] else { throw journal.unknown(id) }
    entry.confirmedLabel = label
    try journal.replace(entry)
  }
}

struct JournalCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find damaged lines and photos.",
    discussion: """
      The exit code is 65 if any are found.

      EXAMPLE
        cupola journal check visit
      """)

  @OptionGroup var folder: JournalFolder

  func run() async throws {
    let journal = try folder.open()
    let findings = journal.checkMedia()
    for finding in findings { Console.note(finding.message) }
    Console.print(Format.entries(journal.count))
    if !(findings + journal.findings).isEmpty { throw ExitStatus.badData }
  }
}
