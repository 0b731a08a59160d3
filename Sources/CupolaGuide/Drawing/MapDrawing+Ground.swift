// 1. Build areas, lines and marks from a guide with `drawnGround`.
// 2. Draw them as SVG with `Guide.drawing`, with or without a route.

extension MapDrawing {
  /// The areas, lines and marks of a map. Invalid points are skipped, and the floor of a point is ignored.
  package struct Ground: Equatable, Sendable {
    var areas: [Area] = []
    package var lines: [Line] = []
    var marks: [Mark] = []

    package init() {}

    init(areas: [Area] = [], lines: [Line] = [], marks: [Mark] = []) {
      (self.areas, self.lines, self.marks) = (areas, lines, marks)
    }
  }

  struct Area: Equatable, Sendable {
    /// The kinds with their own style, in drawing order.
    enum Kind: Int, CaseIterable, Sendable {
      case park, water
      /// A square or another open area.
      case area
      case building, corridor, room, stairs, elevator
      /// A wall or an area without access.
      case closed
    }

    var kind: Kind
    /// The outline and the holes, with at least three points each; the first point is not repeated.
    var rings: [[RoutePoint]]
    var label: String?
    var levels: [Double] = []
  }

  /// A path or street. Elevators are shown only as marks.
  package struct Line: Equatable, Sendable {
    package var kind: WayKind
    package var points: [RoutePoint]
    var label: String?
    package var levels: [Double] = []
  }

  struct Mark: Equatable, Sendable {
    /// The symbols, in decreasing order of priority when space is limited.
    enum Kind: Int, CaseIterable, Sendable {
      case entrance, elevator, stairs, escalator, toilets, information, stop, food, shop, parking
      case place, door
    }

    var kind: Kind
    var point: RoutePoint
    var label: String?
    var levels: [Double] = []
  }

  package struct Pin: Equatable, Sendable {
    let point: RoutePoint
    let number: Int
    let link: String?

    package init(_ point: RoutePoint, number: Int, link: String? = nil) {
      (self.point, self.number, self.link) = (point, number, link)
    }
  }
}

extension Guide {
  /// Returns a map of a route as SVG. A route with floors gets one map per floor.
  public func drawing(of route: Route) -> [UInt8] {
    let drawing = MapDrawing(drawnGround, route: route, attribution: attribution)
    let hasFloors = route.points.contains { $0.level != nil }
    return Array((hasFloors ? drawing.floors() : drawing.svg()).utf8)
  }

  /// Returns the whole map as SVG.
  public func drawing() -> [UInt8] {
    Array(MapDrawing(drawnGround, title: name, attribution: attribution).svg().utf8)
  }

  /// Returns one floor as SVG, with the part of the route on that floor.
  public func drawing(ofFloor level: Double, with route: Route? = nil) -> [UInt8] {
    Array(MapDrawing(drawnGround, route: route, attribution: attribution).floor(level).utf8)
  }

  package var drawnGround: MapDrawing.Ground {
    MapDrawing.Ground(areas: ground.map { MapDrawing.Area($0) }, lines: lines, marks: marks)
  }

  private var lines: [MapDrawing.Line] {
    var lines: [MapDrawing.Line] = []
    var last = (way: -1, vertex: -1)
    for edge in graph.edges where !edge.access.isEmpty {
      let way = graph.ways[edge.way]
      // These kinds are drawn as areas or not drawn.
      if [.area, .room, .link, .elevator].contains(way.kind) { continue }
      let (from, to) = (graph.vertices[edge.from], graph.vertices[edge.to])
      let end = RoutePoint(to.point, level: to.level)
      if last == (edge.way, edge.from), lines.last?.levels.first == from.level {
        lines[lines.count - 1].points.append(end)
      } else {
        lines.append(
          MapDrawing.Line(
            kind: way.kind, points: [RoutePoint(from.point, level: from.level), end],
            label: way.name, levels: Set([from.level, to.level].compactMap(\.self)).sorted()))
      }
      last = (edge.way, edge.to)
    }
    return lines
  }

  private var marks: [MapDrawing.Mark] {
    places.flatMap { place -> [MapDrawing.Mark] in
      func mark(_ kind: MapDrawing.Mark.Kind, _ point: RoutePoint, _ label: String? = nil)
        -> MapDrawing.Mark
      {
        .init(kind: kind, point: point, label: label, levels: point.level.map { [$0] } ?? [])
      }
      if place.kind == .building { return place.doors.map { mark(.entrance, $0.point) } }
      guard place.kind == .poi, let kind = MapDrawing.Mark.Kind(of: place.category) else {
        return []
      }
      return [mark(kind, place.position, place.name)]
    }
  }
}

extension MapDrawing.Area {
  fileprivate init(_ area: GroundArea) {
    let kind: Kind =
      switch area.kind {
      case .building: .building
      case .green: .park
      case .water: .water
      case .parking, .square: .area
      case .corridor: .corridor
      case .room: .room
      }
    self.init(
      kind: kind, rings: area.rings.map { $0.map { RoutePoint($0) } },
      label: area.kind == .parking ? nil : area.name, levels: area.level.map { [$0] } ?? [])
  }
}

extension MapDrawing.Mark.Kind {
  /// The symbol of a category. If there are several values, such as `ice_cream;cafe`, the first one with a symbol is
  /// used; `nil` if there is none.
  fileprivate init?(of category: String?) {
    guard let first = (category ?? "").tagValues.lazy.compactMap({ Self($0) }).first else {
      return nil
    }
    self = first
  }

  private init?(_ category: Substring) {
    switch category {
    case "toilets": self = .toilets
    case "cafe", "restaurant", "fast_food", "bar", "pub", "food_court", "canteen": self = .food
    case "bus_stop", "station", "tram_stop": self = .stop
    case "parking": self = .parking
    case "information": self = .information
    case "supermarket", "convenience", "books", "kiosk": self = .shop
    case "library", "theatre", "museum", "place_of_worship", "arts_centre", "pharmacy", "bank":
      self = .place
    default: return nil
    }
  }
}
