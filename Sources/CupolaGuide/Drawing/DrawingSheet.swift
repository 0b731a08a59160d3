internal import CupolaSupport

// 1. Add the header, captions, maps, maneuvers and the key from top to bottom.
// 2. Combine everything into one SVG with title and style.

struct DrawingSheet {
  let width: Double
  private var y = 24.0
  private var body = ""

  private static let margin = 24.0

  init(width: Int) { self.width = Double(min(max(width, 480), 4_000)) }

  var inner: Double { width - 2 * Self.margin }

  mutating func header(_ title: String?, _ subtitle: String?) {
    for line in DrawingText.lines(title ?? "", width: inner, size: 22, most: 2) {
      y += 22
      body += SVGMarkup.text(line, at: [Self.margin, y], size: 22, "bold ink")
      y += 6
    }
    if let subtitle {
      y += 15
      body += SVGMarkup.text(subtitle, at: [Self.margin, y], size: 15, "pale")
      y += 6
    }
    if title != nil || subtitle != nil { y += 8 }
  }

  mutating func caption(_ text: String) {
    y += 22
    let shown = DrawingText.shortened(text, width: inner, size: 17)
    body += SVGMarkup.text(shown, at: [Self.margin, y], size: 17, "bold ink")
    y += 10
  }

  mutating func note(_ text: String) {
    y += 16
    body += SVGMarkup.text(text, at: [Self.margin, y], size: 14, "pale")
    y += 10
  }

  mutating func add(_ panel: DrawingPanel, _ content: String) {
    let size = (DrawingText.number(panel.view.width), DrawingText.number(panel.view.height))
    body += SVGMarkup.element(
      "svg",
      [
        "x": DrawingText.number(Self.margin), "y": DrawingText.number(y), "width": size.0,
        "height": size.1, "viewBox": "0 0 \(size.0) \(size.1)", "overflow": "hidden",
      ], content)
    body += SVGMarkup.rectangle(
      DrawingBox(
        left: Self.margin, top: y, right: Self.margin + panel.view.width,
        bottom: y + panel.view.height), "frame")
    y += panel.view.height + 12
  }

  mutating func legend(of route: Route, _ numbers: [Int]) {
    let columns = inner >= 700 && numbers.count > 3 ? 2 : 1
    let column = (inner - Double(columns - 1) * 28) / Double(columns)
    let rows = LegendRow.all(of: route, numbers, width: column)
    let half = rows.reduce(0) { $0 + $1.height } / Double(columns)
    var (x, place, lowest) = (Self.margin, y, y)
    for row in rows {
      if x == Self.margin, columns == 2, place - y >= half {
        (x, place) = (x + column + 28, y)
      }
      body += row.svg(at: [x, place], width: column)
      place += row.height
      lowest = max(lowest, place)
    }
    y = lowest + (rows.isEmpty ? 0 : 6)
  }

  mutating func key(_ signs: Set<MapDrawing.Mark.Kind>) {
    guard !signs.isEmpty else { return }
    var x = Self.margin
    for kind in MapDrawing.Mark.Kind.allCases where signs.contains(kind) {
      let text = DrawingSymbol.meaning(kind)
      let wide = DrawingText.width(text, size: 12.5) + 40
      if x + wide > width - Self.margin, x > Self.margin {
        x = Self.margin
        y += 24
      }
      body += DrawingSymbol.svg(kind, at: [x + 8, y + 10])
      body += SVGMarkup.text(text, at: [x + 22, y + 14.5], size: 12.5, "pale")
      x += wide
    }
    y += 30
  }

  func svg(title: String) -> String {
    let (wide, tall) = (DrawingText.number(width), DrawingText.number((y + 12).rounded()))
    return SVGMarkup.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": DrawingStyle.root, "width": wide,
        "height": tall, "viewBox": "0 0 \(wide) \(tall)", "role": "img",
      ],
      "\n" + SVGMarkup.title(title) + "\n" + DrawingStyle.element
        + SVGMarkup.rectangle(
          DrawingBox(left: 0, top: 0, right: width, bottom: (y + 12).rounded()), "sheet") + body)
  }
}

private struct LegendRow {
  private let number: Int?
  private let role: RouteTrace.Stop.Role
  private let lines: [String]
  private let length: String?

  private static let most = 200
  private static let size = 14.0
  private static let step = 18.0
  private static let indent = 28.0

  static func all(of route: Route, _ numbers: [Int], width: Double) -> [LegendRow] {
    let rows = numbers.prefix(most).map { number in
      let maneuver = route.maneuvers[number]
      let isLast = number == route.maneuvers.count - 1
      let role: RouteTrace.Stop.Role =
        if number == 0, !isLast, maneuver.point == 0 {
          .start
        } else if isLast, maneuver.point == route.points.count - 1 {
          .end
        } else {
          .middle
        }
      return LegendRow(
        number + 1, role, DrawingText.plain(maneuver.text, most: 400),
        meters: maneuver.meters, width: width)
    }
    guard numbers.count > most else { return rows }
    return rows + [
      LegendRow(nil, .middle, "and \(numbers.count - most) more", meters: 0, width: width)
    ]
  }

  private init(
    _ number: Int?, _ role: RouteTrace.Stop.Role, _ text: String, meters: Double, width: Double
  ) {
    (self.number, self.role) = (number, role)
    length = meters.rounded() > 0 ? DrawingText.length(meters) : nil
    lines = DrawingText.lines(text, width: width - Self.indent - 62, size: Self.size, most: 4)
  }

  var height: Double { Double(max(1, lines.count)) * Self.step + 8 }

  func svg(at corner: SIMD2<Double>, width: Double) -> String {
    var svg = ""
    if let number { svg += DrawingPanel.number(number, at: corner + [10, 12], role) }
    for (index, line) in lines.enumerated() {
      svg += SVGMarkup.text(
        line, at: corner + [Self.indent, 17 + Double(index) * Self.step], size: Self.size, "ink")
    }
    if let length {
      svg += SVGMarkup.text(length, at: corner + [width, 17], size: 13, "e pale")
    }
    return svg
  }
}
