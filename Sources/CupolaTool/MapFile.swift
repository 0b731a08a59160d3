import Cupola

/// Reads a map of the grounds, naming the file when something is wrong with it.
enum MapFile {
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let error: CupolaError
    var description: String { "\(path): \(error.message)" }
  }

  static func campus(_ path: String) throws -> Campus {
    let bytes = try FileAccess.read(path, limit: 256 << 20)
    do {
      return try Campus(geoJSON: bytes)
    } catch let error as CupolaError {
      throw Failure(path: path, error: error)
    }
  }
}
