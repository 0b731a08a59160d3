import Cupola
import CupolaTraining

/// Turns what people name into photo files: files, folders, `-` for paths on stdin.
enum PhotoArguments {
  /// - Throws: ``FileError/cannotRead(path:code:)`` for a folder, ``TrainingError/noPhotos(path:)``
  ///   for one without photos.
  static func paths(_ arguments: [String]) throws -> [String] {
    try arguments.flatMap { argument in
      if argument == "-" { return linesOfStandardInput() }
      guard Directory.isDirectory(argument) else { return [argument] }
      let found = try photos(in: argument)
      guard !found.isEmpty else { throw TrainingError.noPhotos(path: argument) }
      return found
    }
  }

  private static func photos(in folder: String) throws -> [String] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return try Directory.entries(of: folder).flatMap { entry in
      let path = base + entry.name
      if entry.isDirectory { return try photos(in: path) }
      return PhotoSet.looksLikePhoto(entry.name) ? [path] : []
    }
  }

  private static func linesOfStandardInput() -> [String] {
    var lines: [String] = []
    while let line = readLine() { if !line.isEmpty { lines.append(line) } }
    return lines
  }
}
