extension DrawingPanel {
  /// An area in pixels, cut to the view.
  struct DrawnArea {
    let kind: MapDrawing.Area.Kind
    let rings: [[SIMD2<Double>]]
    let box: DrawingBox
    /// Square pixels, without the holes.
    let size: Double
    let label: String?
  }

  /// What of the areas is in view, what lies on top last.
  func drawnAreas() -> [DrawnArea] {
    let edge = view.box.grown(by: 10)
    let areas = ground.areas.compactMap { drawn($0, edge) }
    let largest = areas.indices.sorted {
      (areas[$1].size, $0) < (areas[$0].size, $1)
    }
    let kept = Self.affordable(largest.prefix(Self.mostAreas)) { areas[$0].rings }
    // Of a kind the small ones lie on the large ones.
    return kept.map { areas[$0] }.enumerated().sorted {
      ($0.element.kind.rawValue, $0.offset) < ($1.element.kind.rawValue, $1.offset)
    }.map(\.element)
  }

  private func drawn(_ area: MapDrawing.Area, _ edge: DrawingBox) -> DrawnArea? {
    let outdoors =
      switch area.kind {
      case .park, .water, .area, .building: true
      default: false
      }
    let fromAbove = area.kind == .building && scope == .outdoors
    guard fromAbove || shows(area.levels, outdoors: outdoors) else { return nil }
    let rings = area.rings.compactMap { ring -> [SIMD2<Double>]? in
      let cut = DrawingClip.ring(DrawingClip.thinned(view.points(ring)), to: edge)
      return cut.isEmpty ? nil : cut
    }
    guard let outer = rings.first, let box = DrawingBox(outer) else { return nil }
    let size = Self.size(outer) - rings.dropFirst().reduce(0) { $0 + Self.size($1) }
    guard size >= 1 else { return nil }
    let label = area.label.map { DrawingText.plain($0) }
    return DrawnArea(
      kind: area.kind, rings: rings, box: box, size: size,
      label: label?.isEmpty == false ? label : nil)
  }

  private static func size(_ ring: [SIMD2<Double>]) -> Double {
    guard var last = ring.last else { return 0 }
    var twice = 0.0
    for point in ring {
      twice += last.x * point.y - point.x * last.y
      last = point
    }
    return abs(twice) / 2
  }

  func areaPaths(_ areas: [DrawnArea]) -> String {
    areas.map { area in
      let trace = area.rings.map { SVGMarkup.trace($0, isClosed: true) }.joined()
      return SVGMarkup.path(
        trace, "area " + style(area), area.label.map(SVGMarkup.title) ?? "")
    }.joined()
  }

  private func style(_ area: DrawnArea) -> String {
    switch area.kind {
    case .park: "park"
    case .water: "water"
    case .area: "open"
    case .building: scope == .outdoors ? "building" : "storey"
    case .corridor: "corridor"
    case .room: "room"
    case .stairs, .elevator: "shaft"
    case .closed: "closed"
    }
  }
}
