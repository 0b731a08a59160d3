internal import CupolaSupport

/// Reads a folder in Apple's Indoor Mapping Data Format (OGC 20-094) into OpenStreetMap's indoor tags.
struct IMDFReader {
  /// The features of each file, in its order.
  private var collections: [String: [IMDFFeature]] = [:]
  /// Floors by the identifiers of levels.
  var ordinals: [String: Int] = [:]
  /// Units with a level.
  var units: [IMDFSpace] = []
  /// Numbers of `units` by identifier.
  var unitNumbers: [String: Int] = [:]
  /// Outlines of buildings.
  var buildings: [IMDFSpace] = []
  var ids = FeatureIDs()

  private static let files = [
    "address", "amenity", "anchor", "building", "footprint", "kiosk", "level", "occupant",
    "opening", "relationship", "unit", "venue",
  ]

  /// Those whose features lie somewhere; openings, too, of which more is asked.
  private static let located: Set<String> = [
    "amenity", "anchor", "footprint", "kiosk", "level", "unit", "venue",
  ]

  /// How many features of a file are read.
  private static let mostFeatures = 1_000_000

  /// Reads a folder into a map.
  ///
  /// - Throws: ``MapReadError`` for files that are there and no JSON; a missing one is a fault.
  static func read(_ folder: String, into map: inout GuideMap) throws(MapReadError) {
    var reader = IMDFReader()
    for file in files { try reader.load(file, folder, into: &map) }
    reader.addVenue(to: &map)
    reader.readBuildings()
    reader.readLevels(into: &map)
    reader.readUnits(into: &map)
    reader.addOpenings(to: &map)
    reader.addShafts(to: &map)
    reader.addPlaces(to: &map)
    for space in reader.buildings {
      reader.ids.add("building/" + space.id, space.tags, space.shapes, to: &map)
    }
    for space in reader.units {
      reader.ids.add("unit/" + space.id, space.tags, space.shapes, to: &map)
    }
    guard map.hasRoom else { throw map.tooMuch(of: folder) }
  }

  /// The features of a file.
  func features(_ file: String) -> [IMDFFeature] { collections[file] ?? [] }

  private mutating func load(
    _ file: String, _ folder: String, into map: inout GuideMap
  ) throws(MapReadError) {
    let path = "\(folder)/\(file).geojson"
    guard (try? FileAccess.size(of: path)) != nil else {
      if file == "level" || file == "unit" {
        map.add(MapFault("\(file).geojson", "missing; export the venue again with all files"))
      }
      return
    }
    var features: [IMDFFeature] = []
    var nameless = 0
    var isFull = false
    let members = try MapFile.members(MapFile.bytes(of: path), path, lists: ["features"]) {
      _, value in
      guard let feature = IMDFFeature(value) else {
        nameless += 1
        return true
      }
      features.append(feature)
      isFull = features.count >= Self.mostFeatures
      return !isFull
    }
    guard !isFull else { throw .tooManyPoints(path: path, limit: Self.mostFeatures) }
    guard members["features"] != nil else { throw .unknownKind(path: path) }
    if nameless > 0 {
      map.add(MapFault("\(file).geojson", "\(nameless) features without an id; give them one"))
    }
    for feature in features {
      let isLost = feature.isUnlocated && Self.located.contains(file)
      for problem in feature.problems + (isLost ? [GeoJSONShapes.unlocated] : []) {
        map.add(MapFault("\(file)/\(feature.id)", tags: feature.commonTags, problem))
      }
    }
    collections[file] = features
  }

  // MARK: - Levels and units

  private mutating func readLevels(into map: inout GuideMap) {
    for level in features("level") {
      guard case .integer(let ordinal) = level.properties["ordinal"], ordinal.magnitude <= 1_000
      else {
        let fault = "no whole number \"ordinal\"; set it, 0 for the ground floor"
        map.add(MapFault("level/\(level.id)", tags: level.commonTags, fault))
        continue
      }
      ordinals[level.id] = ordinal
      var tags = level.commonTags
      tags["level:ref"] = level.text("short_name")
      tags["indoor"] = "level"
      tags["level"] = String(ordinal)
      ids.add("level/\(level.id)", tags, level.shapes, to: &map)
    }
  }

  private mutating func readUnits(into map: inout GuideMap) {
    for unit in features("unit") {
      guard let ordinal = unit["level_id"].flatMap({ ordinals[$0] }) else {
        let fault = "its level_id is no level; set it"
        map.add(MapFault("unit/\(unit.id)", tags: unit.commonTags, fault))
        continue
      }
      guard unitNumbers[unit.id] == nil else {
        let fault = "its id stands twice; give it another"
        map.add(MapFault("unit/\(unit.id)", tags: unit.commonTags, fault))
        continue
      }
      let category = unit["category"] ?? "unspecified"
      var tags = IMDFCategories.unit(category).merging(unit.commonTags) { $1 }
      tags["level"] = String(ordinal)
      unitNumbers[unit.id] = units.count
      units.append(IMDFSpace(unit, tags, level: ordinal, category: category))
    }
  }
}
