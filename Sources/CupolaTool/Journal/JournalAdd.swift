import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaJournal

// 1. Check that the options are allowed for this kind of entry.
// 2. Add the files, then the entry. Print its ID.

struct JournalAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an entry, and print its ID once it is on disk.",
    discussion: """
      EXAMPLES
        cupola journal add visit --title "The stairs" --text "worn round" \\
          --rating 4 --photo stairs.jpg
        cupola journal add visit --kind favorite --building old_library \\
          --position 48.3005,10.8984
        cupola journal add visit --kind question --text "Open on Sunday?" \\
          --email ada@example.org
        cupola journal add visit --kind seen --label old_library --confidence 0.93 \\
          --photo visit.jpg
        cupola journal add visit --lines < notes.txt
      """)

  @OptionGroup var options: JournalOptions

  @Option(help: "Kind of entry.")
  var kind = JournalKind.note

  // Unconditional, because a text can begin with a hyphen.
  @Option(parsing: .unconditional, help: "Title of a note.")
  var title = ""

  @Option(parsing: .unconditional, help: "Text of a note or question.")
  var text = ""

  @Option(help: "Rating for a note, 1 (bad) to 5 (good).")
  var rating: Int?

  @Option(
    help: ArgumentHelp("Photo file. Repeatable.", valueName: "file"), completion: .file())
  var photo: [String] = []

  @Option(help: ArgumentHelp("Voice recording for a note.", valueName: "file"), completion: .file())
  var voice: String?

  @Option(help: "Contact address for the answer to a question.")
  var email: String?

  @Option(help: "Recognized label.")
  var label: String?

  @Option(help: "Probability of the recognized label, 0 to 1.")
  var confidence = 1.0

  @Option(help: ArgumentHelp("Building that the entry is about.", valueName: "label"))
  var building: String?

  @Option(help: ArgumentHelp("Place name.", valueName: "text"))
  var place: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Position as LAT,LON in degrees.", valueName: "lat,lon"),
    transform: Coordinates.parsed)
  var position: Coordinates?

  @Option(
    help: ArgumentHelp("Time of the entry. (default: now)", valueName: "time"),
    transform: JournalTime.parsed)
  var at: JournalTime?

  @Flag(help: "Add a note for each non-empty line of stdin.")
  var lines = false

  func validate() throws {
    try ensure(rating.map({ (1...5).contains($0) }) ?? true, "--rating must be 1 to 5")
    try ensure((0...1).contains(confidence), "--confidence must be 0 to 1")
    guard unsupported.isEmpty else {
      let names = unsupported.joined(separator: ", ")
      throw ValidationError(
        "--kind \(kind.rawValue) cannot be combined with \(names); leave that out, or use another kind"
      )
    }
    try ensure(kind != .seen || photo.count < 2, "--kind seen allows only one --photo")
    try ensure(kind != .seen || label != nil, "--kind seen requires --label")
    try ensure(kind != .question || !text.isEmpty, "--kind question requires --text")
    let isMore = !text.isEmpty || !title.isEmpty || rating != nil || !photo.isEmpty || voice != nil
    try ensure(
      !lines || kind == .note && !isMore,
      "--lines cannot be combined with --kind, --title, --text, --rating, --photo or --voice")
    guard
      kind != .note || lines || !(text.isEmpty && title.isEmpty && photo.isEmpty && voice == nil)
    else { throw ValidationError("empty note; add --text, --title, --photo or --voice") }
  }

  private var unsupported: [String] {
    let all: [(name: String, isGiven: Bool, kinds: Set<JournalKind>)] = [
      ("--title", !title.isEmpty, [.note]), ("--text", !text.isEmpty, [.note, .question]),
      ("--rating", rating != nil, [.note]), ("--photo", !photo.isEmpty, [.note, .seen]),
      ("--voice", voice != nil, [.note]), ("--email", email != nil, [.question]),
      ("--label", label != nil, [.seen]), ("--confidence", confidence != 1, [.seen]),
    ]
    return all.filter { $0.isGiven && !$0.kinds.contains(kind) }.map { $0.name }
  }

  func run() async throws {
    var journal = try options.openForWriting(isNew: true)
    guard lines else {
      let media = try photo.map { try add($0, to: &journal) }
      let voice = try voice.map { try add($0, to: &journal) }
      try append(content(media, voice), to: &journal)
      return
    }
    try addLines(to: &journal)
  }

  private func addLines(to journal: inout Journal) throws {
    var (number, added, failed) = (0, 0, 0)
    while let next = readLine() {
      number += 1
      let line = StandardInput.unmarked(next, number: number)
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      // Swift replaces invalid UTF-8 with U+FFFD.
      guard !line.unicodeScalars.contains("\u{FFFD}") else {
        Console.error("stdin:\(number): skipped because it is not valid UTF-8; convert it to UTF-8")
        failed += 1
        continue
      }
      try append(.note(JournalNote(text: line)), to: &journal)
      added += 1
    }
    if failed > 0 { throw added == 0 ? ExitStatus.badData : ExitStatus.someFailed }
  }

  private func append(_ content: JournalContent, to journal: inout Journal) throws {
    let entry = try journal.append(
      content, at: at?.seconds ?? LocalTime.secondsSince1970Now,
      position: position?.position(error: nil),
      building: building, place: place)
    Console.print("\(entry.id)")
  }

  private func content(_ photos: [JournalMedia], _ voice: JournalMedia?) -> JournalContent {
    switch kind {
    case .favorite: .favorite
    case .seen:
      .seen(JournalSighting(label: label ?? "", confidence: confidence, photo: photos.first))
    case .note:
      .note(JournalNote(title: title, text: text, rating: rating, voice: voice, photos: photos))
    case .question: .question(JournalQuestion(text: text, email: email))
    }
  }

  private func add(_ path: String, to journal: inout Journal) throws -> JournalMedia {
    try options.naming(path) {
      let bytes = try FileAccess.read(path, limit: 100 << 20)
      let name = path.split(separator: "/").last ?? ""
      let ending = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
      return try journal.add(media: bytes, fileExtension: ending)
    }
  }
}
