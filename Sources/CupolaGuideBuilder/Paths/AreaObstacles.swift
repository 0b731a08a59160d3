internal import CupolaCampus
internal import CupolaGuide

// 1. Determine which features obstruct open areas: barriers, water, buildings and, for step-free routes, steps.
// 2. Find the obstacles near an area, the openings in them, and the ends of ways on it.

/// A feature that routes across an open area must avoid.
struct AreaObstacle {
  enum Kind {
    case barrier
    /// An obstacle with an interior, such as water or a hedge that is drawn as an area.
    case solid
    /// A building, which counts only where its corners protrude into the area.
    case building
    /// Steps, which obstruct only step-free routes.
    case steps
  }

  let feature: MapFeature
  let kind: Kind
  /// The lines of the feature; those of areas are closed.
  let lines: [[Int]]

  init?(_ feature: MapFeature) {
    guard let kind = Self.kind(of: feature), !Self.isUnderground(feature) else { return nil }
    switch feature.geometry {
    case .point: return nil
    case .line(let points): lines = [points]
    case .area(let rings): lines = rings.map { $0 + $0.prefix(1) }
    }
    (self.feature, self.kind) = (feature, kind)
  }

  /// Whether a way is drawn in the direction of walking, as its tags show; `nil` if they do not.
  func isDrawnUpward(meters: Double) -> Bool? {
    if feature["incline"] != nil || feature["conveying"].map({ $0 != "no" }) ?? false {
      return true
    }
    // A tread is about 0.3 m deep. Landings make flights longer.
    return feature["step_count"].flatMap { Double($0) }.map { meters <= $0 }
  }

  private static func kind(of feature: MapFeature) -> Kind? {
    let isArea = if case .area = feature.geometry { true } else { false }
    if PlaceRules.isInTheWay(feature) { return isArea ? .building : nil }
    if feature["highway"] == "steps" || isArea && feature["area:highway"] == "steps" {
      let isPassable = ["wheelchair", "ramp:wheelchair"].contains { feature[$0] == "yes" }
      return isPassable || !StreetPaths.isOutdoors(feature) ? nil : .steps
    }
    if let barrier = feature["barrier"],
      LinkWalls.fences.contains(barrier) || barrier == "guard_rail"
    {
      return isArea && barrier != "fence" && barrier != "guard_rail" ? .solid : .barrier
    }
    guard feature["covered"] != "yes" else { return nil }
    return water.contains { $0.isArea == isArea && $0.values.contains(feature[$0.key] ?? "") }
      ? (isArea ? .solid : .barrier) : nil
  }

  private static let water: [(isArea: Bool, key: String, values: Set<String>)] = [
    (true, "natural", ["water"]), (true, "waterway", ["riverbank", "dock"]),
    (true, "landuse", ["basin", "reservoir"]), (true, "leisure", ["swimming_pool"]),
    (true, "amenity", ["fountain"]),
    (false, "waterway", ["river", "canal", "stream", "ditch", "drain"]),
  ]

  private static func isUnderground(_ feature: MapFeature) -> Bool {
    feature["location"] == "underground" || feature["tunnel"].map { $0 != "no" } ?? false
  }

  /// Whether the obstacle is on the same layer as an area. Obstacles without a layer are on the ground, except barriers
  /// and steps: on bridges and terraces, they often lack the tag, so they count as on the layer of the area.
  func isOnLayer(of area: MapFeature) -> Bool {
    let isOnArea = ["barrier", "highway"].contains { feature[$0] != nil }
    return area.isOnLayer(feature["layer"] ?? (isOnArea ? nil : "0"))
  }
}

/// The obstacles of a map, and where people pass them.
struct AreaObstacles {
  private let items: [AreaObstacle]
  private let index: BoxIndex
  /// The points where people enter areas.
  let shared: Set<Int>
  /// The points where step-free ways meet, and doors.
  let sharedStepFree: Set<Int>
  let openings: Set<Int>
  /// The ends of walkable lines, with their boxes; steps end where people enter them.
  private let ends: [End]
  private let endIndex: BoxIndex
  /// The points of walkable lines other than steps.
  let onPaths: Set<Int>

  private struct End {
    let point: Int
    let isStepFree: Bool
    let layer: String?
  }

  init(_ map: GuideMap, shared: Set<Int>) {
    items = map.features.compactMap { AreaObstacle($0) }
    index = BoxIndex(
      items.map { item in MapPoint.box(around: item.lines.map { $0.map { map.points[$0] } }) })
    self.shared = shared
    let isNeeded = items.contains { $0.kind != .building }
    openings = isNeeded ? LinkWalls.openings(of: map) : []
    sharedStepFree = isNeeded ? StreetPaths.sharedPoints(of: map) { $0.contains(.stepFree) } : []
    var ends: [End] = []
    var onPaths: Set<Int> = []
    let layers = isNeeded ? Self.layers(of: map) : [:]
    for feature in isNeeded ? map.features : [] where StreetPaths.isOutdoors(feature) {
      guard case .line(let points) = feature.geometry, let first = points.first,
        let last = points.last, let access = WayRules.way(of: feature)?.access,
        !access.isDisjoint(with: .walk)
      else { continue }
      let isStepFree = !access.isDisjoint(with: .stepFree)
      let isSteps = feature["highway"] == "steps"
      ends += [first, last].map { point in
        // A way that begins at the mouth of a tunnel leads up from there.
        let layer = layers[point].flatMap { isSteps || $0.hasPrefix("-") ? $0 : nil }
        return End(point: point, isStepFree: isStepFree, layer: feature["layer"] ?? layer)
      }
      if !isSteps { onPaths.formUnion(points) }
    }
    (self.ends, self.onPaths) = (ends, onPaths)
    endIndex = BoxIndex(ends.map { MapPoint.box(around: [[map.points[$0.point]]]) })
  }

  /// Returns the layers of bridges and tunnels by their points. Steps to them often lack the tag.
  private static func layers(of map: GuideMap) -> [Int: String] {
    var layers: [Int: String] = [:]
    for feature in map.features where feature["highway"] != nil && feature["highway"] != "steps" {
      guard let layer = feature["layer"], case .line(let points) = feature.geometry else {
        continue
      }
      for point in points { layers[point] = layer }
    }
    return layers
  }

  /// Returns the obstacles that may be on an area, in the order of the map.
  func near(_ box: BoxTree.Box, _ area: MapFeature) -> [AreaObstacle] {
    index.indices(meeting: box).sorted().map { items[$0] }.filter {
      $0.feature.id != area.id && $0.isOnLayer(of: area)
    }
  }

  /// Returns the points near an area where lines end, except for those of tunnels and bridges on other layers.
  func ends(in box: BoxTree.Box, _ area: MapFeature, stepFree: Bool) -> Set<Int> {
    let near = endIndex.indices(meeting: box).map { ends[$0] }
    return Set(
      near.filter { (!stepFree || $0.isStepFree) && area.isOnLayer($0.layer) }.map(\.point))
  }
}

extension MapFeature {
  /// Whether a feature with the given layer is on the same one as this area. Without a layer, it is on the area.
  fileprivate func isOnLayer(_ other: String?) -> Bool {
    other == nil || other == self["layer"] ?? "0"
  }
}
