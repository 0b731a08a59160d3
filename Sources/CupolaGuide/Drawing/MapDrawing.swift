internal import CupolaCampus

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
