internal import CupolaSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Place names inside areas, starting with the most useful names.
// 2. Place names along the longest straight sections of lines.

extension DrawingPanel {
  /// Draws the names of areas that have room for them: first areas next to the route, then the largest areas.
  mutating func labels(_ areas: [DrawnArea]) -> String {
    let named = areas.filter {
      $0.label != nil && ($0.kind != .building || scope == .outdoors)
    }
    let ranks = named.map(rank)
    let order = named.indices.sorted { (ranks[$1], $0) < (ranks[$0], $1) }
    return order.prefix(Self.mostLabels).map { label(named[$0]) }.joined()
  }

  private func rank(_ area: DrawnArea) -> Double {
    let base: Double =
      switch area.kind {
      case .park, .water, .area: area.size * 0.05
      default: area.size
      }
    return routeSpace.isFree(area.box.grown(by: 30)) ? base : base * 8 + 1_000
  }

  private mutating func label(_ area: DrawnArea) -> String {
    guard let label = area.label, area.size >= 140, !names.contains(label) else { return "" }
    for (lines, size) in Self.settings(area.kind, label) {
      let wide = DrawingText.width(lines, size: size) + 2
      let tall = Double(lines.count) * size * 1.15 + 2
      let spots = Self.spots(area, width: wide, height: tall)
      let boxes = spots.map { DrawingBox($0, width: wide, height: tall) }
      guard let box = firstClear(boxes) else { continue }
      space.take(box)
      if area.kind != .room { names.insert(label) }
      return SVGMarkup.text(
        lines: lines, at: box.middle, size: size, "m halo " + Self.style(area.kind))
    }
    return ""
  }

  private static func style(_ kind: MapDrawing.Area.Kind) -> String {
    switch kind {
    case .park: "land park-name"
    case .water: "land water-name"
    case .area: "land name"
    case .building: "bold name"
    default: "name"
    }
  }

  private static func settings(
    _ kind: MapDrawing.Area.Kind, _ label: String
  ) -> [(lines: [String], size: Double)] {
    guard kind.rawValue > MapDrawing.Area.Kind.building.rawValue else {
      return [(DrawingText.name(label, size: 12), 12), (DrawingText.name(label, size: 10.5), 10.5)]
    }
    return [12, 10.5, 9.5].flatMap { size in
      [
        (DrawingText.lines(label, width: 1_000, size: size, most: 1), size),
        (DrawingText.name(label, size: size * 0.4), size),
      ]
    }
  }

  /// Returns positions for a text in an area: first those fully inside, then those with only the middle inside.
  private static func spots(
    _ area: DrawnArea, width: Double, height: Double
  ) -> [SIMD2<Double>] {
    var inside: [SIMD2<Double>] = []
    var about: [SIMD2<Double>] = []
    for step in [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82] {
      let y = area.box.top + area.box.height * step
      let top = gaps(area.rings, at: y - height / 2)
      let bottom = gaps(area.rings, at: y + height / 2)
      let middle = gaps(area.rings, at: y)
      let common = shared(shared(top, middle), bottom)
      if let best = widest(common), best.1 - best.0 >= width {
        inside.append(SIMD2((best.0 + best.1) / 2, y))
        // Also try both sides, because a route may cross the middle.
        inside.append(SIMD2(best.0 + width / 2 + 2, y))
        inside.append(SIMD2(best.1 - width / 2 - 2, y))
      }
      if let best = widest(middle) { about.append(SIMD2((best.0 + best.1) / 2, y)) }
    }
    let isIndoor = area.kind.rawValue > MapDrawing.Area.Kind.building.rawValue
    let most = isIndoor ? area.box.width * 0.95 : area.box.width * 2.2 + 30
    return width <= most ? inside + about : inside
  }

  /// Returns the intervals in which a horizontal line is inside the rings, from left to right.
  private static func gaps(_ rings: [[SIMD2<Double>]], at y: Double) -> [(Double, Double)] {
    var crossings: [Double] = []
    for ring in rings {
      guard var last = ring.last else { continue }
      for point in ring {
        if (last.y <= y) != (point.y <= y) {
          crossings.append(last.x + (point.x - last.x) * ((y - last.y) / (point.y - last.y)))
        }
        last = point
      }
    }
    crossings.sort()
    let gaps = stride(from: 0, to: crossings.count - 1, by: 2).map {
      (crossings[$0], crossings[$0 + 1])
    }
    // An outline may have thousands of narrow gaps; keep the widest.
    guard gaps.count > 16 else { return gaps }
    return Array(gaps.sorted { $1.1 - $1.0 < $0.1 - $0.0 }.prefix(16))
  }

  private static func shared(
    _ first: [(Double, Double)], _ second: [(Double, Double)]
  ) -> [(Double, Double)] {
    first.flatMap { one in
      second.compactMap { other in
        let (low, high) = (max(one.0, other.0), min(one.1, other.1))
        return low < high ? (low, high) : nil
      }
    }
  }

  private static func widest(_ gaps: [(Double, Double)]) -> (Double, Double)? {
    gaps.max { $0.1 - $0.0 < $1.1 - $1.0 }
  }

  mutating func labels(_ lines: [DrawnLine]) -> String {
    let named = lines.indices.filter { lines[$0].label != nil && lines[$0].kind != .crossing }
    let order = named.sorted { (lines[$1].length, $0) < (lines[$0].length, $1) }
    var positions: [String: [SIMD2<Double>]] = [:]
    var svg = ""
    for index in order.prefix(Self.mostLabels) {
      guard let label = lines[index].label else { continue }
      let text = DrawingText.shortened(label, width: 220, size: 11)
      let wide = DrawingText.width(text, size: 11)
      let parts = lines[index].parts.flatMap { Self.straight($0, least: wide + 8) }
      for part in parts {
        // A street consists of many ways with the same name, so leave 320 pixels between labels.
        let isNear = positions[label, default: []].contains {
          ($0 - part.middle).squared < 320 * 320
        }
        guard !isNear, let place = place(part, width: wide) else { continue }
        positions[label, default: []].append(place)
        let style = lines[index].kind == .street ? "m halo way-name" : "m halo land way-name"
        svg += SVGMarkup.text(text, at: place, size: 11, style, turned: part.degrees)
      }
    }
    return svg
  }

  private static let slides: [Double] = [0, -50, 50, -110, 110]

  private struct StraightPart {
    let middle: SIMD2<Double>
    let length: Double
    let way: SIMD2<Double>
    var degrees: Double { atan2(way.y, way.x) * 180 / .pi }
  }

  private static func straight(_ points: [SIMD2<Double>], least: Double) -> [StraightPart] {
    var best: (length: Double, start: SIMD2<Double>, end: SIMD2<Double>)?
    var start = 0
    for end in points.indices.dropFirst() {
      while start < end - 1, !isStraight(points, start, end) { start += 1 }
      let length = (points[end] - points[start]).length
      if length >= least, length > best?.length ?? 0 {
        best = (length, points[start], points[end])
      }
    }
    guard let best else { return [] }
    var way = (best.end - best.start) / best.length
    if way.x < 0 || (way.x == 0 && way.y > 0) { way = -way }
    return [StraightPart(middle: (best.start + best.end) / 2, length: best.length, way: way)]
  }

  private static func isStraight(_ points: [SIMD2<Double>], _ start: Int, _ end: Int) -> Bool {
    guard end - start < 60 else { return false }
    let way = points[end] - points[start]
    let length = way.length
    guard length > 0 else { return false }
    return points[start...end].allSatisfy { point in
      let offset = point - points[start]
      return abs(offset.x * way.y - offset.y * way.x) <= 3 * length
    }
  }

  private mutating func place(_ part: StraightPart, width: Double) -> SIMD2<Double>? {
    let across = SIMD2(-part.way.y, part.way.x)
    let boxes = max(1, Int((width / 9).rounded(.up)))
    for shift in [0.0, -14, 14] {
      for slide in Self.slides where abs(slide) <= (part.length - width) / 2 {
        let middle = part.middle + across * shift + part.way * slide
        let row = (0...boxes).map { number in
          let along = (Double(number) / Double(boxes) - 0.5) * width
          return DrawingBox(middle + part.way * along, width: 12, height: 12)
        }
        guard row.allSatisfy({ space.isFree($0) && routeSpace.isFree($0) }) else { continue }
        for box in row { space.take(box) }
        return middle
      }
    }
    return nil
  }
}
