import ArgumentParser
import Cupola

/// Keeps a command from writing over what it reads.
enum OutputFile {
  /// Refuses an output that is one of the files that a command reads, by whatever name.
  ///
  /// - Parameter option: what the output is called.
  /// - Throws: `ValidationError`.
  static func check(
    _ output: String?, as option: String = "--output", isNoneOf inputs: [String?]
  ) throws {
    // What is not there yet is nothing that was read; so most calls look at no input.
    guard let output, let own = Directory.Identity(of: output) else { return }
    for input in inputs.compactMap(\.self) where Directory.Identity(of: input) == own {
      throw ValidationError("\(option) is \(input) itself; name another file.")
    }
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
