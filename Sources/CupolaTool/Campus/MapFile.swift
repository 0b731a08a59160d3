import Cupola

/// Reads a map of the grounds, naming the file when something is wrong with it.
enum MapFile {
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let error: CampusError
    var description: String { "\(path): \(error)" }
  }

  static func campus(_ path: String) throws -> Campus {
    do {
      return try Campus(geoJSON: try bytes(path))
    } catch let error as CampusError {
      throw Failure(path: path, error: error)
    }
  }

  /// The bytes of a map that is not too large.
  ///
  /// - Throws: ``FileError``; ``CampusError/fileTooLarge(bytes:limit:)``.
  static func bytes(_ path: String) throws -> [UInt8] {
    do {
      return try FileAccess.read(path, limit: Campus.fileLimit)
    } catch FileError.tooLarge(let bytes, let limit) {
      throw CampusError.fileTooLarge(bytes: bytes, limit: limit)
    }
  }
}
