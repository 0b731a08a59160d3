// 1. `Ground` holds what a map shows besides a route: areas, lines and marks.
// 2. `drawnGround` builds it from a guide: edges are joined to lines, and places become marks.
// 3. `Guide.drawing` draws it as SVG, with or without a route.

extension MapDrawing {
  /// What a map shows besides a route: areas, lines and marks.
  ///
  /// Points of them that are no places on Earth are left out; a point's own level is not looked at.
  package struct Ground: Equatable, Sendable {
    var areas: [Area] = []
    var lines: [Line] = []
    var marks: [Mark] = []

    package init() {}

    init(areas: [Area] = [], lines: [Line] = [], marks: [Mark] = []) {
      (self.areas, self.lines, self.marks) = (areas, lines, marks)
    }
  }

  struct Area: Equatable, Sendable {
    /// The kinds that look different; later ones lie on top.
    enum Kind: Int, CaseIterable, Sendable {
      case park, water
      /// A square or another open place.
      case area
      case building, corridor, room, stairs, elevator
      /// A wall, or what nobody may enter.
      case closed
    }

    var kind: Kind
    /// The outline, then the holes: at least three points each, the first one not repeated.
    var rings: [[RoutePoint]]
    var label: String?
    /// The floors that it is on; empty where it is on none, as outdoors, or on all.
    var levels: [Double] = []
  }

  /// A way; elevators are shown as marks only.
  struct Line: Equatable, Sendable {
    var kind: WayKind
    var points: [RoutePoint]
    var label: String?
    /// The floors that it is on; empty outdoors.
    var levels: [Double] = []
  }

  struct Mark: Equatable, Sendable {
    /// The signs; earlier ones come first where there is no room for all.
    enum Kind: Int, CaseIterable, Sendable {
      case entrance, elevator, stairs, escalator, toilets, information, stop, food, shop, parking
      case place, door
    }

    var kind: Kind
    var point: RoutePoint
    var label: String?
    /// The floors that it is on; empty outdoors.
    var levels: [Double] = []
  }

  package struct Pin: Equatable, Sendable {
    let point: RoutePoint
    let number: Int
    /// Where it leads, such as `#entry`; `nil` is nowhere.
    let link: String?

    package init(_ point: RoutePoint, number: Int, link: String? = nil) {
      (self.point, self.number, self.link) = (point, number, link)
    }
  }
}

extension Guide {
  /// A picture of a way on the map as SVG; of a way over floors, with a picture of each floor below.
  public func drawing(of route: Route) -> [UInt8] {
    let drawing = MapDrawing(drawnGround, route: route, attribution: attribution)
    let hasFloors = route.points.contains { $0.level != nil }
    return Array((hasFloors ? drawing.floors() : drawing.svg()).utf8)
  }

  /// A picture of the whole map as SVG.
  public func drawing() -> [UInt8] {
    Array(MapDrawing(drawnGround, title: name, attribution: attribution).svg().utf8)
  }

  /// A picture of one floor as SVG, with the part of a way that is on it.
  public func drawing(ofFloor level: Double, with route: Route? = nil) -> [UInt8] {
    Array(MapDrawing(drawnGround, route: route, attribution: attribution).floor(level).utf8)
  }

  package var drawnGround: MapDrawing.Ground {
    MapDrawing.Ground(areas: ground.map { MapDrawing.Area($0) }, lines: lines, marks: marks)
  }

  /// The edges of the graph, those of a way behind each other in one line.
  private var lines: [MapDrawing.Line] {
    var lines: [MapDrawing.Line] = []
    var last = (way: -1, vertex: -1)
    for edge in graph.edges {
      let way = graph.ways[edge.way]
      // What is drawn as ground, or as nothing.
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
  /// The sign of a kind of place, of several, as `ice_cream;cafe`, that of the first which has one; `nil` where a map is
  /// clearer without.
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
