/// Cuts off what is outside of a drawing, so that it is never larger than what it shows.
enum DrawingClip {
  /// The parts of a line inside of a box (Liang and Barsky 1984).
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

  /// Between which fractions a segment is inside of a box; `nil` for nowhere.
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

  /// A ring cut to a box (Sutherland and Hodgman 1974); empty outside of it.
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

  /// Without points that no one can tell from the one before.
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
