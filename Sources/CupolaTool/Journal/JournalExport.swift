import ArgumentParser
import Cupola
import CupolaGuide

/// `cupola journal export`.
struct JournalExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a journal as GeoJSON, Markdown and an HTML page with a map, with its media.",
    discussion: """
      OUTPUT gets journal.geojson, journal.md, index.html, questions.json where there are questions, and \
      media. The page asks for nothing from anywhere and has no script. An earlier export is replaced, a \
      folder of other things refused.

      EXAMPLES
        cupola journal export visit -o pages --guide campus.guide
        cupola journal export visit -o pages --kind note --since 2026-11-01
      """)

  @OptionGroup var folder: JournalFolder
  @OptionGroup var filter: JournalQueryOptions

  @Option(
    name: .shortAndLong, help: "The folder to write, made when it is missing.",
    completion: .directory)
  var output: String

  @Option(help: "A guide whose map, names and clocks the page has.", completion: .directory)
  var guide: String?

  @Option(help: "What stands above.")
  var title = "Journal"

  func run() async throws {
    try await ExitStatus.reporting {
      let journal = try folder.open()
      let guide = try guide.map { try Guide(contentsOf: $0) }
      let entries = journal.entries(matching: filter.query)
      let isAgain = try JournalExportFolder.check(output)
      try Directory.createAll(output)
      var failed = try copyMedia(of: entries, in: journal)
      try FolderUpdate.replace(files(of: entries, guide), in: output)
      if isAgain { failed += try removeEarlier(than: entries) }
      Console.note("\(output): \(Format.entries(entries.count))")
      if failed > 0 { throw ExitStatus.someFailed }
    }
  }

  /// The file by which an export is known is the first, so that what a killed run left is known, too.
  private func files(
    of entries: [JournalEntry], _ guide: Guide?
  ) -> [(name: String, bytes: [UInt8])] {
    let names = guide?.journalNames ?? JournalNames(timeZone: LocalTime.deviceTimeZone)
    let page =
      guide?.page(of: entries, title: title)
      ?? JournalPage.html(of: entries, title: title, names: names)
    var files: [(name: String, bytes: [UInt8])] = [
      (JournalExportFolder.table, JournalGeoJSON.bytes(of: entries)),
      ("journal.md", Array(JournalMarkdown.text(of: entries, title: title, names: names).utf8)),
      ("index.html", Array(page.utf8)),
    ]
    if hasQuestions(entries) {
      files.append((JournalExportFolder.questions, JournalQuestions.bytes(of: entries)))
    }
    return files
  }

  private func hasQuestions(_ entries: [JournalEntry]) -> Bool {
    entries.contains { $0.kind == .question }
  }

  /// - Returns: how many files could not be removed.
  private func removeEarlier(than entries: [JournalEntry]) throws -> Int {
    let left = try JournalExportFolder.removeEarlier(
      in: output, keeping: Set(entries.flatMap(\.media).map(\.name)),
      hasQuestions: hasQuestions(entries))
    for path in left { Console.error("\(path): left of an earlier export; remove it") }
    return left.count
  }

  /// - Returns: how many could not be copied.
  /// - Throws: `FileError` where the others could not be written either.
  private func copyMedia(of entries: [JournalEntry], in journal: Journal) throws -> Int {
    var failed = 0
    for media in Set(entries.flatMap(\.media)).sorted(by: { $0.name < $1.name }) {
      let target = output + "/" + media.path
      guard !Directory.exists(target) else { continue }
      do {
        let bytes = try journal.bytes(of: media)
        try Directory.createAll(String(FileAccess.folder(of: target).dropLast()))
        try FileAccess.write(bytes, to: target)
      } catch let error as FileError where error.endsWriting {
        throw error
      } catch {
        failed += 1
        Console.error(ExitStatus.line(error, about: nil))
      }
    }
    return failed
  }
}
