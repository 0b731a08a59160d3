import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaJournal

// 1. Reject an existing folder that is not an export.
// 2. Write the media, then the tables and the page.
// 3. Remove other files from an earlier export.

struct JournalExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a journal as GeoJSON, Markdown and HTML.",
    discussion: """
      Writes journal.geojson, journal.md, index.html, the photos and voice recordings and, if there are questions, \
      questions.json. The HTML page shows a map, loads nothing from other servers, and has no scripts. An earlier \
      export is replaced. A folder with other files is rejected.

      EXAMPLES
        cupola journal export visit -o pages --guide campus.guide
        cupola journal export visit -o pages --kind note --since 2026-11-01
      """)

  @OptionGroup var folder: JournalFolder
  @OptionGroup var filter: JournalQueryOptions

  @Option(
    name: .shortAndLong, help: "Folder to write; created if it is missing.",
    completion: .directory)
  var output: String

  @Option(help: "Guide with the page's map, names and time zone.", completion: .directory)
  var guide: String?

  @Option(help: "Title of the page.")
  var title = "Journal"

  func run() async throws {
    let journal = try folder.open()
    let guide = try guide.map { try Guide(contentsOf: $0) }
    let entries = journal.entries(matching: filter.query)
    let isAgain = try JournalExportFolder.check(output)
    try Directory.createAll(output)
    var failed = try copyMedia(of: entries, in: journal)
    try FileAccess.write(files(of: entries, guide), in: output)
    if isAgain { failed += try removeEarlier(than: entries) }
    Console.note("\(output): \(Format.entries(entries.count))")
    if failed > 0 { throw ExitStatus.someFailed }
  }

  /// Returns the files to write. The first file identifies the folder as an export, even if the export is interrupted.
  private func files(
    of entries: [JournalEntry], _ guide: Guide?
  ) -> [FileAccess.NewFile] {
    let names = guide?.journalNames ?? JournalNames(timeZone: LocalTime.deviceTimeZone)
    let page =
      guide?.page(of: entries, title: title)
      ?? JournalPage.html(of: entries, title: title, names: names)
    var files = [
      FileAccess.NewFile(JournalExportFolder.table, JournalGeoJSON.bytes(of: entries)),
      FileAccess.NewFile(
        JournalExportFolder.text,
        Array(JournalMarkdown.text(of: entries, title: title, names: names).utf8)),
      FileAccess.NewFile(JournalExportFolder.page, Array(page.utf8)),
    ]
    if hasQuestions(entries) {
      files.append(
        FileAccess.NewFile(JournalExportFolder.questions, JournalQuestions.bytes(of: entries)))
    }
    return files
  }

  private func hasQuestions(_ entries: [JournalEntry]) -> Bool {
    entries.contains { $0.kind == .question }
  }

  private func removeEarlier(than entries: [JournalEntry]) throws -> Int {
    let left = try JournalExportFolder.removeEarlier(
      in: output, keeping: Set(entries.flatMap(\.media).map(\.name)),
      hasQuestions: hasQuestions(entries))
    for path in left {
      Console.error("\(path): this file of an earlier export cannot be removed; remove it yourself")
    }
    return left.count
  }

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

enum JournalExportFolder {
  struct NotAnExport: Error, CustomStringConvertible {
    let path: String

    var description: String {
      "\(VisibleText.line(path)): contains files that are not a journal export; choose another folder"
    }
  }

  static let table = "journal.geojson"
  static let text = "journal.md"
  static let page = "index.html"
  static let questions = "questions.json"
  private static let files = [table, text, page, questions]

  /// Checks that a folder is missing, empty, or an earlier export.
  ///
  /// - Returns: Whether the folder contains an export, even an incomplete one.
  static func check(_ path: String) throws -> Bool {
    guard Directory.isDirectory(path) else { return false }
    let names = try Directory.entries(of: path).map(\.name)
    if isMarked(path) { return true }
    // An interrupted export contains media and possibly temporary files, but not the file that identifies exports.
    let isOurs = names.allSatisfy { name in
      name == JournalMedia.folder || files.contains { FileAccess.isPart(name, of: $0) }
    }
    guard isOurs else {
      throw NotAnExport(path: path)
    }
    return names.contains { $0 != JournalMedia.folder }
  }

  /// Removes an earlier export's questions, media and temporary files without following links.
  ///
  /// - Returns: The paths that could not be removed.
  static func removeEarlier(
    in path: String, keeping media: Set<String>, hasQuestions: Bool
  ) throws -> [String] {
    let found = try Directory.entries(of: path)
    var earlier = found.filter { file in
      file.kind == .file
        && (FileAccess.isPart(file.name, of: table)
          || !hasQuestions && isOwn(file.name, questions))
    }.map { path + "/" + $0.name }
    for folder in found where folder.name == JournalMedia.folder && isOwnFolder(folder) {
      earlier += try earlierMedia(in: path + "/" + folder.name, keeping: media)
    }
    for path in earlier { Directory.remove(path) }
    return earlier.filter { Directory.exists($0) }
  }

  private static func earlierMedia(
    in path: String, keeping media: Set<String>
  ) throws -> [String] {
    var earlier: [String] = []
    for folder in try Directory.entries(of: path) where isOwnFolder(folder) {
      for file in try Directory.entries(of: path + "/" + folder.name)
      where file.kind == .file && isMedia(file.name, in: folder.name) && !media.contains(file.name)
      {
        earlier.append(path + "/" + folder.name + "/" + file.name)
      }
    }
    return earlier
  }

  private static func isOwnFolder(_ entry: Directory.Entry) -> Bool {
    entry.isDirectory && !entry.isLink
  }

  private static func isMedia(_ name: String, in folder: String) -> Bool {
    let pieces = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count > 1,
      let media = JournalMedia(digest: String(pieces[0]), fileExtension: String(pieces[1]))
    else { return false }
    return isOwn(name, media.name)
      && media.path == JournalMedia.folder + "/" + folder + "/" + media.name
  }

  private static func isOwn(_ name: String, _ file: String) -> Bool {
    name == file || FileAccess.isPart(name, of: file)
  }

  private static func isMarked(_ path: String) -> Bool {
    guard let bytes = try? FileAccess.read("\(path)/\(table)"),
      // Skip the features one at a time, because their number can exceed the reader's limit.
      let members = try? JSONReader.members(
        of: bytes, lists: ["features"], element: { _, _ in true })
    else { return false }
    return members["format"]?.text?.hasPrefix("cupola.journal.export/") ?? false
  }
}
