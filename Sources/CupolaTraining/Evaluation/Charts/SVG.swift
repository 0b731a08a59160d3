/// Writes elements of SVG 1.1 to stand inside of a page of HTML.
///
/// Colours come from the page's style by class, so that a drawing follows light and dark.
enum SVG {
  /// A whole drawing, as wide as its place lets it be.
  ///
  /// - Parameters:
  ///   - label: what a screen reader says instead.
  ///   - hasSize: whether it has a size of its own where there is room, so that the letters of all such
  ///     drawings are alike, however wide they are.
  static func picture(
    width: Double, height: Double, label: String, hasSize: Bool = false, _ content: String
  ) -> String {
    let size =
      hasSize
      ? [("width", number(enlargement * width)), ("height", number(enlargement * height))] : []
    return element(
      "svg",
      size + [
        ("viewBox", "0 0 \(number(width)) \(number(height))"), ("role", "img"),
        ("aria-label", label),
      ], content)
  }

  private static let enlargement = 1.19

  /// An element with attributes, whose values are escaped, and content, which is not.
  static func element(
    _ name: String, _ attributes: [(name: String, value: String)], _ content: String = ""
  ) -> String {
    let list = attributes.map { " \($0.name)=\"\(HTMLEscaping.escaped($0.value))\"" }.joined()
    return content.isEmpty ? "<\(name)\(list)/>" : "<\(name)\(list)>\(content)</\(name)>"
  }

  static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String
  ) -> String {
    element(
      "line",
      [
        ("x1", number(x1)), ("y1", number(y1)), ("x2", number(x2)), ("y2", number(y2)),
        ("class", style),
      ])
  }

  static func rectangle(
    x: Double, y: Double, width: Double, height: Double, _ style: String, title: String? = nil
  ) -> String {
    element(
      "rect",
      [
        ("x", number(x)), ("y", number(y)), ("width", number(max(0, width))),
        ("height", number(max(0, height))), ("class", style),
      ], title.map { self.title($0) } ?? "")
  }

  static func circle(
    _ x: Double, _ y: Double, radius: Double, _ style: String, title: String? = nil
  ) -> String {
    element(
      "circle",
      [("cx", number(x)), ("cy", number(y)), ("r", number(radius)), ("class", style)],
      title.map { self.title($0) } ?? "")
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
    let rest = points.dropFirst().map { "L\(number($0.x)) \(number($0.y))" }.joined()
    return "M\(number(first.x)) \(number(first.y))" + rest + (closed ? "Z" : "")
  }

  /// Where a text stands about its point.
  enum Anchor: String { case start, middle, end }

  static func text(
    _ text: String, x: Double, y: Double, anchor: Anchor = .start, _ style: String = "tick",
    turned: Bool = false
  ) -> String {
    var attributes = [
      ("x", number(x)), ("y", number(y)), ("text-anchor", anchor.rawValue), ("class", style),
    ]
    if turned { attributes.append(("transform", "rotate(-90 \(number(x)) \(number(y)))")) }
    return element("text", attributes, HTMLEscaping.escaped(text))
  }

  /// What is shown where the pointer rests.
  static func title(_ text: String) -> String { "<title>\(HTMLEscaping.escaped(text))</title>" }

  /// A tenth of a unit is finer than any screen.
  static func number(_ value: Double) -> String {
    let text = FigureText.decimal(value.isFinite ? value : 0, digits: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
