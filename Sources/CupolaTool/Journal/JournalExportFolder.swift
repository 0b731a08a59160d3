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

  /// Refuses a folder in which others keep what is theirs: neither empty nor filled before.
  static func check(_ path: String) throws {
    guard Directory.isDirectory(path) else { return }
    // Media are written before the file by which an export is known.
    let isBegun = try Directory.entries(of: path).allSatisfy { $0.name == JournalMedia.folder }
    guard isBegun || isMarked(path) else { throw InTheWay(path: path) }
  }

  private static func isMarked(_ path: String) -> Bool {
    guard let bytes = try? FileAccess.read(path + "/journal.geojson"),
      // Only what is handed out one by one may be long.
      let members = try? JSONReader.members(
        of: bytes, lists: ["features"], element: { _, _ in true })
    else { return false }
    return members["format"]?.text?.hasPrefix("cupola.journal.export/") ?? false
  }
}
