internal import CupolaSupport

// 1. Load the features of all files, and read the venue, buildings, levels and units.
// 2. Add openings, shafts and places, and then the rings with their doors.

/// Reads a folder or zip in Apple's Indoor Mapping Data Format (OGC 20-094), and converts it to OpenStreetMap indoor
/// tags.
struct IMDFReader {
  private var collections: [String: [IMDFFeature]] = [:]
  var ordinals: [String: Int] = [:]
  var units: [IMDFSpace] = []
  var unitNumbers: [String: Int] = [:]
  var buildings: [IMDFSpace] = []
  /// The outlines of the venue and its levels.
  var outlines: [IMDFSpace] = []
  var ids = FeatureIDs()

  private static let files = [
    "address", "amenity", "anchor", "building", "footprint", "kiosk", "level", "occupant",
    "opening", "relationship", "unit", "venue",
  ]

  /// The files in which each feature requires a geometry. Openings are checked separately.
  private static let located: Set<String> = [
    "amenity", "anchor", "footprint", "kiosk", "level", "unit", "venue",
  ]

  private static let mostFeatures = 1_000_000

  static func read(_ source: IMDFSource, into map: inout GuideMap) throws(MapReadError) {
    var reader = IMDFReader()
    for file in files { try reader.load(file, source, into: &map) }
    reader.addVenue(to: &map)
    reader.readBuildings()
    reader.readLevels(into: &map)
    reader.readUnits(into: &map)
    reader.addOpenings(to: &map)
    reader.joinOpenUnits(to: &map)
    reader.addShafts(to: &map)
    reader.addPlaces(to: &map)
    for space in reader.buildings {
      reader.ids.add("building/" + space.id, space.tags, space.shapes, to: &map)
    }
    for space in reader.units {
      reader.ids.add("unit/" + space.id, space.tags, space.shapes, to: &map)
    }
    guard map.hasRoom else { throw map.tooMuch(of: source.path) }
  }

  func features(_ file: String) -> [IMDFFeature] { collections[file] ?? [] }

  private mutating func load(
    _ file: String, _ source: IMDFSource, into map: inout GuideMap
  ) throws(MapReadError) {
    let path = "\(source.path)/\(file).geojson"
    guard let bytes = try source.bytes(of: "\(file).geojson") else {
      if file == "level" || file == "unit" {
        map.add(MapFault("\(file).geojson", "missing file; export the venue again with all files"))
      }
      return
    }
    var features: [IMDFFeature] = []
    var nameless = 0
    var isFull = false
    let members = try MapFile.members(bytes, path, lists: ["features"]) {
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
      map.add(MapFault("\(file).geojson", "\(nameless) features without an ID; add one to each"))
    }
    let placeholders = features.filter(\.hasPlaceholder)
    if let first = placeholders.first?.text("name") {
      let count = placeholders.count
      let what = count == 1 ? "1 name is a placeholder" : "\(count) names are placeholders"
      map.add(
        MapFault(
          "\(file).geojson",
          "\(what) (\(MapFault.short(first))); enter the names on the signs, or delete the placeholders",
          isSummary: true))
    }
    for feature in features {
      let isLost = feature.isUnlocated && Self.located.contains(file)
      for problem in feature.problems + (isLost ? [GeoJSONShapes.unlocated] : []) {
        map.fault("\(file)/\(feature.id)", feature.commonTags, problem)
      }
    }
    collections[file] = features
  }

  private mutating func readLevels(into map: inout GuideMap) {
    for level in features("level") {
      guard case .integer(let ordinal) = level.properties["ordinal"], ordinal.magnitude <= 1_000
      else {
        map.fault(
          "level/\(level.id)", level.commonTags,
          "\"ordinal\" is not an integer; set it to the floor number (0 for the ground floor)")
        continue
      }
      ordinals[level.id] = ordinal
      var tags = level.commonTags
      tags["level:ref"] = level.text("short_name")
      tags["indoor"] = "level"
      tags["level"] = String(ordinal)
      outlines.append(
        IMDFSpace(level, id: level.id, [:], level: ordinal, category: "level"))
      ids.add("level/\(level.id)", tags, level.shapes, to: &map)
    }
  }

  private mutating func readUnits(into map: inout GuideMap) {
    for unit in features("unit") {
      guard let ordinal = unit["level_id"].flatMap({ ordinals[$0] }) else {
        map.fault(
          "unit/\(unit.id)", unit.commonTags, "level_id does not refer to a level; correct it")
        continue
      }
      guard unitNumbers[unit.id] == nil else {
        map.fault("unit/\(unit.id)", unit.commonTags, "duplicate ID; use a unique one")
        continue
      }
      let category = unit["category"] ?? "unspecified"
      var tags = IMDFCategories.unit(category).merging(unit.commonTags) { $1 }
      tags["level"] = String(ordinal)
      unitNumbers[unit.id] = units.count
      units.append(IMDFSpace(unit, id: unit.id, tags, level: ordinal, category: category))
    }
  }
}

extension IMDFReader {
  mutating func addVenue(to map: inout GuideMap) {
    for venue in features("venue") {
      var tags = venue.commonTags
      tags["cupola:role"] = "boundary"
      if venue["category"] == "university" { tags["amenity"] = "university" }
      outlines.append(IMDFSpace(venue, id: venue.id, [:], level: nil, category: "venue"))
      ids.add("venue/\(venue.id)", tags, venue.shapes, to: &map)
    }
  }

  mutating func readBuildings() {
    let addresses = Dictionary(features("address").map { ($0.id, $0) }) { first, _ in first }
    var outlines: [String: IMDFFeature] = [:]
    for footprint in features("footprint") {
      for building in footprint.list("building_ids") {
        if outlines[building] == nil || footprint["category"] == "ground" {
          outlines[building] = footprint
        }
      }
    }
    for building in features("building") {
      guard let outline = outlines[building.id] else { continue }
      var tags = building.commonTags
      tags["building"] = "yes"
      tags["name"] = tags["name"] ?? outline.name
      if let address = building["address_id"].flatMap({ addresses[$0] }) {
        tags["addr:full"] = address["address"]
        tags["addr:city"] = address["locality"]
        tags["addr:postcode"] = address["postal_code"]
      }
      buildings.append(
        IMDFSpace(outline, id: building.id, tags, level: nil, category: "building"))
    }
  }
}

struct IMDFFeature {
  let id: String
  let properties: [String: JSONValue]
  let shapes: [GeoJSONShapes.Shape]
  let problems: [String]
  let isUnlocated: Bool

  init?(_ value: JSONValue) {
    guard let members = value.members, let id = members["id"]?.tag else { return nil }
    self.id = id
    properties = members["properties"]?.members ?? [:]
    let read = GeoJSONShapes(members["geometry"])
    (shapes, problems, isUnlocated) = (read.shapes, read.problems, read.isUnlocated)
  }

  subscript(_ key: String) -> String? { properties[key]?.tag }

  /// The placeholders of editors, in lower case.
  private static let placeholders: Set<String> = [
    "input name here", "enter name here", "insert name here", "name here", "name", "no name",
    "unnamed", "untitled", "tbd", "tbc", "todo", "n/a", "placeholder",
  ]

  /// The name; `nil` also for placeholders such as "input name here".
  var name: String? { hasPlaceholder ? nil : text("name") }

  /// Whether the name is a placeholder, so that users would look for a sign that does not exist.
  var hasPlaceholder: Bool {
    guard let words = text("name")?.lowercased().split(whereSeparator: { ". _-".contains($0) })
    else { return false }
    return Self.placeholders.contains(words.joined(separator: " "))
  }

  func text(_ key: String) -> String? {
    guard let value = properties[key] else { return nil }
    guard let languages = value.members else { return value.tag }
    if let english = languages["en"]?.tag { return english }
    // BCP 47 tags may include a region, such as `en-US`.
    let sorted = languages.sorted { $0.key < $1.key }
    let english = sorted.filter { $0.key.lowercased().hasPrefix("en-") }
    return (english + sorted).lazy.compactMap(\.value.tag).first
  }

  func list(_ key: String) -> [String] { properties[key]?.elements?.compactMap(\.tag) ?? [] }

  var commonTags: [String: String] {
    var tags: [String: String] = [:]
    tags["name"] = name
    tags["alt_name"] = text("alt_name")
    // IMDF and OpenStreetMap use the same syntax for opening hours.
    tags["opening_hours"] = self["hours"]
    tags["phone"] = self["phone"]
    tags["website"] = self["website"]
    if self["restriction"] != nil { tags["access"] = "private" }
    if list("accessibility").contains("wheelchair") { tags["wheelchair"] = "yes" }
    return tags
  }
}
