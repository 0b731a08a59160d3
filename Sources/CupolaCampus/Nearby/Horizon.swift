#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
