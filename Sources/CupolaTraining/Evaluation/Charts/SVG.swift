/// Writes elements of SVG 1.1 to stand inside of a page of HTML.
///
/// Colors come from the page's style by class, so that a drawing follows light and dark.
enum SVG {
  /// A whole drawing, as wide as its place lets it be.
  ///
  /// - Parameters:
  ///   - above: how much there is above 0.
  ///   - label: what a screen reader says instead.
  ///   - hasSize: whether it has a size of its own where there is room, so that the letters of all such
  ///     drawings are alike, however wide they are.
  static func picture(
    width: Double, height: Double, above: Double = 0, label: String, hasSize: Bool = false,
    _ content: String
  ) -> String {
    var attributes: [(String, any SVGValue)] = [
      ("viewBox", "0 \((-above).svg) \(width.svg) \((height + above).svg)"), ("role", "img"),
      ("aria-label", label),
    ]
    if hasSize {
      attributes += [("width", enlargement * width), ("height", enlargement * height)]
    }
    return element("svg", attributes, content)
  }

  private static let enlargement = 1.19

  /// An element with attributes, whose values are escaped, and content, which is not.
  static func element(
    _ name: String, _ attributes: [(name: String, value: any SVGValue)], _ content: String = ""
  ) -> String {
    let list = attributes.map { " \($0.name)=\"\(HTMLEscaping.escaped($0.value.svg))\"" }.joined()
    return content.isEmpty ? "<\(name)\(list)/>" : "<\(name)\(list)>\(content)</\(name)>"
  }

  static func line(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), _ style: String
  ) -> String {
    element(
      "line",
      [("x1", start.x), ("y1", start.y), ("x2", end.x), ("y2", end.y), ("class", style)])
  }

  static func rectangle(
    x: Double, y: Double, width: Double, height: Double, _ style: String, title: String? = nil
  ) -> String {
    element(
      "rect",
      [
        ("x", x), ("y", y), ("width", max(0, width)), ("height", max(0, height)), ("class", style),
      ], title.map(Self.title) ?? "")
  }

  static func circle(_ x: Double, _ y: Double, radius: Double, _ style: String) -> String {
    element("circle", [("cx", x), ("cy", y), ("r", radius), ("class", style)])
  }

  /// Straight lines through points.
  static func path(_ points: [(x: Double, y: Double)], closed: Bool = false, _ style: String)
    -> String
  {
    element("path", [("d", trace(points, closed: closed)), ("class", style)])
  }

  /// The commands of a path through points.
  static func trace(_ points: [(x: Double, y: Double)], closed: Bool) -> String {
    guard let first = points.first else { return "" }
    let rest = points.dropFirst().map { "L\($0.x.svg) \($0.y.svg)" }.joined()
    return "M\(first.x.svg) \(first.y.svg)" + rest + (closed ? "Z" : "")
  }

  /// Where a text stands about its point.
  enum Anchor: String { case start, middle, end }

  static func text(
    _ text: String, x: Double, y: Double, anchor: Anchor = .start, _ style: String = "tick",
    turned: Bool = false
  ) -> String {
    var attributes: [(String, any SVGValue)] = [
      ("x", x), ("y", y), ("text-anchor", anchor.rawValue), ("class", style),
    ]
    if turned { attributes.append(("transform", "rotate(-90 \(x.svg) \(y.svg))")) }
    return element("text", attributes, HTMLEscaping.escaped(text))
  }

  /// What is shown where the pointer rests.
  static func title(_ text: String) -> String { "<title>\(HTMLEscaping.escaped(text))</title>" }
}

/// What an attribute can be.
protocol SVGValue { var svg: String { get } }

extension String: SVGValue {
  var svg: String { self }
}

extension Double: SVGValue {
  /// A tenth of a unit is finer than any screen.
  var svg: String {
    let text = FigureText.decimal(isFinite ? self : 0, digits: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
