/// Writes elements of SVG 1.1, whose looks come from the drawing's style by class.
enum SVGMarkup {
  typealias Point = SIMD2<Double>

  /// An element; attributes are escaped, the content is not.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String = ""
  ) -> String {
    let list = attributes.map { " \($0.key)=\"\(DrawingText.escaped($0.value))\"" }.joined()
    return content.isEmpty ? "<\(name)\(list)/>\n" : "<\(name)\(list)>\(content)</\(name)>\n"
  }

  static func path(_ trace: String, _ style: String, _ content: String = "") -> String {
    trace.isEmpty ? "" : element("path", ["class": style, "d": trace], content)
  }

  /// A line of a width of its own.
  static func path(_ trace: String, _ style: String, width: Double) -> String {
    guard !trace.isEmpty else { return "" }
    return element(
      "path", ["class": style, "stroke-width": DrawingText.number(width), "d": trace])
  }

  static func circle(_ middle: Point, radius: Double, _ style: String) -> String {
    element(
      "circle",
      [
        "class": style, "cx": DrawingText.number(middle.x), "cy": DrawingText.number(middle.y),
        "r": DrawingText.number(radius),
      ])
  }

  static func rectangle(_ box: DrawingBox, radius: Double = 0, _ style: String) -> String {
    element(
      "rect",
      [
        "class": style, "x": DrawingText.number(box.left), "y": DrawingText.number(box.top),
        "width": DrawingText.number(max(0, box.width)),
        "height": DrawingText.number(max(0, box.height)), "rx": DrawingText.number(radius),
      ])
  }

  /// A text, its baseline at the point; the style says which end of it is there.
  static func text(
    _ text: String, at point: Point, size: Double, _ style: String, turned degrees: Double = 0
  ) -> String {
    let (x, y) = (DrawingText.number(point.x), DrawingText.number(point.y))
    let letters = DrawingText.number(size)
    let content = DrawingText.escaped(text)
    guard degrees != 0 else {
      return element("text", ["class": style, "x": x, "y": y, "font-size": letters], content)
    }
    let turn = "rotate(\(DrawingText.number(degrees)) \(x) \(y))"
    return element(
      "text",
      ["class": style, "x": x, "y": y, "dy": "0.35em", "font-size": letters, "transform": turn],
      content)
  }

  /// Lines of text about a point.
  static func text(
    lines: [String], at middle: Point, size: Double, _ style: String
  ) -> String {
    let step = size * 1.15
    let top = middle.y - step * Double(lines.count - 1) / 2 + size * 0.35
    return lines.enumerated().map { index, line in
      text(line, at: Point(middle.x, top + step * Double(index)), size: size, style)
    }.joined()
  }

  /// A closed shape by its corners, seen from a point.
  static func shape(_ corners: [(x: Double, y: Double)], at point: Point, _ style: String) -> String
  {
    path(trace(corners.map { Point(point.x + $0.x, point.y + $0.y) }, isClosed: true), style)
  }

  /// What is shown where the pointer rests.
  static func title(_ text: String) -> String { "<title>\(DrawingText.escaped(text))</title>" }

  /// The commands of a path through points.
  static func trace(_ points: some Sequence<Point>, isClosed: Bool = false) -> String {
    var trace = ""
    for point in points {
      trace += trace.isEmpty ? "M" : "L"
      trace += DrawingText.number(point.x) + " " + DrawingText.number(point.y)
    }
    return isClosed && !trace.isEmpty ? trace + "Z" : trace
  }
}
