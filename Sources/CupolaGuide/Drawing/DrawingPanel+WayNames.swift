internal import CupolaSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DrawingPanel {
  /// Names along ways, on their straight parts.
  mutating func labels(_ lines: [DrawnLine]) -> String {
    let named = lines.indices.filter { lines[$0].label != nil && lines[$0].kind != .crossing }
    let order = named.sorted { (lines[$1].length, $0) < (lines[$0].length, $1) }
    var stands: [String: [SIMD2<Double>]] = [:]
    var svg = ""
    for index in order.prefix(Self.mostLabels) {
      guard let label = lines[index].label else { continue }
      let text = DrawingText.shortened(label, width: 220, size: 11)
      let wide = DrawingText.width(text, size: 11)
      let parts = lines[index].parts.flatMap { Self.straight($0, least: wide + 8) }
      for part in parts {
        // A street is made of many ways of its name.
        let isNear = stands[label, default: []].contains {
          ($0 - part.middle).squared < 320 * 320
        }
        guard !isNear, let place = place(part, width: wide) else { continue }
        stands[label, default: []].append(place)
        let style = lines[index].kind == .street ? "m halo way-name" : "m halo land way-name"
        svg += SVGMarkup.text(text, at: place, size: 11, style, turned: part.degrees)
      }
    }
    return svg
  }

  /// Pixels from the middle.
  private static let slides: [Double] = [0, -50, 50, -110, 110]

  private struct StraightPart {
    let middle: SIMD2<Double>
    let length: Double
    /// Of length 1, to the right.
    let way: SIMD2<Double>
    var degrees: Double { atan2(way.y, way.x) * 180 / .pi }
  }

  /// The longest nearly straight part of a line that is long enough, if there is one.
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

  /// Whether no point between two is farther than 3 pixels from the line between them.
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

  /// On the line, or a little beside it where something else is.
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
        guard row.allSatisfy({ places.isFree($0) && routePlaces.isFree($0) }) else { continue }
        for box in row { places.take(box) }
        return middle
      }
    }
    return nil
  }
}
