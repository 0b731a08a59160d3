internal import CupolaSupport

// 1. Count the features of a GeoJSON map without a tag for their kind.
// 2. Report the counts, with the tags to add.

/// The features of a map that a guide ignores because they have no tag for their kind, such as `building`.
struct SkippedFeatures {
  private var areas = (count: 0, names: [String]())
  private var lines = (count: 0, names: [String]())
  private var points = (count: 0, names: [String]())

  mutating func count(_ shape: GeoJSONShapes.Shape, _ tags: [String: String]) {
    guard !tags.contains(where: { Self.isKind($0.key) && !$0.value.isEmpty }) else { return }
    switch shape {
    case .area: Self.add(tags["name"], to: &areas)
    case .line: Self.add(tags["name"], to: &lines)
    // Points without tags are often the corners of other features.
    case .point: if tags["name"] != nil { Self.add(tags["name"], to: &points) }
    }
  }

  private static func add(_ name: String?, to group: inout (count: Int, names: [String])) {
    group.count += 1
    if let name, group.names.count < 3 { group.names.append(MapFault.short(name)) }
  }

  /// The keys of OpenStreetMap and Cupola for the kind of a feature.
  private static let kinds: Set<String> = [
    "aeroway", "amenity", "area:highway", "barrier", "boundary", "building", "building:part",
    "club", "craft", "cupola:role", "door", "emergency", "entrance", "healthcare", "highway",
    "historic", "indoor", "landuse", "leisure", "man_made", "military", "natural", "office",
    "parking", "place", "power", "public_transport", "railway", "room", "route", "shop", "sport",
    "stairs", "elevator", "ramp", "bridge", "tourism", "water", "waterway",
  ]
  private static let pastKinds = [
    "abandoned:", "construction:", "demolished:", "disused:", "proposed:", "razed:", "removed:",
    "was:",
  ]

  private static func isKind(_ key: String) -> Bool {
    kinds.contains(key) || pastKinds.contains { key.hasPrefix($0) }
  }

  func faults(of path: String) -> [MapFault] {
    [
      Self.fault(
        path, areas, ("1 polygon is not a building", "polygons are not buildings"),
        "building=yes or role building"),
      Self.fault(
        path, lines, ("1 line is not a path", "lines are not paths"), "highway=footway, for example"
      ),
      Self.fault(
        path, points, ("1 point is not a place", "points are not places"),
        "a tag such as amenity=cafe"),
    ].compactMap(\.self)
  }

  private static func fault(
    _ path: String, _ group: (count: Int, names: [String]), _ what: (one: String, more: String),
    _ tag: String
  ) -> MapFault? {
    guard group.count > 0 else { return nil }
    let names =
      group.names.isEmpty
      ? ""
      : " (\(group.names.joined(separator: ", "))\(group.count > group.names.count ? ", ..." : ""))"
    let verb = group.count == 1 ? what.one : "\(group.count) \(what.more)"
    return MapFault(
      VisibleText.line(path), "\(verb)\(names): give \(group.count == 1 ? "it" : "them") \(tag)",
      isSummary: true)
  }
}
