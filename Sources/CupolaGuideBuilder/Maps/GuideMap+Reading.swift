internal import CupolaSupport

extension GuideMap {
  /// How many bytes of a file are read.
  static let mostBytes = 1 << 30

  /// Reads maps, and joins them where they share OpenStreetMap's nodes or, without nodes, places.
  ///
  /// What a map is shows its content: Overpass JSON has `elements`, GeoJSON is a `FeatureCollection` or `Feature`, an
  /// IMDF folder has a `manifest.json` or `venue.geojson`, a WRLD folder a `main.json`.
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
    if names.contains("manifest.json") || names.contains("venue.geojson") {
      try IMDFReader.read(path, into: &self)
    } else if names.contains("main.json") {
      try WRLDReader.read(path, into: &self)
    } else {
      throw .unknownFolder(path: path)
    }
  }

  /// Reads the text of one map.
  ///
  /// - Parameter path: what messages call it.
  /// - Throws: ``MapReadError``; the map may then hold a part of the text.
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

  /// Whether there may be more points, features and text.
  var hasRoom: Bool {
    points.count <= Self.mostPoints && features.count <= Self.mostPoints
      && pointsOnFloors <= Self.mostPointsOnFloors && repeatedText <= Self.mostRepeatedText
  }

  /// What a map has too much of with which there is no room.
  func tooMuch(of path: String) -> MapReadError {
    if repeatedText > Self.mostRepeatedText {
      return .tooMuchText(path: path, limit: Self.mostRepeatedText)
    }
    return pointsOnFloors > Self.mostPointsOnFloors
      ? .tooManyFloors(path: path, limit: Self.mostPointsOnFloors)
      : .tooManyPoints(path: path, limit: Self.mostPoints)
  }
}
