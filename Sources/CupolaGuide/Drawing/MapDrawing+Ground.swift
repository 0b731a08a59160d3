extension MapDrawing {
  /// What a map shows besides a route: areas, lines and marks.
  ///
  /// Points of them that are no places on Earth are left out; a point's own level is not looked at.
  public struct Ground: Equatable, Sendable {
    /// Parts of the ground and of floors.
    public var areas: [Area]
    /// Ways.
    public var lines: [Line]
    /// Points with signs.
    public var marks: [Mark]

    /// A ground of what a map has; any may be missing.
    public init(areas: [Area] = [], lines: [Line] = [], marks: [Mark] = []) {
      (self.areas, self.lines, self.marks) = (areas, lines, marks)
    }
  }

  /// A part of the ground or of a floor.
  public struct Area: Equatable, Sendable {
    /// The kinds that look different; later ones lie on top.
    public enum Kind: Int, CaseIterable, Sendable {
      case park, water
      /// A square or another open place.
      case area
      case building, corridor, room, stairs, elevator
      /// A wall, or what nobody may enter.
      case closed
    }

    /// What it looks like.
    public var kind: Kind
    /// The outline, then the holes: at least three points each, the first one not repeated.
    public var rings: [[RoutePoint]]
    /// Its name; `nil` for none.
    public var label: String?
    /// The floors that it is on; empty where it is on none, as outdoors, or on all.
    public var levels: [Double]

    /// An area of a kind.
    public init(
      _ kind: Kind, rings: [[RoutePoint]], label: String? = nil, levels: [Double] = []
    ) {
      (self.kind, self.rings, self.label, self.levels) = (kind, rings, label, levels)
    }
  }

  /// A way.
  public struct Line: Equatable, Sendable {
    /// What it looks like; elevators are shown as marks only.
    public var kind: WayKind
    /// Where it goes, two or more.
    public var points: [RoutePoint]
    /// Its name; `nil` for none.
    public var label: String?
    /// The floors that it is on; empty outdoors.
    public var levels: [Double]

    /// A way of a kind.
    public init(
      _ kind: WayKind, points: [RoutePoint], label: String? = nil, levels: [Double] = []
    ) {
      (self.kind, self.points, self.label, self.levels) = (kind, points, label, levels)
    }
  }

  /// A point with a sign.
  public struct Mark: Equatable, Sendable {
    /// The signs; earlier ones come first where there is no room for all.
    public enum Kind: Int, CaseIterable, Sendable {
      case entrance, elevator, stairs, escalator, toilets, information, stop, food, shop, parking
      case place, door
    }

    /// Which sign it has.
    public var kind: Kind
    /// Where it is.
    public var point: RoutePoint
    /// Its name; `nil` for none.
    public var label: String?
    /// The floors that it is on; empty outdoors.
    public var levels: [Double]

    /// A sign at a point.
    public init(_ kind: Kind, at point: RoutePoint, label: String? = nil, levels: [Double] = []) {
      (self.kind, self.point, self.label, self.levels) = (kind, point, label, levels)
    }
  }
}

/// What a guide draws.
extension Guide {
  /// A picture of a way on the map as SVG; of a way over floors, with a picture of each floor below.
  public func drawing(of route: Route) -> [UInt8] {
    let ground = drawnGround
    let hasFloors = route.points.contains { $0.level != nil }
    let svg =
      hasFloors
      ? FloorDrawing(ground, route: route, attribution: attribution).svg()
      : MapDrawing(ground, route: route, attribution: attribution).svg()
    return Array(svg.utf8)
  }

  /// A picture of the whole map as SVG.
  public func drawing() -> [UInt8] {
    Array(MapDrawing(drawnGround, title: name, attribution: attribution).svg().utf8)
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
            way.kind, points: [RoutePoint(from.point, level: from.level), end], label: way.name,
            levels: Set([from.level, to.level].compactMap(\.self)).sorted()))
      }
      last = (edge.way, edge.to)
    }
    return lines
  }

  private var marks: [MapDrawing.Mark] {
    places.flatMap { place -> [MapDrawing.Mark] in
      let doors = place.doors.map {
        MapDrawing.Mark(.entrance, at: $0.point, levels: $0.point.level.map { [$0] } ?? [])
      }
      if place.kind == .building { return doors }
      guard place.kind == .poi, let kind = MapDrawing.Mark.Kind(of: place.category) else {
        return []
      }
      return [
        MapDrawing.Mark(
          kind, at: place.position, label: place.name,
          levels: place.position.level.map { [$0] } ?? [])
      ]
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
      kind, rings: area.rings.map { $0.map { RoutePoint($0) } },
      label: area.kind == .parking ? nil : area.name, levels: area.level.map { [$0] } ?? [])
  }
}

extension MapDrawing.Mark.Kind {
  /// The sign of a kind of place, of several, as `ice_cream;cafe`, that of the first which has one; `nil` where a map is
  /// clearer without.
  fileprivate init?(of category: String?) {
    let signs = (category ?? "").tagValues.compactMap { Self($0) }
    guard let first = signs.first else { return nil }
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
