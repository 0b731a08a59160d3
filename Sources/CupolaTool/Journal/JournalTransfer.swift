import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaJournal
import CupolaTraining

// 1. Merge other journals, or import GeoJSON.
// 2. Copy confirmed photos to a folder of training photos.

struct JournalMergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge other journals into this one.",
    discussion: """
      After two journals have been merged in both directions, they have the same entries, even if entries were changed \
      or deleted in the meantime. Merging again changes nothing.

      EXAMPLE
        cupola journal merge visit phone-backup tablet-backup
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "Folders of the other journals, which are not changed.", completion: .directory)
  var others: [String]

  func run() async throws {
    // Check all folders first, so that no journal is created if one is misspelled.
    for other in others {
      if Directory.exists(other), !Directory.isDirectory(other) {
        throw GuideError.badFile(path: other, problem: "not a journal folder")
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
    abstract: "Import a journal export or any GeoJSON points.",
    discussion: """
      The points of other GeoJSON files become notes. Photos and voice recordings are read from the file's folder. \
      Existing entries are not changed.

      EXAMPLE
        cupola journal import visit pages/journal.geojson
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "GeoJSON file to import.", completion: .file(extensions: ["geojson", "json"]))
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
      line: "\(Format.entries(result.entries)) added, \(result.known) already present, "
        + "\(FigureText.count(result.media, "file")) copied")
    if result.entries == 0, result.known == 0, !result.findings.isEmpty {
      throw ExitStatus.badData
    }
  }
}

struct JournalPhotos: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos",
    abstract: "Copy photos with confirmed labels for use in training.",
    discussion: """
      Writes OUTPUT/LABEL/journal-DIGEST.jpg for each photo. Existing files are kept. Confirm labels with cupola \
      journal confirm.

      EXAMPLES
        cupola journal photos visit -o photos
        cupola train photos -o campus.safetensors
      """)

  @OptionGroup var visit: JournalFolder

  @Option(name: .shortAndLong, help: "Folder of training photos.", completion: .directory)
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
        + "\(choice.photos.count - copied - failed) already present, \(choice.unconfirmed) without a "
        + "confirmed label"
        + (choice.contradicted > 0 ? ", \(choice.contradicted) with two confirmed labels" : ""))
    if failed > 0 { throw ExitStatus.someFailed }
  }

  private func copy(_ photo: JournalTraining.Photo, of journal: Journal) throws -> Bool {
    guard Labels.isFolderName(photo.label) else {
      // For example `way/101`. If the folder has the building's name, training matches it to the map.
      throw GuideError.badFile(
        path: visit.journal,
        problem:
          "\"\(photo.label)\" cannot be a folder name; confirm the building's name on the map instead: "
          + "cupola journal confirm \(visit.journal) \(photo.entry) NAME")
    }
    // Training rejects all photos if a folder's name is reserved.
    guard !Trainer.ownLabels.contains(photo.label) else {
      throw GuideError.badFile(
        path: visit.journal,
        problem: "the label \"\(photo.label)\" is reserved by Cupola; confirm another label: "
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
