internal import Cupola

// 1. Choose a scale that shows the fence, the buildings and the suggested positions (`Frame`).
// 2. Draw the fence, the footprints and the photos, each photo with a line to its building.
// 3. Draw where to stand next, the names of buildings, a legend and a scale bar.

/// A drawing of the campus with the positions of photos and suggested positions.
package struct CheckMap {
  private let report: CheckReport
  private let campus: Campus
  private let frame: Frame
  /// The buildings with photos, in the order of their colors.
  private let labels: [String]

  private static let width = 1000.0
  private static let heights = 300.0...1400.0
  private static let margin = 40.0
  private static let legendHeight = 64.0
  private static let colors = 6

  /// Returns `nil` for a check without a map.
  package init?(_ report: CheckReport) {
    guard let campus = report.check.campus,
      let frame = Frame(campus, report.check.coverage.flatMap(\.shots).map(\.position))
    else { return nil }
    (self.report, self.campus, self.frame) = (report, campus, frame)
    labels = Set(report.check.viewpoints.map(\.label)).sorted()
  }

  /// The SVG file.
  package var svg: String {
    let check = report.check
    let counts = Dictionary(grouping: check.viewpoints, by: \.label).mapValues(\.count)
    let shown = check.viewpoints.filter { frame.shows($0.position) }
    let shots = check.coverage.flatMap { building in building.shots.map { (building.label, $0) } }
    let parts = [
      SVG.title("Photos of \(report.folder)"), SVG.element("style", [], Self.style),
      SVG.rectangle(x: 0, y: 0, width: Self.width, height: frame.height, "ground"),
      fence, buildings(counts), spokes(shown), shown.map(photo).joined(),
      shots.map { shot($0.0, $0.1) }.joined(), names(counts),
      legend(shown: shown.count, shots: shots.count),
      scaleBar,
    ]
    return SVG.element(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("width", Self.width), ("height", frame.height),
        ("viewBox", "0 0 \(Self.width.svg) \(frame.height.svg)"),
        ("font-family", "system-ui, sans-serif"), ("font-size", 13.0),
      ], parts.joined()) + "\n"
  }

  /// The positions in pixels, with north up.
  private struct Frame {
    let height: Double
    let scale: Double
    private let origin: Position
    private let left: Double
    private let top: Double

    init?(_ campus: Campus, _ shots: [Position]) {
      let polygons = campus.geofence.polygons + campus.buildings.flatMap(\.footprint)
      let corners = polygons.flatMap(\.rings).joined().map { ($0.latitude, $0.longitude) }
      let points = (campus.buildings.compactMap(\.position) + shots).map {
        ($0.latitude, $0.longitude)
      }
      guard let first = points.first ?? corners.first,
        let origin = Position(
          latitude: first.0, longitude: Degrees.turn(from: 0, to: first.1))
      else { return nil }
      let meters = (corners + points).map {
        LocalPlane.meters(from: origin, latitude: $0.0, longitude: $0.1)
      }
      let (east, north) = (meters.map(\.east), meters.map(\.north))
      guard let west = east.min(), let farEast = east.max(), let south = north.min(),
        let farNorth = north.max()
      else { return nil }
      let inner = (
        x: CheckMap.width - 2 * CheckMap.margin,
        y: CheckMap.heights.upperBound - 2 * CheckMap.margin - CheckMap.legendHeight
      )
      // Show at least 100 m, so that a single building does not fill the drawing.
      let (wide, tall) = (max(farEast - west, 100), max(farNorth - south, 1))
      scale = min(inner.x / wide, inner.y / tall)
      left = CheckMap.width / 2 - scale * (west + farEast) / 2
      let room = max(scale * tall, CheckMap.heights.lowerBound)
      height = (room + 2 * CheckMap.margin + CheckMap.legendHeight).rounded()
      top = CheckMap.margin + room / 2 + scale * (south + farNorth) / 2
      self.origin = origin
    }

    func point(latitude: Double, longitude: Double) -> (x: Double, y: Double) {
      let meters = LocalPlane.meters(from: origin, latitude: latitude, longitude: longitude)
      return (left + scale * meters.east, top - scale * meters.north)
    }

    func point(_ position: Position) -> (x: Double, y: Double) {
      point(latitude: position.latitude, longitude: position.longitude)
    }

    func shows(_ position: Position) -> Bool {
      let (x, y) = point(position)
      return (0...CheckMap.width).contains(x) && (0...height - CheckMap.legendHeight).contains(y)
    }

    /// Returns all rings as one path, without corners that look the same as the previous one.
    func trace(_ polygons: [Polygon]) -> String {
      polygons.flatMap(\.rings).map { ring in
        var kept: [(x: Double, y: Double)] = []
        for vertex in ring.dropLast() {
          let (x, y) = point(latitude: vertex.latitude, longitude: vertex.longitude)
          if let last = kept.last, abs(last.x - x) + abs(last.y - y) < 0.3 { continue }
          kept.append((x, y))
        }
        return SVG.trace(kept, closed: true)
      }.joined()
    }
  }

  // MARK: - Campus

  private var fence: String {
    SVG.element(
      "path", [("d", frame.trace(campus.geofence.polygons)), ("class", "fence")],
      SVG.title("fence"))
  }

  private func buildings(_ counts: [String: Int]) -> String {
    campus.buildings.map { building in
      let count = counts[building.label] ?? 0
      let title = SVG.title(
        "\(building.name): \(FigureText.count(count, "photo")) with a position")
      let style = count > 0 ? "building" : "building bare"
      guard building.footprint.isEmpty else {
        return SVG.element(
          "path", [("d", frame.trace(building.footprint)), ("class", style)], title)
      }
      guard let (x, y) = building.position.map(frame.point) else { return "" }
      return SVG.element(
        "rect",
        [("x", x - 5), ("y", y - 5), ("width", 10.0), ("height", 10.0), ("class", style)], title)
    }.joined()
  }

  // MARK: - Photos and suggested positions

  private func color(_ label: String) -> String {
    "c\((labels.firstIndex(of: label) ?? 0) % Self.colors)"
  }

  /// Lines from photos to their buildings, because colors repeat.
  private func spokes(_ photos: [DatasetCheck.Viewpoint]) -> String {
    let places = Dictionary(
      campus.buildings.compactMap { building in building.position.map { (building.label, $0) } }
    ) { first, _ in first }
    return labels.map { label in
      guard let center = places[label].map(frame.point) else { return "" }
      let traces = photos.filter { $0.label == label }.map {
        SVG.trace([frame.point($0.position), center], closed: false)
      }
      return traces.isEmpty
        ? ""
        : SVG.element(
          "path", [("d", traces.joined()), ("class", "spoke line-\(color(label))")])
    }.joined()
  }

  private func photo(_ photo: DatasetCheck.Viewpoint) -> String {
    let (x, y) = frame.point(photo.position)
    return SVG.element(
      "circle",
      [("cx", x), ("cy", y), ("r", 4.0), ("class", "photo \(color(photo.label))")],
      SVG.title(photo.name))
  }

  private func shot(_ label: String, _ shot: BuildingCoverage.SuggestedPhoto) -> String {
    let (x, y) = frame.point(shot.position)
    let (east, north) = Degrees.sinCos(shot.heading)
    return SVG.element(
      "g", [("class", "shot")],
      SVG.title("stand here: \(label) from \(shot.side)") + SVG.circle(x, y, radius: 6, "stand")
        + SVG.line(
          from: (x + 6 * east, y - 6 * north), to: (x + 18 * east, y - 18 * north), "view"))
  }

  /// Names of buildings with photos first; names that would overlap another one are left to the tooltips.
  private func names(_ counts: [String: Int]) -> String {
    let ordered = campus.buildings.enumerated().sorted {
      (counts[$1.element.label] ?? 0, $0.offset) < (counts[$0.element.label] ?? 0, $1.offset)
    }.map(\.element)
    var taken: [(x: Double, y: Double, width: Double)] = []
    var names = ""
    for building in ordered {
      guard let (x, y) = building.position.map(frame.point) else { continue }
      let name = String(building.name.prefix(30))
      let width = 7.5 * Double(name.count)
      guard
        !taken.contains(where: { abs($0.y - y) < 15 && abs($0.x - x) < ($0.width + width) / 2 })
      else { continue }
      taken.append((x, y, width))
      names += SVG.text(name, x: x, y: y + 4, anchor: .middle, "name")
    }
    return names
  }

  // MARK: - Legend

  private func legend(shown: Int, shots: Int) -> String {
    let check = report.check
    let y = frame.height - Self.legendHeight + 22
    let without = check.ofBuildings - check.viewpoints.count
    let beyond = check.viewpoints.count - shown
    var photos = FigureText.count(shown, "photo") + ", with a line to the building"
    if beyond > 0 { photos += "; \(beyond) outside this map" }
    if without > 0 { photos += "; \(without) without a position" }
    let advice =
      shots > 0
      ? "\(FigureText.count(shots, "suggested position")), one for each side without photos"
      : "no suggested positions"
    return SVG.circle(Self.margin, y - 4, radius: 4, "photo c0")
      + SVG.text(photos, x: Self.margin + 30, y: y, "note")
      + SVG.circle(Self.margin, y + 20, radius: 6, "stand")
      + SVG.line(from: (Self.margin + 6, y + 20), to: (Self.margin + 18, y + 20), "view")
      + SVG.text(advice, x: Self.margin + 30, y: y + 24, "note")
  }

  private var scaleBar: String {
    let longest = 200 / frame.scale
    let lengths = [5_000.0, 2_000, 1_000, 500, 200, 100, 50, 20, 10]
    guard let meters = lengths.first(where: { $0 <= longest }) else { return "" }
    let (right, y) = (Self.width - Self.margin, frame.height - Self.legendHeight + 18)
    return SVG.line(from: (right - meters * frame.scale, y), to: (right, y), "view")
      + SVG.text("\(Int(meters)) m, north is up", x: right, y: y + 20, anchor: .end, "note")
  }

  private static let style = """
    .ground{fill:#fff}.fence{fill:#f3f6ee;fill-rule:evenodd;stroke:#6b7d4f;stroke-width:2;\
    stroke-dasharray:8 5}.building{fill:#d8d4cc;fill-rule:evenodd;stroke:#8a8478}\
    .bare{fill:#f0eeea;stroke-dasharray:3 3}.spoke{fill:none;opacity:.3}\
    .photo{stroke:#fff;stroke-width:1}.stand{fill:#fff;stroke:#111;stroke-width:2}\
    .view{stroke:#111;stroke-width:2}.note,.name{fill:#111}\
    .name{paint-order:stroke;stroke:#fff;stroke-width:3px;font-size:12px}\
    .c0{fill:#0072b2}.c1{fill:#d55e00}.c2{fill:#009e73}.c3{fill:#cc79a7}.c4{fill:#e69f00}.c5{fill:#56b4e9}\
    .line-c0{stroke:#0072b2}.line-c1{stroke:#d55e00}.line-c2{stroke:#009e73}.line-c3{stroke:#cc79a7}\
    .line-c4{stroke:#e69f00}.line-c5{stroke:#56b4e9}
    """
}
