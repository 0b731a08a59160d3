internal import CupolaCampus

/// Buildings that people see from a way.
struct Landmarks: Sendable {
  /// A building with a name.
  struct Landmark: Sendable {
    let id: String
    let name: String
    fileprivate let plane: MapPlane
    fileprivate let outline: [SIMD2<Double>]
    fileprivate let radius: Double

    /// `nil` for ground that is no building with a name.
    init?(_ area: GroundArea) {
      guard area.kind == .building, let name = area.name, let ring = area.rings.first else {
        return nil
      }
      (id, self.name) = (area.id, name)
      let plane = MapPlane(around: ring.first)
      self.plane = plane
      outline = ring.map { plane.point($0) }
      radius = outline.reduce(0) { max($0, $1.length) }
    }
  }

  private var all: [Landmark]
  /// Buildings that are no landmarks of a way: those where it begins and ends.
  private var left: Set<String> = []

  /// Meters from which a building is taken for a landmark.
  private static let reach = 35.0

  init(_ landmarks: [Landmark]) { all = landmarks }

  /// The same without some.
  func without(_ ids: [String?]) -> Landmarks {
    var others = self
    others.left = Set(ids.compactMap(\.self))
    return others
  }

  /// The nearest one to a point of a way, and on which side it is.
  func near(_ point: Int, of assembly: RouteAssembly) -> (name: String, side: String)? {
    let place = assembly.points[point]
    guard !(assembly.segments.indices.contains(point - 1) && assembly.segments[point - 1].isIndoor),
      let heading = Bearing.near(point, of: assembly.points, step: -1)
    else { return nil }
    var best: (distance: Double, name: String, side: String)?
    for landmark in all where !left.contains(landmark.id) {
      let here = landmark.plane.point(latitude: place.latitude, longitude: place.longitude)
      guard here.length <= landmark.radius + Self.reach else { continue }
      let (distance, nearest) = SegmentDistance.nearest(to: here, of: landmark.outline)
      guard distance <= Self.reach, distance < best?.distance ?? .infinity, distance > 0.5,
        let toward = Self.bearing(nearest - here)
      else { continue }
      let turn = Bearing.turn(heading, toward)
      // What is straight ahead or behind is passed on no side.
      guard (30...150).contains(turn.magnitude) else { continue }
      best = (distance, landmark.name, turn > 0 ? "right" : "left")
    }
    return best.map { ($0.name, $0.side) }
  }

  /// The building whose wall a point is on, or that it is in.
  func building(at place: RoutePoint) -> String? {
    var best: (distance: Double, name: String)?
    for landmark in all {
      let here = landmark.plane.point(latitude: place.latitude, longitude: place.longitude)
      guard here.length <= landmark.radius + 3 else { continue }
      let distance = SegmentDistance.nearest(to: here, of: landmark.outline).distance
      if distance < min(3, best?.distance ?? .infinity) { best = (distance, landmark.name) }
    }
    return best?.name
  }

  private static func bearing(_ way: SIMD2<Double>) -> Double? {
    way.squared > 0 ? Bearing.azimuth(way) : nil
  }
}
