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
