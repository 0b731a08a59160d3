import ArgumentParser
import Cupola

/// Keeps a command from writing over what it reads.
enum OutputFile {
  /// Refuses an output that is one of the files that a command reads, by whatever name.
  ///
  /// - Parameters:
  ///   - option: what the output is called.
  ///   - inputs: asked for only where the output is there: else it is nothing that is read.
  /// - Throws: `ValidationError`, and what asking for the inputs does.
  static func check(
    _ output: String?, as option: String = "--output",
    isNoneOf inputs: @autoclosure () throws -> [String?]
  ) throws {
    guard let output, let own = Directory.Identity(of: output) else { return }
    for input in try inputs().compactMap(\.self) where Directory.Identity(of: input) == own {
      throw ValidationError("\(option) is \(input) itself; name another file.")
    }
  }

  /// Refuses stdout, which others write to by this name.
  ///
  /// - Parameters:
  ///   - option: what the output is called.
  ///   - kind: what is written, in the plural.
  /// - Throws: `ValidationError`.
  static func checkIsNoStream(
    _ output: String?, as option: String = "--output", for kind: String
  ) throws {
    guard output == "-" else { return }
    throw ValidationError("\(option) must be a file, not -: \(kind) are not written to stdout.")
  }

  /// Whether two outputs are one file, by whatever names, also before it is there.
  static func areOne(_ output: String, _ other: String) -> Bool {
    if output == other || FileAccess.isSameFile(output, other) { return true }
    let names = [output, other].map { $0.split(separator: "/").last }
    return names[0] == names[1]
      && FileAccess.isSameFile(FileAccess.folder(of: output), FileAccess.folder(of: other))
  }

  /// The tables that divide photos: the one that is named, or those of their folders.
  static func tables(_ split: String?, in folders: [String?]) -> [String?] {
    [split] + folders.map { folder in folder.map { $0 + "/split.csv" } }
  }

  /// All files of a folder; none where it cannot be read.
  static func files(in folder: String?) -> [String?] {
    guard let folder else { return [] }
    return ((try? Directory.entries(of: folder)) ?? []).map { folder + "/" + $0.name }
  }
}
