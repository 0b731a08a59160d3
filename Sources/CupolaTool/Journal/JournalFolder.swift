import ArgumentParser
import Cupola
import CupolaGuide

/// The journal that a command is about.
struct JournalFolder: ParsableArguments {
  @Argument(help: "The journal's folder.", completion: .directory)
  var journal: String

  /// Where the name of this folder's own device stands.
  private var nameFile: String { journal + "/" + Self.ownName }
  private static let ownName = "own-device"
  private static let mostBytes = 200

  /// Refuses a folder that is no journal's, such as one of photos.
  ///
  /// - Parameter isNew: whether a journal may begin there.
  static func check(_ folder: String, isNew: Bool = false) throws {
    if isNew, !Directory.exists(folder) { return }
    let names = try Directory.entries(of: folder).map(\.name)
    // Media are kept before the entry that has them; of a name that was cut off there is a part.
    let isBegun = isNew && names.allSatisfy { $0 == JournalMedia.folder }
    let isNamed = names.contains { $0.hasPrefix(ownName) }
    guard isBegun || isNamed || Journal.hasDevice(among: names) else {
      throw GuideError.badJournal(
        path: folder,
        problem: "no folder of a journal: it has no device-NAME.jsonl; name another folder")
    }
  }

  /// Opens it to be read; what is wrong there is told.
  func open() throws -> Journal { try open(device: nil) }

  /// Opens it; what is wrong there is told.
  ///
  /// - Parameters:
  ///   - device: who writes; by default who wrote here before.
  ///   - isNew: whether it may be missing.
  func open(device: String?, isNew: Bool = false) throws -> Journal {
    try Self.check(journal, isNew: isNew)
    let opened = try Journal(at: journal, device: device ?? own() ?? "reader")
    for finding in opened.findings { Console.note(finding.message) }
    return opened
  }

  /// The name that this folder got when it was first written to.
  func own() -> String? {
    guard let bytes = try? FileAccess.read(nameFile, limit: Self.mostBytes) else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return JournalID.isDevice(name) ? name : nil
  }

  /// Writes that name.
  func name(_ device: String) throws {
    // Its mode goes over to what replaces it. Another process may make it at the same time.
    try? FileAccess.createPrivate(nameFile)
    try FileAccess.write(Array((device + "\n").utf8), to: nameFile)
  }
}
