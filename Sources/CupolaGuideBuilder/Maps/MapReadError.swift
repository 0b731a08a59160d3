package import CupolaCampus
internal import CupolaSupport

/// What makes a map unusable as a whole; anything less is a ``MapFault``.
package enum MapReadError: Error, Equatable, Sendable {
  /// A file or folder that cannot be opened or read.
  case unreadable(FileError)
  /// A file of more bytes than are accepted.
  case tooLarge(path: String, bytes: Int, limit: Int)
  /// A file that ends in the middle of a value.
  case cutOff(path: String, line: Int, column: Int)
  case notJSON(path: String, JSONFault)
  /// JSON that is no map of a known kind.
  case unknownKind(path: String)
  /// A folder without a map of a known kind.
  case unknownFolder(path: String)
  /// More points or features than all maps together may have.
  case tooManyPoints(path: String, limit: Int)
  /// More points of features on floors, counted on each floor, than all maps together may have.
  case tooManyFloors(path: String, limit: Int)
  /// More bytes of identifiers and tags, counted for each further part and floor of features, than all maps together may
  /// have.
  case tooMuchText(path: String, limit: Int)
  /// No place and no way in all maps together, of which so many features could not be used.
  case nothingUsable(paths: [String], faults: Int)
}

extension MapReadError: CustomStringConvertible {
  /// The same as ``message``.
  package var description: String { message }

  /// One line for people: the file, what is wrong and what to do.
  var message: String {
    switch self {
    case .unreadable(let error): error.message
    case .tooLarge(let path, let bytes, let limit):
      "\(VisibleText.line(path)): \(bytes) bytes, more than the \(limit >> 20) MB accepted; "
        + "cut a smaller piece out of the map"
    case .cutOff(let path, let line, let column):
      "\(VisibleText.line(path)): line \(line), column \(column): the file was cut off; "
        + "copy or download it again"
    case .notJSON(let path, let fault):
      "\(VisibleText.line(path)): no JSON: \(VisibleText.line(fault.message))"
    case .unknownKind(let path):
      "\(VisibleText.line(path)): no map: give Overpass JSON ([out:json]), GeoJSON, "
        + "or the folder of an indoor map"
    case .unknownFolder(let path):
      "\(VisibleText.line(path)): no indoor map: an IMDF folder has a manifest.json, "
        + "a WRLD folder a main.json with \"levels\""
    case .tooManyPoints(let path, let limit):
      "\(VisibleText.line(path)): more than \(limit) points with the maps before it; "
        + "cut a smaller piece out of the map"
    case .tooManyFloors(let path, let limit):
      "\(VisibleText.line(path)): more than \(limit) points of rooms and ways, counted on each floor, "
        + "with the maps before it; correct level=* where it says floors that are not there, "
        + "or cut a smaller piece out of the map"
    case .tooMuchText(let path, let limit):
      "\(VisibleText.line(path)): more than \(limit >> 20) MB of tags, counted for each part and floor of a feature, "
        + "with the maps before it; shorten them, or draw features of fewer parts"
    case .nothingUsable(let paths, let faults):
      "\(VisibleText.line(paths.joined(separator: ", "))): no place and no way that a guide can use; "
        + (faults == 0
          ? "give a map with buildings or ways" : "mend what cupola guide check names in it")
    }
  }
}
