package import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Detect a map's format from its content, and pass its elements to the corresponding reader.
// 2. Stop if the map is damaged or too large.

extension GuideMap {
  static let mostBytes = 1 << 30

  /// Reads maps and connects them at shared OpenStreetMap nodes or, if there are no nodes, at equal positions.
  ///
  /// The format is detected from the content: Overpass JSON has `elements`, GeoJSON is a `FeatureCollection`, a
  /// `Feature`, or a sequence or array of features, and an IMDF folder or zip contains a `manifest.json` or
  /// `venue.geojson`.
  /// - Throws: ``MapReadError`` if a file is unusable. Lesser problems are added to ``faults``.
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
    try IMDFReader.read(.folder(path), into: &self)
  }

  mutating func read(_ bytes: [UInt8], path: String) throws(MapReadError) {
    // A text that starts with a brace is JSON; its format is determined from its members.
    guard bytes.first != UInt8(ascii: "{") else { return try readJSON(bytes, path: path) }
    switch MapFormat(firstBytes: bytes) {
    case nil: try readJSON(bytes, path: path)
    case .featureSequence: try readJSON(MapFormat.featureCollection(of: bytes), path: path)
    case .zippedIMDF: try IMDFReader.read(try IMDFSource(zip: bytes, path: path), into: &self)
    case .some(let format): throw .otherFormat(path: path, format)
    }
  }

  private mutating func readJSON(_ bytes: [UInt8], path: String) throws(MapReadError) {
    let known = features.count
    do throws(MapReadError) {
      try readObject(bytes, path: path)
    } catch {
      guard case .notJSON = error, features.count == known,
        MapFormat(firstBytes: bytes) == .featureSequence
      else { throw error }
      try readObject(MapFormat.featureCollection(of: bytes), path: path)
    }
  }

  private mutating func readObject(_ bytes: [UInt8], path: String) throws(MapReadError) {
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
    if let format = MapFormat(members: members) { throw .otherFormat(path: path, format) }
    if members["elements"] != nil, !isFull {
      overpass.finish(remark: members["remark"]?.text, path: path, into: &self)
    } else if members["type"] == .string("Feature") {
      geoJSON.read(.object(members), into: &self)
    } else if members["features"] == nil, !isFull {
      throw .unknownKind(path: path)
    }
    guard !isFull, hasRoom else { throw tooMuch(of: path) }
    try geoJSON.finish(members["crs"], path: path, into: &self)
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

  /// Returns the members of a JSON object. The elements of the given lists are passed to the reader one at a time.
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

/// An error that makes a map unusable; lesser problems are ``MapFault`` values.
package enum MapReadError: Error, Equatable, Sendable {
  case unreadable(FileError)
  case tooLarge(path: String, bytes: Int, limit: Int)
  case cutOff(path: String, line: Int, column: Int)
  case notJSON(path: String, JSONFault)
  case unknownKind(path: String)
  case unknownFolder(path: String)
  case otherFormat(path: String, MapFormat)
  /// Coordinates in meters or feet; the name of the reference system is `nil` if the map does not contain it.
  case projected(path: String, String?, example: [Double])
  /// An IMDF archive that cannot be unpacked.
  case badZip(path: String, problem: String)
  case tooManyPoints(path: String, limit: Int)
  /// The features on floors have too many points, counted once per floor, in all maps together.
  case tooManyFloors(path: String, limit: Int)
  /// Identifiers and tags have too many bytes, counted once for each additional part and floor, in all maps together.
  case tooMuchText(path: String, limit: Int)
  /// The maps contain no places and no paths; `faults` is the number of unusable features.
  case nothingUsable(paths: [String], faults: Int)
}

extension MapReadError: CustomStringConvertible {
  package var description: String { message }

  var message: String {
    if case .unreadable(let error) = self { return error.message }
    return "\(VisibleText.line(path)): \(problem)"
  }

  /// The same error as a public type.
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
      .unknownKind(let path), .unknownFolder(let path), .otherFormat(let path, _),
      .projected(let path, _, _), .badZip(let path, _), .tooManyPoints(let path, _),
      .tooManyFloors(let path, _), .tooMuchText(let path, _):
      path
    case .nothingUsable(let paths, _): paths.joined(separator: ", ")
    }
  }

  private var problem: String {
    switch self {
    case .unreadable(let error): error.message
    case .tooLarge(_, let bytes, let limit):
      "\(bytes) bytes exceed the limit of \(limit >> 20) MB; use a smaller extract"
    case .cutOff(_, let line, let column):
      "line \(line), column \(column): truncated file; copy or download it again"
    case .notJSON(let path, _) where path.lowercased().hasSuffix(".csv"):
      "a table, not a map; a guide requires GeoJSON, OpenStreetMap (Overpass JSON) or IMDF, and cupola train --campus "
        + "accepts a table of buildings"
    case .notJSON(_, let fault):
      "not valid JSON: \(VisibleText.line(fault.message))"
    case .unknownKind:
      "not a map; use Overpass JSON ([out:json]), GeoJSON, or an IMDF folder or zip"
    case .unknownFolder:
      "not an IMDF folder (missing manifest.json); choose the folder of an indoor map"
    case .otherFormat(_, let format): format.problem
    case .projected(_, let name, let example):
      ReferenceSystem.problem(name.map { VisibleText.line($0) }, example: example)
    case .badZip(_, let problem): VisibleText.line(problem)
    case .tooManyPoints(_, let limit):
      "more than \(limit) points including the previous maps; use a smaller extract"
    case .tooManyFloors(_, let limit):
      "more than \(limit) points of rooms and paths, counted per floor, "
        + "including the previous maps; correct level=* tags with nonexistent floors, "
        + "or use a smaller extract"
    case .tooMuchText(_, let limit):
      "more than \(limit >> 20) MB of tags, counted per part and floor of a feature, "
        + "including the previous maps; shorten the tags, or draw features with fewer parts"
    case .nothingUsable(_, let faults):
      "no usable places or paths; "
        + (faults == 0
          ? "use a map with buildings or paths" : "fix what cupola guide check reports")
    }
  }
}
