internal import CupolaCampus

// 1. A view is chosen: the route, or else the buildings, or all of the ground.
// 2. A panel draws the ground and the route's part in it.
// 3. The sheet has header, panels, list of maneuvers and key.

/// A picture of a map with a route on it, as SVG 1.1: plain, without scripts and without anything
/// from elsewhere.
///
/// North is up. What is drawn follows light and dark (`prefers-color-scheme`). Names come from
/// maps, so they are escaped, cut where they are too long, and left out where there is no room. The
/// size of a picture is limited whatever the map is: what is outside of the view is cut off, and of
/// too many things the smallest are left out.
public struct MapDrawing: Sendable {
  /// What is there besides the route.
  public var ground: Ground
  /// What the view is about; `nil` for all of the ground.
  public var route: Route?
  /// Numbered places, such as those of a journal; numbers that find no room are left out.
  public var pins: [Pin] = []
  /// What stands above the map; by default the names of the route's ends.
  public var title: String?
  /// Whose map it is, such as `© OpenStreetMap contributors`.
  public var attribution: String?
  /// Pixels, 480...4000; what is beyond is taken as the nearer end.
  public var width: Int

  /// - Parameters:
  ///   - ground: what is there besides the route.
  ///   - route: what the view is about; without one it is about all of the ground.
  ///   - title: what stands above the picture.
  ///   - attribution: whose data the map is of.
  ///   - width: pixels, 480...4000.
  public init(
    _ ground: Ground, route: Route? = nil, title: String? = nil, attribution: String? = nil,
    width: Int = 1_000
  ) {
    (self.ground, self.route, self.title) = (ground, route, title)
    (self.attribution, self.width) = (attribution, width)
  }

  /// The map from above with the whole route, and the list of what to do below it.
  ///
  /// Floors of buildings are not shown: see ``FloorDrawing``.
  public func svg() -> String {
    var sheet = DrawingSheet(width: width)
    sheet.header(heading, route.map(Self.summary))
    if let view = view(width: sheet.inner) {
      let trace = route.map { route in
        RouteTrace(
          route,
          RouteTrace.Part(
            segments: Array(route.segments.indices),
            maneuvers: Array(route.maneuvers.indices), points: Set(route.points.indices)),
          in: view)
      }
      var panel = DrawingPanel(
        view, ground: ground, scope: .outdoors, trace: trace, attribution: attribution)
      panel.pins = pins
      let content = panel.content()
      sheet.add(panel, content)
      if let route {
        sheet.legend(LegendEntry.all(of: route, Array(route.maneuvers.indices)))
      }
      sheet.key(panel.signs)
    } else {
      sheet.note("There is nothing to draw.")
    }
    return sheet.svg(title: heading ?? "Map")
  }

  private func view(width: Double) -> DrawingView? {
    if let route,
      let view = DrawingView(
        route.points, width: width, heights: (width * 0.5)...(width * 0.85), least: 120, margin: 70)
    {
      return view
    }
    let heights = (width * 0.5)...(width * 1.1)
    let buildings = ground.areas.lazy.filter { $0.kind == .building }.flatMap(\.rings).joined()
    if let view = DrawingView(
      buildings, width: width, heights: heights, least: 120, margin: 30)
    {
      return view
    }
    let all =
      ground.areas.flatMap(\.rings).flatMap(\.self) + ground.lines.flatMap(\.points)
      + ground.marks.map(\.point) + pins.map(\.point)
    return DrawingView(all, width: width, heights: heights, least: 120, margin: 30)
  }

  var heading: String? {
    if let title, !title.isEmpty { return DrawingText.plain(title) }
    let (origin, destination) = (route?.origin, route?.destination)
    return
      switch (origin.map { DrawingText.plain($0) }, destination.map { DrawingText.plain($0) })
    {
    case (let origin?, let destination?): "\(origin) to \(destination)"
    case (nil, let destination?): "To \(destination)"
    case (let origin?, nil): "From \(origin)"
    case (nil, nil): nil
    }
  }

  /// `on foot · 350 m · 5 min`.
  static func summary(_ route: Route) -> String {
    let mode =
      switch route.mode {
      case .walk: "on foot"
      case .stepFree: "step-free"
      case .drive: "by car"
      }
    return [DrawingText.length(route.meters), DrawingText.time(route.seconds), mode]
      .compactMap(\.self).joined(separator: " · ")
  }
}

/// Pictures of the floors of a building with a route through it, as SVG 1.1.
///
/// What holds for ``MapDrawing`` holds here. Rooms have their names, stairs and elevators their
/// signs; where the route goes to another floor, it says to which.
public struct FloorDrawing: Sendable {
  /// What is there; areas, lines and marks without a level are on every floor that they can be on.
  public var ground: MapDrawing.Ground
  /// The way whose floors are shown; `nil` for the floors alone.
  public var route: Route?
  /// What stands above the floors; by default the names of the route's ends.
  public var title: String?
  /// Whose map it is, such as `© OpenStreetMap contributors`.
  public var attribution: String?
  /// Pixels, 480...4000; what is beyond is taken as the nearer end.
  public var width: Int
  /// What people call floors; without a name, floor 1 is `Floor 1`.
  public var names: [Double: String]

  /// How many floors one picture shows.
  public static let mostFloors = 16

  /// - Parameters:
  ///   - ground: what there is on all floors.
  ///   - route: the way to be drawn, if any.
  ///   - title: what stands above the picture.
  ///   - attribution: whose data the map is of.
  ///   - width: pixels, 480...4000.
  ///   - names: what people call floors, by level.
  public init(
    _ ground: MapDrawing.Ground, route: Route? = nil, title: String? = nil,
    attribution: String? = nil, width: Int = 1_000, names: [Double: String] = [:]
  ) {
    (self.ground, self.route, self.title) = (ground, route, title)
    (self.attribution, self.width, self.names) = (attribution, width, names)
  }

  /// One floor: about the part of the route that is on it, or else about all of the floor.
  public func svg(level: Double) -> String {
    var sheet = DrawingSheet(width: width)
    sheet.header(map.heading, nil)
    let signs = add([level], to: &sheet)
    sheet.key(signs)
    return sheet.svg(title: [map.heading, name(level)].compactMap(\.self).joined(separator: ", "))
  }

  /// All floors of the route one below the other, in its order, with what to do on each; without a
  /// route all floors of the ground, the highest first. At most ``mostFloors``.
  public func svg() -> String {
    var sheet = DrawingSheet(width: width)
    sheet.header(map.heading, route.map(MapDrawing.summary))
    let all = route.map { RouteFloors($0).levels } ?? groundLevels
    let signs = add(Array(all.prefix(Self.mostFloors)), to: &sheet)
    if all.count > Self.mostFloors { sheet.note("and \(all.count - Self.mostFloors) more floors") }
    sheet.key(signs)
    return sheet.svg(title: map.heading ?? "Floors")
  }

  private var map: MapDrawing { MapDrawing(ground, route: route, title: title) }

  private var groundLevels: [Double?] {
    let levels =
      ground.areas.flatMap(\.levels) + ground.lines.flatMap(\.levels)
      + ground.marks.flatMap(\.levels)
    return Set(levels.filter(\.isFinite)).sorted(by: >)
  }

  private func name(_ level: Double?) -> String {
    guard let level else { return "Outdoors" }
    return names[level].map { DrawingText.plain($0) } ?? "Floor \(DrawingText.level(level))"
  }

  private func add(
    _ levels: [Double?], to sheet: inout DrawingSheet
  ) -> Set<MapDrawing.Mark.Kind> {
    var signs: Set<MapDrawing.Mark.Kind> = []
    let floors = route.map(RouteFloors.init)
    for level in levels {
      sheet.caption(name(level))
      guard let view = view(level, floors, sheet.inner) else {
        sheet.note("There is nothing to draw.")
        continue
      }
      var panel = DrawingPanel(
        view, ground: ground, scope: level.map { .floor($0) } ?? .outdoors,
        trace: trace(level, floors, view), attribution: attribution)
      let content = panel.content()
      sheet.add(panel, content)
      if let route, let floors {
        sheet.legend(LegendEntry.all(of: route, floors.maneuvers(on: level)))
      }
      signs.formUnion(panel.signs)
    }
    return signs
  }

  private func trace(
    _ level: Double?, _ floors: RouteFloors?, _ view: DrawingView
  ) -> RouteTrace? {
    guard let route, let floors else { return nil }
    let changes = floors.changes(on: level).map { change in
      let name = names[change.other].map { DrawingText.plain($0, most: 40) }
      return (change, name ?? "floor \(DrawingText.level(change.other))")
    }
    return RouteTrace(
      route,
      RouteTrace.Part(
        segments: floors.segments(on: level), maneuvers: floors.maneuvers(on: level),
        points: Set(floors.points(on: level)), changes: changes, level: level),
      in: view)
  }

  private func view(_ level: Double?, _ floors: RouteFloors?, _ width: Double) -> DrawingView? {
    let heights = (width * 0.35)...(width * 0.62)
    if let route, let floors {
      let points = floors.pointsInView(on: level).map { route.points[$0] }
      let least = level == nil ? 100.0 : 48.0
      if let view = DrawingView(
        points, width: width, heights: heights, least: least, margin: 70)
      {
        return view
      }
    }
    guard let level else { return nil }
    let areas = ground.areas.lazy.filter { $0.levels.contains(level) }.flatMap(\.rings).joined()
    let lines = ground.lines.lazy.filter { $0.levels.contains(level) }.flatMap(\.points)
    return DrawingView(
      Array(areas) + lines, width: width, heights: heights, least: 20, margin: 24)
  }
}
