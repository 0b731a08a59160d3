#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Outlines within reach are moved to meters east and north of the position.
// 2. `Horizon` finds the nearest outline in each direction, from 16 places within the error.
// 3. The mean over the places tells how often a building is seen in each direction.
// 4. `shares` weights the directions by the heading and sums them for each building.

/// Which part of the view each building takes from a place that is known within some meters.
///
/// Nearer buildings hide those behind them. The view is the mean over places drawn within the error;
/// places inside of a building do not count, because nobody photographs a building from there.
package struct Panorama: Sendable {
  /// Meters up to which buildings are seen.
  package static let reach = 1000.0
  /// Meters within which no position is better known: beside walls phones are surer than they may be.
  package static let leastError = 10.0
  /// Meters of error beyond which no wider look is taken.
  package static let mostError = 150.0
  /// Each axis errs by this share of the radius within which a position is right.
  private static let deviation = 0.66
  private static let placeCount = 16
  /// Directions that are told apart.
  package static let directions = Horizon.directions
  /// The places that are looked from, for an error of 1 m.
  package static var looks: [SIMD2<Double>] { places(deviation) }

  /// How many outlines there are.
  private let count: Int
  /// The numbers of those that are near enough.
  private let near: [Int]
  /// For each of these ``Horizon/directions`` shares of places.
  private var seen: [Double]

  /// Looks around; buildings without an outline are not seen.
  ///
  /// - Parameter error: meters within which the position is right.
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

  /// The share of the view that each building takes, 0...1; all together 1 at most.
  ///
  /// What is in the middle of the view counts more, and a compass that errs blurs it.
  /// - Parameters:
  ///   - heading: degrees clockwise from true north; `nil` looks everywhere.
  ///   - deviation: degrees by which the heading is off the middle of what is photographed.
  ///   - uniformShare: the share of headings that mean nothing.
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

  /// Rings of the outlines that are near enough, moved to where they are from the position.
  private static func near(
    _ outlines: [BuildingOutline?], _ position: Position, within meters: Double
  ) -> [(number: Int, rings: [[SIMD2<Double>]])] {
    outlines.enumerated().compactMap { number, outline in
      guard let outline, outline.distance(from: position) <= meters else { return nil }
      let way = LocalPlane.meters(from: position, to: outline.center)
      let middle = SIMD2(way.east, way.north)
      return (number, outline.rings.map { ring in ring.map { $0 + middle } })
    }
  }

  /// Places spread as a round Gaussian around the middle: the golden angle, and equal shares.
  private static func places(_ deviation: Double) -> [SIMD2<Double>] {
    (0..<placeCount).map { place in
      let (sine, cosine) = Degrees.sinCos(137.507_764 * Double(place))
      let rest = 1 - (Double(place) + 0.5) / Double(placeCount)
      return SIMD2(sine, cosine) * (deviation * (-2 * log(rest)).squareRoot())
    }
  }
}

/// What is nearest in each direction from one point of a plane: a nearer outline hides those behind it.
struct Horizon {
  /// Directions that are told apart; each stands for 3 degrees.
  static let directions = 120
  /// Degrees.
  static let step = 360 / Double(directions)

  /// East and north of the middle of each direction, clockwise from north.
  private static let rays: [SIMD2<Double>] = (0..<directions).map { direction in
    let (sine, cosine) = Degrees.sinCos((Double(direction) + 0.5) * step)
    return SIMD2(sine, cosine)
  }

  /// The number of the outline that is nearest in each direction; -1 for none.
  private(set) var nearest = [Int](repeating: -1, count: directions)
  /// The number of an outline that the point lies inside of.
  private(set) var surrounding: Int?
  private var distances: [Double]
  private let point: SIMD2<Double>

  /// - Parameter reach: meters beyond which nothing is seen.
  init(from point: SIMD2<Double>, reach: Double) {
    self.point = point
    distances = [Double](repeating: reach, count: Self.directions)
  }

  /// Puts an outline into the view.
  mutating func add(_ rings: [[SIMD2<Double>]], number: Int) {
    var isInside = false
    for ring in rings where winds(ring, number) { isInside.toggle() }
    if isInside { surrounding = number }
  }

  /// Puts a ring into the view; whether it goes around the point.
  private mutating func winds(_ ring: [SIMD2<Double>], _ number: Int) -> Bool {
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

  /// Puts an edge into the view, which begins at an angle and is so many degrees wide.
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
      // Not a number, and so not less, along the edge itself.
      if distance >= 0, distance < distances[direction] {
        distances[direction] = distance
        nearest[direction] = number
      }
    }
  }
}
