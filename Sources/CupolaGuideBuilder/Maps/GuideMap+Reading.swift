package import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Tell the kind of a map by its content.
// 2. Hand its elements to the reader of that kind one by one.
// 3. Stop where the map is damaged or too large.

extension GuideMap {
  static let mostBytes = 1 << 30

  /// Reads maps, and joins them where they share OpenStreetMap's nodes or, without nodes, places.
  ///
  /// What a map is shows its content: Overpass JSON has `elements`, GeoJSON is a `FeatureCollection` or `Feature`, an
  /// IMDF folder has a `manifest.json` or `venue.geojson`.
  ///
  /// - Throws: ``MapReadError`` for what makes a file unusable; all else is among ``faults``.
  package init(reading paths: [String]) throws(MapReadError) {
    self.init()
    for path in paths { try read(path) }
  }

  private mutating func read(_ path: String) throws(MapReadError) {
    guard let entries = try? Directory.entries(of: path) else {
      let bytes = try MapFile.bytes(of: path)
      return try read(bytes, path: path)
    }
    let names = Set(entries.map(\.name))
    guard names.contains("manifest.json") || names.contains("venue.geojson") else {
      throw .unknownFolder(path: path)
    }
    try IMDFReader.read(path, into: &self)
  }

  mutating func read(_ bytes: [UInt8], path: String) throws(MapReadError) {
    var overpass = OverpassReader(self)
    var geoJSON = GeoJSONMapReader()
    var isFull = false
    let members = try MapFile.members(bytes, path, lists: ["elements", "features"]) { list, value in
      if list == "elements" {
        overpass.read(value, into: &self)
      } else {
        geoJSON.read(value, into: &self)
      }
      isFull = !hasRoom || overpass.drafts > Self.mostPoints
      return !isFull
    }
    if members["elements"] != nil, !isFull {
      overpass.finish(remark: members["remark"]?.text, path: path, into: &self)
    } else if members["type"] == .string("Feature") {
      geoJSON.read(.object(members), into: &self)
    } else if members["features"] == nil, !isFull {
      throw .unknownKind(path: path)
    }
    guard !isFull, hasRoom else { throw tooMuch(of: path) }
  }

  var hasRoom: Bool {
    points.count <= Self.mostPoints && features.count <= Self.mostPoints
      && pointsOnFloors <= Self.mostPointsOnFloors && repeatedText <= Self.mostRepeatedText
  }

  func tooMuch(of path: String) -> MapReadError {
    if repeatedText > Self.mostRepeatedText {
      return .tooMuchText(path: path, limit: Self.mostRepeatedText)
    }
    return pointsOnFloors > Self.mostPointsOnFloors
      ? .tooManyFloors(path: path, limit: Self.mostPointsOnFloors)
      : .tooManyPoints(path: path, limit: Self.mostPoints)
  }
}

enum MapFile {
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
}

/// What makes a map unusable as a whole; anything less is a ``MapFault``.
package enum MapReadError: Error, Equatable, Sendable {
  case unreadable(FileError)
  case tooLarge(path: String, bytes: Int, limit: Int)
  case cutOff(path: String, line: Int, column: Int)
  case notJSON(path: String, JSONFault)
  case unknownKind(path: String)
  case unknownFolder(path: String)
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
  package var description: String { message }

  var message: String {
    if case .unreadable(let error) = self { return error.message }
    return "\(VisibleText.line(path)): \(problem)"
  }

  /// The same error for callers of the public interface.
  var guideError: GuideError {
    if case .unreadable(let error) = self {
      .file(error)
    } else {
      .badFile(path: path, problem: problem)
    }
  }

  private var path: String {
    switch self {
    case .unreadable: ""
    case .tooLarge(let path, _, _), .cutOff(let path, _, _), .notJSON(let path, _),
      .unknownKind(let path), .unknownFolder(let path), .tooManyPoints(let path, _),
      .tooManyFloors(let path, _), .tooMuchText(let path, _):
      path
    case .nothingUsable(let paths, _): paths.joined(separator: ", ")
    }
  }

  private var problem: String {
    switch self {
    case .unreadable(let error): error.message
    case .tooLarge(_, let bytes, let limit):
      "\(bytes) bytes, more than the \(limit >> 20) MB accepted; "
        + "cut a smaller piece out of the map"
    case .cutOff(_, let line, let column):
      "line \(line), column \(column): the file was cut off; "
        + "copy or download it again"
    case .notJSON(_, let fault):
      "no JSON: \(VisibleText.line(fault.message))"
    case .unknownKind:
      "no map: give Overpass JSON ([out:json]), GeoJSON, "
        + "or the folder of an indoor map"
    case .unknownFolder:
      "no indoor map: an IMDF folder has a manifest.json"
    case .tooManyPoints(_, let limit):
      "more than \(limit) points with the maps before it; "
        + "cut a smaller piece out of the map"
    case .tooManyFloors(_, let limit):
      "more than \(limit) points of rooms and ways, counted on each floor, "
        + "with the maps before it; correct level=* where it says floors that are not there, "
        + "or cut a smaller piece out of the map"
    case .tooMuchText(_, let limit):
      "more than \(limit >> 20) MB of tags, counted for each part and floor of a feature, "
        + "with the maps before it; shorten them, or draw features of fewer parts"
    case .nothingUsable(_, let faults):
      "no place and no way that a guide can use; "
        + (faults == 0
          ? "give a map with buildings or ways" : "mend what cupola guide check names in it")
    }
  }
}
