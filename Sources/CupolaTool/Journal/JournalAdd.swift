import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaJournal

// 1. Check that the options fit the kind of entry.
// 2. Add the files, then the entry; print its id.

struct JournalAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds an entry, and prints its id when the disk has it.",
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

  @Option(help: "favorite, seen, note or question.")
  var kind = JournalKind.note

  // Unconditional, because a text may begin with a dash.
  @Option(parsing: .unconditional, help: "What stands above a note.")
  var title = ""

  @Option(parsing: .unconditional, help: "The text of a note or question.")
  var text = ""

  @Option(help: "1 (bad) to 5 (good).")
  var rating: Int?

  @Option(
    help: ArgumentHelp("A photo, any number.", valueName: "file"), completion: .file())
  var photo: [String] = []

  @Option(help: ArgumentHelp("A voice file.", valueName: "file"), completion: .file())
  var voice: String?

  @Option(help: "Where the answer to a question is to go.")
  var email: String?

  @Option(help: "What the recognizer said.")
  var label: String?

  @Option(help: "How sure it was, 0 to 1.")
  var confidence = 1.0

  @Option(help: ArgumentHelp("The building that it is about.", valueName: "label"))
  var building: String?

  @Option(help: ArgumentHelp("What the place is called.", valueName: "text"))
  var place: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it was.", valueName: "lat,lon"),
    transform: Coordinates.parsed)
  var position: Coordinates?

  @Option(
    help: ArgumentHelp("When it was (default: now).", valueName: "time"),
    transform: JournalTime.parsed)
  var at: JournalTime?

  @Flag(help: "Add a note for each line that comes on stdin, but for empty ones.")
  var lines = false

  func validate() throws {
    try ensure(rating.map({ (1...5).contains($0) }) ?? true, "--rating must be 1 to 5.")
    try ensure((0...1).contains(confidence), "--confidence must be 0 to 1.")
    guard unkept.isEmpty else {
      let names = unkept.joined(separator: ", ")
      throw ValidationError(
        "An entry of --kind \(kind.rawValue) does not keep \(names); leave that out, or give another kind."
      )
    }
    try ensure(kind != .seen || photo.count < 2, "An entry of --kind seen keeps one --photo.")
    try ensure(kind != .seen || label != nil, "What was seen? Say --label.")
    try ensure(kind != .question || !text.isEmpty, "What is the question? Say --text.")
    let isMore = !text.isEmpty || !title.isEmpty || rating != nil || !photo.isEmpty || voice != nil
    try ensure(
      !lines || kind == .note && !isMore,
      "--lines makes notes of stdin; leave --kind, --title, --text, --rating, --photo and --voice out."
    )
    guard
      kind != .note || lines || !(text.isEmpty && title.isEmpty && photo.isEmpty && voice == nil)
    else { throw ValidationError("An empty note: say --text, --title, --photo or --voice.") }
  }

  /// Options that were given and that entries of the kind do not keep.
  private var unkept: [String] {
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
      // Swift reads this for bytes that are no UTF-8: the note would lack what was meant.
      guard !line.unicodeScalars.contains("\u{FFFD}") else {
        Console.error("stdin:\(number): the line is no UTF-8, and is left out; give it in UTF-8")
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
