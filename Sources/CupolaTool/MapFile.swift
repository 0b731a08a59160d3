import Cupola

/// Reads a map of the grounds, naming the file when something is wrong with it.
enum MapFile {
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let error: CupolaError
    var description: String { "\(path): \(error.message)" }
  }

  static func campus(_ path: String) throws -> Campus {
    try named(path) { () throws(CupolaError) in try Campus(geoJSON: try bytes(path)) }
  }

  /// The bytes of a map that is not too large.
  static func bytes(_ path: String) throws(CupolaError) -> [UInt8] {
    do throws(CupolaError) {
      return try FileAccess.read(path, limit: Campus.fileLimit)
    } catch .fileTooLarge(let bytes, let limit) {
      throw .badCampus(.fileTooLarge(bytes: bytes, limit: limit))
    }
  }

  private static func named<Result>(
    _ path: String, _ body: () throws(CupolaError) -> Result
  ) throws -> Result {
    do throws(CupolaError) {
      return try body()
    } catch .badCampus(let fault) {
      throw Failure(path: path, error: .badCampus(fault))
    }
  }
}
