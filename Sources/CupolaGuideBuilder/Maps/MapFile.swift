internal import CupolaSupport

/// Files of maps, and what makes them unusable.
enum MapFile {
  /// All bytes of a file of at most ``GuideMap/mostBytes``.
  static func bytes(of path: String) throws(MapReadError) -> [UInt8] {
    do throws(FileError) {
      return try FileAccess.read(path, limit: GuideMap.mostBytes)
    } catch {
      if case .tooLarge(let bytes, let limit) = error {
        throw .tooLarge(path: path, bytes: bytes, limit: limit)
      }
      throw .unreadable(error)
    }
  }

  /// The members of the object that a text is; elements of some lists are handed out one by one.
  static func members(
    _ bytes: [UInt8], _ path: String, lists: Set<String>,
    element: (String, JSONValue) -> Bool
  ) throws(MapReadError) -> [String: JSONValue] {
    do throws(JSONFault) {
      let members = try JSONReader.members(of: bytes, lists: lists, element: element)
      if let members { return members }
    } catch {
      if error.kind == .endsEarly {
        throw .cutOff(path: path, line: error.line, column: error.column)
      }
      throw .notJSON(path: path, error)
    }
    throw .unknownKind(path: path)
  }

  /// The members of an object that is small.
  static func object(_ path: String) throws(MapReadError) -> [String: JSONValue] {
    try members(bytes(of: path), path, lists: []) { _, _ in true }
  }
}
