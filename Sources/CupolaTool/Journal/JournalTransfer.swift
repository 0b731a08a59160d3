import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaJournal
import CupolaTraining

// 1. Merge other journals, or import GeoJSON.
// 2. Copy confirmed photos to folders of training photos.

struct JournalMergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Takes in what other journals have; merging again changes nothing.",
    discussion: """
      Both have the same entries when each took in the other, whatever was changed or deleted meanwhile.

      EXAMPLE
        cupola journal merge visit phone-backup tablet-backup
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "The other journals' folders, which stay as they are.", completion: .directory)
  var others: [String]

  func run() async throws {
    // All of them before the journal is opened: a misspelled name begins none.
    for other in others {
      if Directory.exists(other), !Directory.isDirectory(other) {
        throw GuideError.badFile(path: other, problem: "no folder of a journal")
      }
      try JournalFolder.check(other)
    }
    var journal = try options.openForWriting(isNew: true)
    for other in others {
      let merge = try journal.merge(from: other)
      for finding in merge.findings { Console.note("\(other): \(finding.message)") }
      Console.print(
        line: "\(other): \(Format.entries(merge.entries)) changed, "
          + "\(FigureText.count(merge.media, "file")) copied")
    }
  }
}

struct JournalImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Takes in an export of a journal, or the points of any GeoJSON file as notes.",
    discussion: """
      Photos and voice files come from the folder of the file. What is there already is left as it is.

      EXAMPLE
        cupola journal import visit pages/journal.geojson
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "The file.", completion: .file(extensions: ["geojson", "json"]))
  var file: String

  func run() async throws {
    let bytes = try FileAccess.read(file, limit: 256 << 20)
    var journal = try options.openForWriting(isNew: true)
    let folder = FileAccess.folder(of: file)
    let result = try options.naming(file) {
      try journal.importGeoJSON(bytes, mediaIn: folder)
    }
    for finding in result.findings { Console.note("\(file): \(finding.message)") }
    Console.print(
      line: "\(Format.entries(result.entries)) added, \(result.known) known, "
        + "\(FigureText.count(result.media, "file")) copied")
    if result.entries == 0, result.known == 0, !result.findings.isEmpty {
      throw ExitStatus.badData
    }
  }
}

struct JournalPhotos: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos",
    abstract: "Copies photos whose label the visitor confirmed to folders of training photos.",
    discussion: """
      Each goes to OUTPUT/LABEL/journal-DIGEST.jpg; those that are there stay. cupola journal confirm \
      confirms a label.

      EXAMPLES
        cupola journal photos visit -o photos
        cupola train photos -o campus.safetensors
      """)

  @OptionGroup var visit: JournalFolder

  @Option(name: .shortAndLong, help: "The folder of training photos.", completion: .directory)
  var output: String

  func run() async throws {
    let journal = try visit.open()
    let choice = JournalTraining.choice(of: journal.entries)
    try Directory.checkCreation(of: output)
    var (copied, failed) = (0, 0)
    for photo in choice.photos {
      do {
        if try copy(photo, of: journal) { copied += 1 }
      } catch let error as FileError where error.endsWriting {
        throw error
      } catch {
        failed += 1
        Console.error(ExitStatus.line(error, about: photo.entry.description))
      }
    }
    Console.print(
      line: "\(FigureText.count(copied, "photo")) copied, "
        + "\(choice.photos.count - copied - failed) there already, \(choice.unconfirmed) without a "
        + "confirmed label" + (choice.contradicted > 0 ? ", \(choice.contradicted) with two" : "")
    )
    if failed > 0 { throw ExitStatus.someFailed }
  }

  private func copy(_ photo: JournalTraining.Photo, of journal: Journal) throws -> Bool {
    guard Labels.isFolderName(photo.label) else {
      // Such as `way/101` of a map: training joins a folder that is called as the building is.
      throw GuideError.badFile(
        path: visit.journal,
        problem: "\"\(photo.label)\" cannot be the name of a folder; confirm what the map calls "
          + "the building: cupola journal confirm \(visit.journal) \(photo.entry) NAME")
    }
    // One folder called so, and training would refuse all of them.
    guard !Trainer.ownLabels.contains(photo.label) else {
      throw GuideError.badFile(
        path: visit.journal,
        problem: "Cupola keeps the label \"\(photo.label)\" for itself; confirm another one: "
          + "cupola journal confirm \(visit.journal) \(photo.entry) LABEL")
    }
    let folder = output + "/" + photo.label
    let file =
      folder + "/journal-\(photo.media.digest.prefix(16)).\(photo.media.fileExtension)"
    guard !Directory.exists(file) else { return false }
    let bytes = try journal.bytes(of: photo.media)
    try Directory.createAll(folder)
    try FileAccess.write(bytes, to: file)
    return true
  }
}
