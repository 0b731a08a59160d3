import ArgumentParser
import Cupola
import CupolaTraining

/// Turns what people name into photos: files, folders, `-` for a photo or paths on stdin.
enum PhotoArguments {
  /// - Parameter limit: bytes that are accepted on stdin.
  /// - Throws: ``TrainingError/noPhotos(path:)`` for a folder without photos.
  static func photos(_ arguments: [String], limit: Int) throws -> [PhotoInput] {
    try arguments.flatMap { argument in
      if argument == "-" { return StandardInput.photos(limit: limit) }
      if BrokenWords.all.contains(argument) {
        return [PhotoInput(argument, .failure(.nameNotUTF8(path: argument)))]
      }
      guard Directory.isDirectory(argument) else { return [PhotoInput(argument)] }
      let found = photos(in: argument)
      guard !found.isEmpty else { throw TrainingError.noPhotos(path: argument) }
      return found
    }
  }

  /// Refuses paths without a character, which variables leave that are not set.
  ///
  /// - Throws: `ValidationError`.
  static func checkPaths(_ paths: [String?]) throws {
    guard paths.contains("") else { return }
    throw ValidationError("A path is empty; is a variable of the shell not set?")
  }

  /// All photos below a folder, and what keeps others from being seen.
  private static func photos(in folder: String) -> [PhotoInput] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    let entries: [Directory.Entry]
    do throws(FileError) { entries = try Directory.entries(of: folder) } catch {
      return [PhotoInput(folder, .failure(error))]
    }
    return FolderWalk.steps(in: folder, entries: entries).compactMap { step in
      let photo = PhotoInput(base + step.name)
      // A folder may be called so, too: nothing tells what is in it.
      if step.kind == .notUTF8 {
        return PhotoInput(photo.name, .failure(.nameNotUTF8(path: photo.name)))
      }
      if PhotoSet.looksLikePhoto(String(step.lastName)) { return photo }
      guard case .unreadable(let error) = step.kind else { return nil }
      return PhotoInput(photo.name, .failure(error))
    }
  }
}
