internal import CupolaCampus

// 1. Convert positions to pixels and clip lines and rings to a box.
// 2. Record occupied space with `OccupiedSpace`.

struct DrawingBox: Equatable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  init(_ middle: SIMD2<Double>, width: Double, height: Double) {
    self.init(
      left: middle.x - width / 2, top: middle.y - height / 2, right: middle.x + width / 2,
      bottom: middle.y + height / 2)
  }

  init?(_ points: some Sequence<SIMD2<Double>>) {
    var low = SIMD2(Double.infinity, .infinity)
    var high = -low
    for point in points { (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point)) }
    guard low.x <= high.x, low.y <= high.y else { return nil }
    self.init(left: low.x, top: low.y, right: high.x, bottom: high.y)
  }

  var width: Double { right - left }
  var height: Double { bottom - top }
  var middle: SIMD2<Double> { SIMD2((left + right) / 2, (top + bottom) / 2) }

  func grown(by pixels: Double) -> DrawingBox {
    DrawingBox(
      left: left - pixels, top: top - pixels, right: right + pixels, bottom: bottom + pixels)
  }

  func intersects(_ other: DrawingBox) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func contains(_ other: DrawingBox) -> Bool {
    left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
  }

  func contains(_ point: SIMD2<Double>) -> Bool {
    (left...right).contains(point.x) && (top...bottom).contains(point.y)
  }
}

/// The area that a drawing shows, as a plane with north up.
struct DrawingView {
  let width: Double
  let height: Double
  let scale: Double
  private let plane: MapPlane
  /// The number of pixels per 180° of longitude at the middle latitude.
  private let half: Double

  /// Creates a view that shows at least `least` meters, crossing the antimeridian if that is shorter; `nil` if no point
  /// is valid.
  init?(
    _ points: some Sequence<RoutePoint>, width: Double, heights: ClosedRange<Double>,
    least: Double, margin: Double
  ) {
    var first: Double?
    var (low, high) = (SIMD2(Double.infinity, .infinity), SIMD2(-Double.infinity, -.infinity))
    for point in points where point.isPlace {
      let start = first ?? point.longitude
      first = start
      let place = SIMD2(Degrees.turn(from: start, to: point.longitude), point.latitude)
      (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }
    guard let first,
      let middle = Position(
        latitude: (low.y + high.y) / 2,
        longitude: Degrees.turn(from: 0, to: first + (low.x + high.x) / 2))
    else { return nil }
    let shrink = SIMD2(Degrees.sinCos(middle.latitude).cos, 1)
    let meters = (high - low) * shrink * LocalPlane.metersPerDegree
    let wide = max(meters.x, least)
    let tall = max(meters.y, least * heights.lowerBound / width)
    let inner = SIMD2(width, heights.upperBound) - 2 * margin
    scale = min(inner.x / wide, inner.y / tall)
    plane = MapPlane(latitude: middle.latitude, longitude: middle.longitude)
    half = 180 * LocalPlane.metersPerDegree * shrink.x * scale
    self.width = width
    height = min(max(tall * scale + 2 * margin, heights.lowerBound), heights.upperBound).rounded()
  }

  var box: DrawingBox { DrawingBox(left: 0, top: 0, right: width, bottom: height) }

  func point(_ place: RoutePoint) -> SIMD2<Double>? {
    guard place.isPlace else { return nil }
    let meters = plane.point(place) * scale
    return SIMD2(width / 2 + meters.x, height / 2 - meters.y)
  }

  /// Returns a line or ring in pixels; empty if it goes around the far side of the Earth.
  func points(_ places: [RoutePoint]) -> [SIMD2<Double>] {
    let points = places.compactMap(point)
    let isTorn = zip(points, points.dropFirst()).contains { abs($1.x - $0.x) > half }
    return isTorn ? [] : points
  }
}

/// Clips shapes to the drawing, which limits the size of the output.
enum DrawingClip {
  /// Returns the parts of a line inside a box (Liang and Barsky 1984).
  static func line(_ points: [SIMD2<Double>], to box: DrawingBox) -> [[SIMD2<Double>]] {
    var parts: [[SIMD2<Double>]] = []
    var part: [SIMD2<Double>] = []
    for (start, end) in zip(points, points.dropFirst()) {
      guard let (low, high) = inside(start, end, box) else {
        if part.count > 1 { parts.append(part) }
        part = []
        continue
      }
      let way = end - start
      if part.isEmpty || low > 0 {
        if part.count > 1 { parts.append(part) }
        part = [start + way * low]
      }
      part.append(start + way * high)
      if high < 1 {
        parts.append(part)
        part = []
      }
    }
    if part.count > 1 { parts.append(part) }
    return parts
  }

  private static func inside(
    _ start: SIMD2<Double>, _ end: SIMD2<Double>, _ box: DrawingBox
  ) -> (low: Double, high: Double)? {
    let way = end - start
    var (low, high) = (0.0, 1.0)
    for (step, room) in [
      (-way.x, start.x - box.left), (way.x, box.right - start.x), (-way.y, start.y - box.top),
      (way.y, box.bottom - start.y),
    ] {
      if step == 0 {
        if room < 0 { return nil }
      } else if step < 0 {
        low = max(low, room / step)
      } else {
        high = min(high, room / step)
      }
    }
    return low <= high ? (low, high) : nil
  }

  /// Returns a ring clipped to a box (Sutherland and Hodgman 1974); empty if it is outside.
  static func ring(_ points: [SIMD2<Double>], to box: DrawingBox) -> [SIMD2<Double>] {
    var ring = points
    for (axis, limit, isLow) in [
      (0, box.left, true), (0, box.right, false), (1, box.top, true), (1, box.bottom, false),
    ] {
      guard var last = ring.last else { return [] }
      var cut: [SIMD2<Double>] = []
      cut.reserveCapacity(ring.count)
      var wasInside = isLow ? last[axis] >= limit : last[axis] <= limit
      for point in ring {
        let isInside = isLow ? point[axis] >= limit : point[axis] <= limit
        if isInside != wasInside {
          var crossing = last + (point - last) * ((limit - last[axis]) / (point[axis] - last[axis]))
          crossing[axis] = limit
          cut.append(crossing)
        }
        if isInside { cut.append(point) }
        (last, wasInside) = (point, isInside)
      }
      ring = cut
    }
    return ring.count > 2 ? ring : []
  }

  /// Removes points that cannot be distinguished visually from the previous one.
  static func thinned(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
    guard let first = points.first, let end = points.last else { return [] }
    var kept = [first]
    for point in points.dropFirst().dropLast() {
      if (point - kept[kept.count - 1]).squared >= 0.16 { kept.append(point) }
    }
    if points.count > 1 { kept.append(end) }
    return kept
  }
}

/// The occupied space in a drawing, used to prevent labels from overlapping.
struct OccupiedSpace {
  private let box: DrawingBox
  private let columns: Int
  private let rows: Int
  private var squares: [[DrawingBox]]

  private static let side = 48.0

  init(_ box: DrawingBox) {
    self.box = box
    columns = Int((box.width / Self.side).rounded(.up)) + 1
    rows = Int((box.height / Self.side).rounded(.up)) + 1
    squares = Array(repeating: [], count: columns * rows)
  }

  func isFree(_ other: DrawingBox) -> Bool {
    box.contains(other)
      && !numbers(other).contains { squares[$0].contains { $0.intersects(other) } }
  }

  mutating func take(_ other: DrawingBox) {
    for number in numbers(other) { squares[number].append(other) }
  }

  mutating func firstFree(_ boxes: [DrawingBox]) -> Int? {
    guard let index = boxes.firstIndex(where: isFree) else { return nil }
    take(boxes[index])
    return index
  }

  private func numbers(_ other: DrawingBox) -> [Int] {
    let left = column(other.left), right = column(other.right)
    let top = row(other.top), bottom = row(other.bottom)
    return (top...max(top, bottom)).flatMap { row in
      (left...max(left, right)).map { row * columns + $0 }
    }
  }

  private func column(_ x: Double) -> Int {
    Int(min(max((x - box.left) / Self.side, 0), Double(columns - 1)))
  }

  private func row(_ y: Double) -> Int {
    Int(min(max((y - box.top) / Self.side, 0), Double(rows - 1)))
  }
}
