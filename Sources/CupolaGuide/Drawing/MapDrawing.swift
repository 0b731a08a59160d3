internal import CupolaCampus

// 1. Choose the view: the route if there is one, else the buildings if there are any, else everything.
// 2. Draw one panel for the whole map or for each floor, and assemble them on a sheet.

/// Draws a map or the floors of a building as plain SVG 1.1, with an optional route.
///
/// The output contains no scripts or external references. North is up, and colors follow `prefers-color-scheme`. Map
/// names are escaped, shortened if they are too long, and omitted if there is no room. The output size is limited:
/// shapes are clipped to the view, and excess items are omitted, starting with the smallest.
package struct MapDrawing: Sendable {
  package var ground: Ground
  /// The route to show; `nil` shows the whole map.
  package var route: Route?
  /// Numbered places, such as journal entries. Numbers are omitted if there is no room.
  package var pins: [Pin] = []
  /// The heading; `nil` uses the names of the start and destination.
  package var title: String?
  package var attribution: String?
  /// The width in pixels, clamped to 480...4000.
  package var width: Int
  /// The names of floors; a floor without a name is shown as, for example, `Floor 1`.
  package var names: [Double: String]

  static let mostFloors = 16

  package init(
    _ ground: Ground, route: Route? = nil, title: String? = nil, attribution: String? = nil,
    width: Int = 1_000, names: [Double: String] = [:]
  ) {
    (self.ground, self.route, self.title) = (ground, route, title)
    (self.attribution, self.width, self.names) = (attribution, width, names)
  }

  // MARK: - Outdoor map

  package func svg() -> String {
    var sheet = DrawingSheet(width: width)
    sheet.header(heading, route.map(Self.summary))
    guard let view = view(width: sheet.inner) else {
      sheet.note("There is nothing to draw.")
      return sheet.svg(title: heading ?? "Map")
    }
    let trace = route.map { route in
      RouteTrace(
        route,
        RouteTrace.Part(
          segments: Array(route.segments.indices), maneuvers: Array(route.maneuvers.indices),
          points: Set(route.points.indices)),
        in: view)
    }
    var panel = DrawingPanel(
      view, ground: ground, scope: .outdoors, trace: trace, attribution: attribution)
    panel.pins = pins
    let content = panel.content()
    sheet.add(panel, content)
    if let route { sheet.legend(of: route, Array(route.maneuvers.indices)) }
    sheet.key(panel.signs)
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

  private var heading: String? {
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

  private static func summary(_ route: Route) -> String {
    let mode =
      switch route.mode {
      case .walk: "on foot"
      case .stepFree: "step-free"
      case .drive: "by car"
      }
    return [DrawingText.length(route.totalMeters), DrawingText.time(route.totalSeconds), mode]
      .compactMap(\.self).joined(separator: " · ")
  }

  // MARK: - Floors

  package func floor(_ level: Double) -> String {
    var sheet = DrawingSheet(width: width)
    sheet.header(heading, nil)
    sheet.key(add([level], to: &sheet))
    return sheet.svg(title: [heading, name(level)].compactMap(\.self).joined(separator: ", "))
  }

  /// Returns the floors of the route in order, each with its maneuvers; without a route, returns all floors, starting
  /// at the top. At most ``mostFloors`` are returned.
  package func floors() -> String {
    var sheet = DrawingSheet(width: width)
    sheet.header(heading, route.map(Self.summary))
    let all = route.map { RouteFloors($0).levels } ?? groundLevels
    let signs = add(Array(all.prefix(Self.mostFloors)), to: &sheet)
    if all.count > Self.mostFloors { sheet.note("and \(all.count - Self.mostFloors) more floors") }
    sheet.key(signs)
    return sheet.svg(title: heading ?? "Floors")
  }

  private var groundLevels: [Double?] {
    let levels =
      ground.areas.flatMap(\.levels) + ground.lines.flatMap(\.levels)
      + ground.marks.flatMap(\.levels)
    return Set(levels.filter(\.isFinite)).sorted(by: >)
  }

  private func name(_ level: Double?) -> String {
    guard let level else { return "Outdoors" }
    return names[level].map { DrawingText.plain($0) } ?? "Floor \(DrawingText.number(level))"
  }

  private func add(_ levels: [Double?], to sheet: inout DrawingSheet) -> Set<Mark.Kind> {
    var signs: Set<Mark.Kind> = []
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
      if let route, let floors { sheet.legend(of: route, floors.maneuvers(on: level)) }
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
      return (change, name ?? "floor \(DrawingText.number(change.other))")
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
    if let route, let floors,
      let view = DrawingView(
        floors.pointsInView(on: level).map { route.points[$0] }, width: width, heights: heights,
        least: level == nil ? 100 : 48, margin: 70)
    {
      return view
    }
    guard let level else { return nil }
    let areas = ground.areas.lazy.filter { $0.levels.contains(level) }.flatMap(\.rings).joined()
    let lines = ground.lines.lazy.filter { $0.levels.contains(level) }.flatMap(\.points)
    return DrawingView(
      Array(areas) + lines, width: width, heights: heights, least: 20, margin: 24)
  }
}
