internal import CupolaSupport

/// Reads the folder of an indoor map in WRLD's format: `main.json` names floors and their files, `*-paths.geojson` and
/// `main-paths.json` hold the ways; all becomes OpenStreetMap's indoor tags.
///
/// <https://github.com/wrld3d/wrld-indoor-maps-api/blob/master/FORMAT.md>
struct WRLDReader {
  /// A floor as `main.json` names it.
  struct Floor {
    /// Its place in the stack, which is what `levels` of stairs mean and what `level` becomes.
    let order: Int
    let tags: [String: String]
    let file: String
  }

  let building: String
  let name: String?
  var hasOutline = false
  var ids = FeatureIDs()

  /// Reads a folder into a map.
  ///
  /// - Throws: ``MapReadError`` for `main.json` and for files that are there and no JSON; a missing one is a fault.
  static func read(_ folder: String, into map: inout GuideMap) throws(MapReadError) {
    let path = folder + "/main.json"
    let main = try MapFile.object(path)
    guard let levels = main["levels"]?.elements else { throw .unknownFolder(path: folder) }
    var reader = WRLDReader(
      building: main["id"]?.tag ?? "building", name: main["name"]?.tag)
    var files: Set<String> = []
    for (index, value) in levels.prefix(500).enumerated() {
      guard let floor = floor(value) else {
        let fault = "no \"z_order\" and \"filename\"; add them"
        map.add(MapFault("main.json, level \(index + 1)", fault))
        continue
      }
      guard files.insert(floor.file).inserted else {
        map.add(
          MapFault("main.json, level \(index + 1)", "its file is another level's, too; remove one"))
        continue
      }
      try reader.read(floor, folder, into: &map)
      guard map.hasRoom else { throw map.tooMuch(of: folder) }
    }
    guard let ways = try file("main-paths.json", of: folder) else { return }
    let features = try WRLDReader.features(ways, folder + "/main-paths.json")
    for feature in features { reader.addConnection(feature, to: &map) }
    guard map.hasRoom else { throw map.tooMuch(of: folder) }
  }

  private static func floor(_ value: JSONValue) -> Floor? {
    guard let members = value.members, case .integer(let order) = members["z_order"],
      order.magnitude <= 1_000, let file = members["filename"]?.tag,
      !file.contains("/"), !file.contains("\0")
    else { return nil }
    var tags = ["level": String(order)]
    tags["level:ref"] = members["name"]?.tag
    return Floor(order: order, tags: tags, file: file)
  }

  private mutating func read(
    _ floor: Floor, _ folder: String, into map: inout GuideMap
  ) throws(MapReadError) {
    if let bytes = try Self.file(floor.file, of: folder) {
      let features = try Self.features(bytes, folder + "/" + floor.file)
      for feature in features { addSpace(feature, floor, to: &map) }
    } else {
      map.add(
        MapFault(VisibleText.line(floor.file), "main.json names it, but it is missing; add it"))
    }
    let paths = floor.file.replacingSuffix(".geojson", by: "-paths.geojson")
    guard let bytes = try Self.file(paths, of: folder) else { return }
    addPaths(try Self.features(bytes, folder + "/" + paths), floor, to: &map)
  }

  /// A file's bytes; `nil` when there is none.
  private static func file(_ name: String, of folder: String) throws(MapReadError) -> [UInt8]? {
    guard (try? FileAccess.size(of: folder + "/" + name)) != nil else { return nil }
    return try MapFile.bytes(of: folder + "/" + name)
  }

  private static func features(
    _ bytes: [UInt8], _ path: String
  ) throws(MapReadError) -> [[String: JSONValue]] {
    var features: [[String: JSONValue]] = []
    var isFull = false
    let members = try MapFile.members(bytes, path, lists: ["features"]) { _, value in
      if let feature = value.members { features.append(feature) }
      isFull = features.count > GuideMap.mostPoints
      return !isFull
    }
    guard !isFull else { throw .tooManyPoints(path: path, limit: GuideMap.mostPoints) }
    guard members["features"] != nil else { throw .unknownKind(path: path) }
    return features
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, by other: String) -> String {
    (hasSuffix(suffix) ? String(dropLast(suffix.count)) : self) + other
  }
}
