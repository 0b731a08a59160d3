import ArgumentParser
import Cupola
import CupolaGuide
import CupolaTraining

/// `cupola journal list`.
struct JournalList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists and finds entries.",
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
    try await ExitStatus.reporting {
      let journal = try folder.open()
      let entries = journal.entries(matching: filter.query)
      if json {
        Console.print(try JSONObject.text(entries.map { JournalEntryJSON($0) }, pretty: true))
      } else {
        for entry in entries { Console.print(line: Self.line(entry)) }
        if entries.isEmpty { Console.note("Nothing found.") }
      }
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
      case .seen(let sighting): "\(FigureText.percent(sighting.confidence)) sure"
      case .note(let note): [note.title, note.text].filter { !$0.isEmpty }.joined(separator: ": ")
      case .question(let question): question.text
      }
    return [place, text].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

/// An entry of a journal: schema `cupola.journal_entry/1`.
struct JournalEntryJSON: Encodable {
  let schema = "cupola.journal_entry/1"
  let id: String
  let kind: String
  let time: Double
  let latitude: Double?
  let longitude: Double?
  let accuracy: Double?
  let building: String?
  let place: String?
  let confirmedLabel: String?
  let title: String?
  let text: String?
  let rating: Int?
  let email: String?
  let label: String?
  let confidence: Double?
  let photos: [String]
  let voice: String?

  private enum CodingKeys: String, CodingKey {
    case schema, id, kind, time, latitude, longitude, accuracy, building, place, title, text, rating
    case email, label, confidence, photos, voice
    case confirmedLabel = "confirmed_label"
  }

  init(_ entry: JournalEntry) {
    (id, kind, time) = (entry.id.description, entry.kind.rawValue, entry.time)
    (latitude, longitude) = (entry.position?.latitude, entry.position?.longitude)
    accuracy = entry.position?.horizontalError
    (building, place, confirmedLabel) = (entry.building, entry.place, entry.confirmedLabel)
    photos = entry.photos.map(\.path)
    rating = entry.rating
    var (title, text, email, label): (String?, String?, String?, String?)
    var (confidence, voice): (Double?, String?)
    switch entry.content {
    case .favorite: break
    case .seen(let sighting): (label, confidence) = (sighting.label, sighting.confidence)
    case .note(let note): (title, text, voice) = (note.title, note.text, note.voice?.path)
    case .question(let question): (text, email) = (question.text, question.email)
    }
    (self.title, self.text, self.email, self.label) = (title, text, email, label)
    (self.confidence, self.voice) = (confidence, voice)
  }
}

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

/// `cupola journal delete`.
struct JournalDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes entries, also on the devices that are merged with later.",
    discussion: """
      Photos and voice files that no entry has any more go too.

      EXAMPLE
        cupola journal delete visit phone-12 phone-14
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "The entries' ids, as cupola journal list has them.")
  var ids: [JournalID]

  func run() async throws {
    try await ExitStatus.reporting {
      var journal = try options.openForWriting()
      // All of them before the first is deleted: of a misspelled one nothing changes.
      for id in ids where journal[id] == nil { throw journal.unknown(id) }
      for id in ids where journal[id] != nil { try journal.delete(id) }
      _ = try journal.prune()
    }
  }
}

/// `cupola journal confirm`.
struct JournalConfirm: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Says which building the photos of an entry show, so that they may be trained on.",
    discussion: """
      EXAMPLES
        cupola journal confirm visit phone-12 old_library
        cupola journal confirm visit phone-12 --none
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "The entry's id.")
  var id: JournalID

  @Argument(help: "The label.")
  var label: String?

  @Flag(help: "Take a confirmation back.")
  var none = false

  func validate() throws {
    guard none != (label != nil) else { throw ValidationError("Say a label, or --none.") }
  }

  func run() async throws {
    try await ExitStatus.reporting {
      var journal = try options.openForWriting()
      guard var entry = journal[id] else { throw journal.unknown(id) }
      entry.confirmedLabel = label
      try journal.replace(entry)
    }
  }
}

/// `cupola journal check`.
struct JournalCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds damaged lines and photos; the exit code is 65 when there are some.",
    discussion: """
      EXAMPLE
        cupola journal check visit
      """)

  @OptionGroup var folder: JournalFolder

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let journal = try folder.open()
      let findings = journal.checkMedia()
      for finding in findings { Console.note(finding.message) }
      Console.print(Format.entries(journal.count))
      if !(findings + journal.findings).isEmpty { throw ExitStatus.badData }
    }
  }
}
