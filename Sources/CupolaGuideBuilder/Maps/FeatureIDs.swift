/// Gives the features of one file identifiers that no other feature has.
struct FeatureIDs {
  /// How often each identifier was wanted in this file.
  private var numbers: [String: Int] = [:]

  /// Adds a feature for each shape, unless an earlier map has the very same; none where the map has no room.
  mutating func add(
    _ id: String, _ tags: [String: String], _ shapes: [GeoJSONShapes.Shape],
    to map: inout GuideMap
  ) {
    guard !tags.isEmpty, !shapes.isEmpty else { return }
    let known = map.feature(id)
    // An object of OpenStreetMap is the same in all maps.
    if known != nil, numbers[id] == nil, Self.isOpenStreetMap(id) { return }
    for (number, shape) in shapes.enumerated() {
      guard map.hasRoom else { return }
      let geometry = map.geometry(shape)
      if let known, known.tags == tags, known.geometry == geometry { continue }
      map.add(
        MapFeature(id: unique(id, map), tags: tags, geometry: geometry), isPart: number > 0)
    }
  }

  /// The identifier itself, or with a number behind it, such as `way/7#2`.
  mutating func unique(_ id: String, _ map: GuideMap) -> String {
    while true {
      let number = numbers[id, default: 0] + 1
      numbers[id] = number
      let result = number == 1 ? id : "\(id)#\(number)"
      if map.feature(result) == nil { return result }
    }
  }

  /// Whether it is such as `way/4711`.
  static func isOpenStreetMap(_ id: String) -> Bool {
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && ["node", "way", "relation"].contains(parts[0])
      && Int64(parts[1]) != nil
  }
}
