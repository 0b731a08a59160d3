// Drawings for an HTML page; its style sheet defines the colors.
// 1. Write SVG 1.1 elements. 2. Draw fractions with whiskers (IntervalPlot).
// 3. Draw counts of verdicts as stacked bars (VerdictBarChart).

enum SVG {
  /// A complete drawing with a text alternative. If `hasSize` is true, its size is fixed, so that all text has the same
  /// size.
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

  static func path(_ points: [(x: Double, y: Double)], closed: Bool = false, _ style: String)
    -> String
  {
    element("path", [("d", trace(points, closed: closed)), ("class", style)])
  }

  static func trace(_ points: [(x: Double, y: Double)], closed: Bool) -> String {
    guard let first = points.first else { return "" }
    let rest = points.dropFirst().map { "L\($0.x.svg) \($0.y.svg)" }.joined()
    return "M\(first.x.svg) \(first.y.svg)" + rest + (closed ? "Z" : "")
  }

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

  static func title(_ text: String) -> String { "<title>\(HTMLEscaping.escaped(text))</title>" }
}

protocol SVGValue { var svg: String { get } }

extension String: SVGValue {
  var svg: String { self }
}

extension Double: SVGValue {
  /// Rounded to one decimal place, which is finer than any screen.
  var svg: String {
    let text = FigureText.decimal(isFinite ? self : 0, digits: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

struct IntervalPlot {
  struct Row {
    let name: String
    let share: Share
    let note: String
    var style = 0
  }

  let rows: [Row]
  let label: String
  private let plotWidth = 220.0
  private let mostCharacters = 22
  private let characterWidth = 7.1
  private let rowHeight = 26.0
  private let top = 6.0

  var svg: String {
    let bottom = top + rowHeight * Double(rows.count)
    let grid = stride(from: 0.0, through: 1, by: 0.25).map { share in
      SVG.line(from: (x(share), top), to: (x(share), bottom), "grid")
        + SVG.text(
          FigureText.decimal(100 * share, digits: 0) + "%", x: x(share), y: bottom + 15,
          anchor: .middle)
    }
    return SVG.picture(
      width: left + plotWidth + right, height: bottom + 22, label: label, hasSize: true,
      grid.joined() + rows.enumerated().map { drawn($1, number: $0) }.joined())
  }

  private var left: Double {
    let longest = rows.map { min($0.name.count, mostCharacters) }.max() ?? 0
    return 16 + characterWidth * Double(longest)
  }

  private var right: Double { 16 + characterWidth * Double(rows.map(\.note.count).max() ?? 0) }
  private func x(_ share: Double) -> Double { left + share * plotWidth }

  private func drawn(_ row: Row, number: Int) -> String {
    let y = top + rowHeight * (Double(number) + 0.5)
    let style = "series\(row.style % 3)"
    let (lower, upper) = (x(row.share.interval.lower), x(row.share.interval.upper))
    // Shorten long names; the tooltip shows the full name.
    let name =
      row.name.count > mostCharacters ? row.name.prefix(mostCharacters - 1) + "…" : row.name[...]
    return SVG.element(
      "g", [],
      SVG.title("\(row.name): \(row.note)")
        + SVG.text(String(name), x: left - 10, y: y + 4, anchor: .end, "note")
        + SVG.line(from: (lower, y), to: (upper, y), "whisker \(style)")
        + SVG.line(from: (lower, y - 5), to: (lower, y + 5), "whisker \(style)")
        + SVG.line(from: (upper, y - 5), to: (upper, y + 5), "whisker \(style)")
        + SVG.circle(x(row.share.accuracy ?? 0), y, radius: 5, "dot \(style)")
        + SVG.text(row.note, x: left + plotWidth + 12, y: y + 4, "note"))
  }
}

struct VerdictBarChart {
  let rows: [KindAnswers]
  let label: String
  private let width = 470.0
  private let left = 150.0
  private let rowHeight = 34.0

  var svg: String {
    SVG.picture(
      width: width, height: rowHeight * Double(rows.count) + 4, label: label,
      hasSize: true,
      rows.enumerated().map { drawn($1, number: $0) }.joined())
  }

  private func drawn(_ row: KindAnswers, number: Int) -> String {
    let y = 4 + rowHeight * Double(number)
    let parts = Self.parts(row)
    let total = max(parts.reduce(0) { $0 + $1.count }, 1)
    var x = left
    var drawing = SVG.text(row.kind.rawValue, x: left - 10, y: y + 17, anchor: .end, "note")
    for part in parts where part.count > 0 {
      let length = (width - left - 4) * Double(part.count) / Double(total)
      drawing += SVG.rectangle(
        x: x, y: y, width: max(length - 2, 1), height: rowHeight - 8, "part \(part.style)",
        title: "\(row.kind.rawValue): \(part.count) \(part.name)")
      if length > 26 {
        drawing += SVG.text(
          "\(part.count)", x: x + length / 2, y: y + 17, anchor: .middle, "on-\(part.style)")
      }
      x += length
    }
    return drawing
  }

  private static func parts(_ row: KindAnswers) -> [(name: String, count: Int, style: String)] {
    let isKnown = row.kind == .buildings
    return [
      (isKnown ? "named correctly" : "rejected, which is right", row.right, "good"),
      ("unsure", row.counts.unsure, "unsure"),
      ("named from the position only", row.byPosition ?? 0, "unsure"),
      ("rejected", row.rejected ?? 0, "refused"),
      (isKnown ? "named wrongly" : "named", row.wrongName, "bad"),
    ]
  }
}
