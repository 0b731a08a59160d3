import Cupola
import CupolaGuide

/// The folder that `cupola journal export` fills, and fills anew where it did so before.
enum JournalExportFolder {
  /// Something else is there.
  struct InTheWay: Error, CustomStringConvertible {
    let path: String

    var description: String {
      "\(VisibleText.line(path)): something else than an export of a journal is in it; name another folder"
    }
  }

  /// The file by which an export is known.
  static let table = "journal.geojson"
  /// There only where there are questions.
  static let questions = "questions.json"

  /// Refuses a folder in which others keep what is theirs: neither empty nor filled before.
  ///
  /// - Returns: whether an export is there, if only a part of one.
  static func check(_ path: String) throws -> Bool {
    guard Directory.isDirectory(path) else { return false }
    let names = try Directory.entries(of: path).map(\.name)
    if isMarked(path) { return true }
    // Media are written before the file by which an export is known; of one that was cut off there is a part.
    guard names.allSatisfy({ $0 == JournalMedia.folder || FileAccess.isPart($0, of: table) }) else {
      throw InTheWay(path: path)
    }
    return names.contains { $0 != JournalMedia.folder }
  }

  /// Removes what an earlier export had and this one has not: questions, media of other entries, and what a killed run of
  /// an earlier version left beside the table.
  ///
  /// What no export writes stays, and folders behind links are not looked into.
  ///
  /// - Parameter media: the names of what stays.
  /// - Returns: the paths of what could not be removed.
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

  /// Whether it is what an export writes there, or a part of that.
  private static func isMedia(_ name: String, in folder: String) -> Bool {
    let pieces = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count > 1,
      let media = JournalMedia(digest: String(pieces[0]), fileExtension: String(pieces[1]))
    else { return false }
    return isOwn(name, media.name)
      && media.path == JournalMedia.folder + "/" + folder + "/" + media.name
  }

  /// Whether a name is that of a file, or of what a killed run left of it.
  private static func isOwn(_ name: String, _ file: String) -> Bool {
    name == file || FileAccess.isPart(name, of: file)
  }

  private static func isMarked(_ path: String) -> Bool {
    FolderUpdate.places(of: table, in: path).contains { file in
      guard let bytes = try? FileAccess.read(file),
        // Only what is handed out one by one may be long.
        let members = try? JSONReader.members(
          of: bytes, lists: ["features"], element: { _, _ in true })
      else { return false }
      return members["format"]?.text?.hasPrefix("cupola.journal.export/") ?? false
    }
  }
}
