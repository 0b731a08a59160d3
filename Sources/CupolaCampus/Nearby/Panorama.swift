#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Convert the outlines of nearby buildings to meters east and north of the position.
// 2. From each of 16 points within the position's error, find the nearest outline in each direction (`Horizon`).
// 3. Average over the points to get how often each building is visible in each direction.
// 4. `shares` weights the directions by the heading and sums them for each building.

/// The fraction of the view that each building fills, from an uncertain position.
///
/// Nearer buildings hide those behind them. The view is averaged over sample points within the position's error. Points
/// inside a building are skipped, because photos of buildings are taken from outside.
package struct Panorama: Sendable {
  /// The maximum distance of visible buildings, in meters.
  package static let reach = 1000.0
  /// The minimum position error in meters, because phones near walls report errors that are too small.
  package static let leastError = 10.0
  /// The maximum position error in meters; larger errors are reduced to it.
  package static let mostError = 150.0
  /// The standard deviation per axis, relative to the position error.
  private static let deviation = 0.66
  private static let placeCount = 16
  package static let directions = Horizon.directions
  /// The sample points for an error of 1 m.
  package static var samplePoints: [SIMD2<Double>] { places(deviation) }

  private let count: Int
  private let near: [Int]
  /// For each of these buildings, the fraction of sample points from which it is visible in each of
  /// ``Horizon/directions``.
  private var seen: [Double]

  /// Computes the view from a position whose error is in meters. Buildings without an outline are not visible.
  package init(of outlines: [BuildingOutline?], from position: Position, error: Double) {
    let error = min(max(error, Self.leastError), Self.mostError)
    let placed = Self.near(outlines, position, within: Self.reach + error)
    count = outlines.count
    near = placed.map(\.number)
    seen = [Double](repeating: 0, count: near.count * Horizon.directions)
    var inside: [Int: Int] = [:]
    var views = 0
    for place in Self.places(error * Self.deviation) {
      var horizon = Horizon(from: place, reach: Self.reach)
      for (index, outline) in placed.enumerated() { horizon.add(outline.rings, number: index) }
      if let surrounding = horizon.surrounding {
        inside[surrounding, default: 0] += 1
        continue
      }
      views += 1
      for (direction, building) in horizon.nearest.enumerated() where building >= 0 {
        seen[building * Horizon.directions + direction] += 1
      }
    }
    if views > 0 {
      for index in seen.indices { seen[index] /= Double(views) }
    } else if let most = inside.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
      for index in 0..<Horizon.directions { seen[most.key * Horizon.directions + index] = 1 }
    }
  }

  /// Returns the fraction of the view that each building fills, 0...1. The sum is at most 1.
  ///
  /// - Parameters:
  ///   - heading: Degrees clockwise from true north; `nil` weights all directions equally.
  ///   - deviation: The standard deviation, in degrees, of the angle between the heading and the photographed building.
  ///   - uniformShare: The fraction of headings that are assumed to be meaningless.
  package func shares(
    toward heading: Double?, deviation: Double, uniformShare: Double
  ) -> [Double] {
    let weights = Self.weights(toward: heading, deviation, uniformShare)
    var shares = [Double](repeating: 0, count: count)
    for (index, building) in near.enumerated() {
      for direction in 0..<Horizon.directions {
        shares[building] += weights[direction] * seen[index * Horizon.directions + direction]
      }
    }
    return shares
  }

  private static func weights(
    toward heading: Double?, _ deviation: Double, _ uniformShare: Double
  ) -> [Double] {
    let even = 1 / Double(Horizon.directions)
    guard let heading else { return [Double](repeating: even, count: Horizon.directions) }
    let weights = (0..<Horizon.directions).map { direction in
      let turn = ((Double(direction) + 0.5) * Horizon.step - heading).remainder(dividingBy: 360)
      return exp(-turn * turn / (2 * deviation * deviation))
    }
    let sum = weights.reduce(0, +)
    return weights.map { (1 - uniformShare) * $0 / sum + uniformShare * even }
  }

  private static func near(
    _ outlines: [BuildingOutline?], _ position: Position, within meters: Double
  ) -> [(number: Int, rings: [[SIMD2<Double>]])] {
    outlines.enumerated().compactMap { number, outline in
      guard let outline, outline.distance(from: position) <= meters else { return nil }
      let offset = LocalPlane.meters(from: position, to: outline.center)
      let middle = SIMD2(offset.east, offset.north)
      return (number, outline.rings.map { ring in ring.map { $0 + middle } })
    }
  }

  /// Samples a circular Gaussian at points of equal probability, spread by the golden angle.
  private static func places(_ deviation: Double) -> [SIMD2<Double>] {
    (0..<placeCount).map { place in
      let (sine, cosine) = Degrees.sinCos(137.507_764 * Double(place))
      let rest = 1 - (Double(place) + 0.5) / Double(placeCount)
      return SIMD2(sine, cosine) * (deviation * (-2 * log(rest)).squareRoot())
    }
  }
}

/// The nearest outline in each direction from a point; nearer outlines hide those behind them.
struct Horizon {
  /// The number of directions, each 3 degrees wide.
  static let directions = 120
  static let step = 360 / Double(directions)

  /// The unit vectors of the directions' centers, clockwise from north.
  private static let rays: [SIMD2<Double>] = (0..<directions).map { direction in
    let (sine, cosine) = Degrees.sinCos((Double(direction) + 0.5) * step)
    return SIMD2(sine, cosine)
  }

  /// The index of the nearest outline in each direction, or -1.
  private(set) var nearest = [Int](repeating: -1, count: directions)
  private(set) var surrounding: Int?
  private var distances: [Double]
  private let point: SIMD2<Double>

  /// Creates an empty horizon with a maximum visible distance in meters.
  init(from point: SIMD2<Double>, reach: Double) {
    self.point = point
    distances = [Double](repeating: reach, count: Self.directions)
  }

  mutating func add(_ rings: [[SIMD2<Double>]], number: Int) {
    var isInside = false
    for ring in rings where addRing(ring, number) { isInside.toggle() }
    if isInside { surrounding = number }
  }

  /// Adds a ring. Returns whether it encloses the point.
  private mutating func addRing(_ ring: [SIMD2<Double>], _ number: Int) -> Bool {
    guard let first = ring.first else { return false }
    var start = first - point
    var startAngle = atan2(start.x, start.y) * (180 / .pi)
    var turned = 0.0
    for corner in ring.dropFirst() {
      let end = corner - point
      let endAngle = atan2(end.x, end.y) * (180 / .pi)
      let turn = (endAngle - startAngle).remainder(dividingBy: 360)
      turned += turn
      draw(
        from: start, along: end - start, angles: min(turn, 0) + startAngle, turn.magnitude, number)
      (start, startAngle) = (end, endAngle)
    }
    return turned.magnitude > 180
  }

  /// Adds an edge that starts at an angle and spans `width` degrees.
  private mutating func draw(
    from start: SIMD2<Double>, along edge: SIMD2<Double>, angles angle: Double, _ width: Double,
    _ number: Int
  ) {
    let first = Int((angle / Self.step - 0.5).rounded(.up))
    let last = Int(((angle + width) / Self.step - 0.5).rounded(.down))
    guard first <= last else { return }
    let area = start.x * edge.y - start.y * edge.x
    for index in first...last {
      let direction = (index + 2 * Self.directions) % Self.directions
      let ray = Self.rays[direction]
      let distance = area / (ray.x * edge.y - ray.y * edge.x)
      // The distance is NaN along the edge itself, which makes the comparison false.
      if distance >= 0, distance < distances[direction] {
        distances[direction] = distance
        nearest[direction] = number
      }
    }
  }
}
