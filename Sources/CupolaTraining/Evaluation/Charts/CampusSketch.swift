#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

internal import Cupola

/// Fence and footprints as a small drawing, with the place of a photo: no tiles, no network.
struct CampusSketch {
  let campus: Campus
  private let plane: Plane
  /// What never changes from photo to photo; shown by reference.
  let ground: String

  /// The name that drawings refer to ``ground`` by.
  static let groundName = "campus-ground"
  private static let side = 240.0

  /// `nil` where the map has nothing to draw.
  init?(_ campus: Campus) {
    let fence = campus.geofence.polygons.flatMap(\.rings)
    let buildings = campus.buildings.flatMap { $0.footprint.flatMap(\.rings) }
    let points = campus.buildings.compactMap(\.position).map {
      Polygon.Vertex(longitude: $0.longitude, latitude: $0.latitude)
    }
    // Buildings show more than a fence far around them, and it is cut off where it does not fit.
    let corners = buildings.joined() + points
    guard let plane = Plane(corners.isEmpty ? Array(fence.joined()) : Array(corners)) else {
      return nil
    }
    self.campus = campus
    self.plane = plane
    var drawing = ""
    for polygon in campus.geofence.polygons {
      drawing += Self.area(polygon, plane, "map-fence")
    }
    for building in campus.buildings {
      drawing += Self.shape(building, plane, "map-footprint")
    }
    ground = drawing
  }

  /// The drawing that the others refer to, itself not shown.
  var definition: String {
    SVG.element("symbol", [("id", Self.groundName), ("overflow", "visible")], ground)
  }

  /// The place of a photo, what it shows and what it was taken for; `nil` without a place.
  func svg(at position: Position?, heading: Double?, truth: String, answer: String?) -> String? {
    guard let position else { return nil }
    let (x, y) = plane.point(longitude: position.longitude, latitude: position.latitude)
    var drawing = SVG.element("use", [("href", "#" + Self.groundName)])
    if let answer, answer != truth, let building = campus.building(labeled: answer) {
      drawing += Self.shape(building, plane, "map-answered")
    }
    if let building = campus.building(labeled: truth) {
      drawing += Self.shape(building, plane, "map-true")
    }
    if let heading { drawing += Self.view(x, y, heading) }
    drawing += SVG.circle(x, y, radius: 5, "map-camera")
    let isInside = (0...Self.side).contains(x) && (0...Self.side).contains(y)
    let label =
      "Map: where the photo was taken, \(truth)"
      + (answer.map { $0 == truth ? "" : " and \($0), which it was taken for" } ?? "")
      + (isInside ? "" : "; the place is beyond the edge of the map")
    return SVG.picture(width: Self.side, height: Self.side, label: label, drawing)
  }

  /// What the camera saw: a wedge of 60 degrees.
  private static func view(_ x: Double, _ y: Double, _ heading: Double) -> String {
    let ends = [heading - 30, heading + 30].map { degrees -> (x: Double, y: Double) in
      let angle = degrees * .pi / 180
      return (x + 34 * sin(angle), y - 34 * cos(angle))
    }
    return SVG.path([(x, y)] + ends, closed: true, "map-view")
  }

  private static func shape(_ building: Building, _ plane: Plane, _ style: String) -> String {
    if building.footprint.isEmpty {
      guard let position = building.position else { return "" }
      let (x, y) = plane.point(longitude: position.longitude, latitude: position.latitude)
      return SVG.rectangle(
        x: x - 5, y: y - 5, width: 10, height: 10, style, title: building.name)
    }
    return building.footprint.map { area($0, plane, style, title: building.name) }.joined()
  }

  private static func area(
    _ polygon: Polygon, _ plane: Plane, _ style: String, title: String? = nil
  ) -> String {
    let rings = polygon.rings.map { ring in
      SVG.trace(
        ring.dropLast().map { plane.point(longitude: $0.longitude, latitude: $0.latitude) },
        closed: true)
    }
    return SVG.element(
      "path", [("d", rings.joined()), ("class", style), ("fill-rule", "evenodd")],
      title.map { SVG.title($0) } ?? "")
  }

  /// The Earth as a plane, north up, with a margin around some places.
  private struct Plane {
    private let west: Double
    private let north: Double
    private let perDegreeNorth: Double
    private let perDegreeEast: Double
    private let origin: Double

    init?(_ corners: [Polygon.Vertex]) {
      guard let first = corners.first else { return nil }
      // Across the antimeridian the short way.
      let east = corners.map { Degrees.turn(from: first.longitude, to: $0.longitude) }
      let latitudes = corners.map(\.latitude)
      let (low, high) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
      let (left, right) = (east.min() ?? 0, east.max() ?? 0)
      let shrink = max(cos((low + high) / 2 * .pi / 180), 0.01)
      // At least a hundred meters or so, about a single point.
      let span = max(high - low, (right - left) * shrink, 1e-3)
      perDegreeNorth = CampusSketch.side * 0.84 / span
      perDegreeEast = perDegreeNorth * shrink
      origin = first.longitude
      west = (left + right) / 2 - CampusSketch.side / 2 / perDegreeEast
      north = (low + high) / 2 + CampusSketch.side / 2 / perDegreeNorth
    }

    func point(longitude: Double, latitude: Double) -> (x: Double, y: Double) {
      (
        (Degrees.turn(from: origin, to: longitude) - west) * perDegreeEast,
        (north - latitude) * perDegreeNorth
      )
    }
  }
}
