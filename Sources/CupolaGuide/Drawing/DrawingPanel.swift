struct DrawingPanel {
  enum Scope: Equatable {
    /// Outdoor areas and buildings seen from above.
    case outdoors
    case floor(Double)
  }

  let view: DrawingView
  let ground: MapDrawing.Ground
  let scope: Scope
  let trace: RouteTrace?
  let attribution: String?
  var pins: [MapDrawing.Pin] = []

  /// The space that labels must not cover.
  var space: OccupiedSpace
  /// The route line's space, which labels must not cover but numbers may.
  var routeSpace: OccupiedSpace
  var names: Set<String> = []
  var signs: Set<MapDrawing.Mark.Kind> = []

  var signPlaces: Set<SIMD2<Double>> = []

  /// The maximum number of areas; the smallest ones are omitted to limit the output size.
  static let mostAreas = 6_000
  static let mostLines = 8_000
  static let mostMarks = 1_000
  static let mostPoints = 100_000
  static let mostLabels = 1_500

  init(
    _ view: DrawingView, ground: MapDrawing.Ground, scope: Scope, trace: RouteTrace?,
    attribution: String?
  ) {
    (self.view, self.ground, self.scope, self.trace) = (view, ground, scope, trace)
    self.attribution = attribution.map { DrawingText.plain($0) }
    space = OccupiedSpace(view.box.grown(by: -3))
    routeSpace = space
  }

  mutating func content() -> String {
    let (areas, lines) = (drawnAreas(), drawnLines())
    // Draw the most important items first, because earlier items get the space.
    let furniture = furniture()
    let ends = ends()
    let floorSigns = marks([.elevator, .stairs, .escalator], areas)
    let numbers = numbers() + pinNumbers()
    takeRoute()
    let changes = changes()
    let names = endNames()
    let arrows = arrows()
    let otherSigns = marks(
      Set(MapDrawing.Mark.Kind.allCases).subtracting([
        .elevator, .stairs, .escalator, .door,
      ]), [])
    let labels = labels(areas) + labels(lines) + markLabels()
    return SVGMarkup.rectangle(view.box, scope == .outdoors ? "ground" : "outside")
      + areaPaths(areas) + linePaths(lines)
      + marks([.door], []) + routePaths() + arrows + otherSigns + floorSigns + labels + numbers
      + changes + ends + names + furniture
  }

  func shows(_ levels: [Double], outdoors: Bool) -> Bool {
    switch scope {
    case .outdoors: outdoors && (levels.isEmpty || levels.contains(0))
    case .floor(let level): levels.isEmpty || levels.contains(level)
    }
  }

  private mutating func furniture() -> String {
    let most = 150 / view.scale
    var meters = 1.0
    for step in Self.roundLengths where step <= most { meters = step }
    let length = meters * view.scale
    let (left, y) = (14.0, view.height - 14)
    let text = DrawingText.length(meters) ?? ""
    let wide = DrawingText.width(text, size: 11)
    space.take(
      DrawingBox(left: 0, top: y - 22, right: left + max(length, wide) + 10, bottom: y + 14))
    var svg = SVGMarkup.path(
      SVGMarkup.trace([
        SIMD2(left, y - 5), SIMD2(left, y), SIMD2(left + length, y), SIMD2(left + length, y - 5),
      ]),
      "rule", width: 1.5)
    svg += SVGMarkup.text(text, at: SIMD2(left + 4, y - 5), size: 11, "ink halo end-name")
    let north = SIMD2(view.width - 20, 30.0)
    space.take(DrawingBox(north, width: 30, height: 50))
    svg += SVGMarkup.shape([(0, -20), (6, -2), (0, -6), (-6, -2)], at: north, "ink")
    svg += SVGMarkup.text("N", at: north + SIMD2(0, 11), size: 12, "m bold halo end-name")
    guard let attribution, !attribution.isEmpty else { return svg }
    let shown = DrawingText.shortened(attribution, width: view.width * 0.6, size: 10.5)
    space.take(
      DrawingBox(
        left: view.width - 16 - DrawingText.width(shown, size: 10.5), top: y - 6,
        right: view.width, bottom: view.height))
    return svg
      + SVGMarkup.text(
        shown, at: SIMD2(view.width - 10, view.height - 9), size: 10.5, "e halo end-name")
  }

  private static let roundLengths: [Double] = (0...7).flatMap { power in
    let unit = (0..<power).reduce(1.0) { product, _ in product * 10 }
    return [unit, 2 * unit, 5 * unit]
  }
}
