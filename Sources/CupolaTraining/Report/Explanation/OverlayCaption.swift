#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

internal import Cupola

// The caption and the markings of an explanation image.
// 1. Draw the caption: names and the color scale.
// 2. Choose colors that color-blind readers can distinguish. 3. Draw lines along the edges in each cell.

struct OverlayCaption {
  private struct Row {
    let lines: [String]
    /// The color of the square in front of the text.
    var color: Canvas.Color?
  }

  private let rows: [Row]
  private let width: Int
  private let size: Int

  /// The maximum number of lines of a name, so that a long one does not make a narrow image very high.
  private static let mostLines = 4

  init(_ explanation: Explanation, headline: String? = nil, campus: Campus?, width: Int) {
    func name(_ label: String) -> String {
      let name = campus.name(of: label)
      return PixelFont.covers(name) || !PixelFont.covers(label) ? name : label
    }
    let size = max(1, width / 240)
    self.width = width
    self.size = size
    func lines(_ text: String, from left: Int) -> [String] {
      Self.wrapped(text, to: (width - left - 6 * size) / (PixelFont.advance * size))
    }
    let names = [
      ("for " + name(explanation.label), DivergingScale.orange),
      ("for " + name(explanation.against), DivergingScale.blue),
    ]
    rows =
      [headline].compactMap(\.self).map { Row(lines: lines($0, from: 6 * size)) }
      + names.map { Row(lines: lines($0, from: 16 * size), color: $1) }
  }

  private var line: Int { (PixelFont.height + 3) * size }
  private var margin: Int { 6 * size }
  /// The height, including the line of the color scale.
  var height: Int { (rows.reduce(1) { $0 + $1.lines.count }) * line + 2 * margin }

  func draw(on canvas: inout Canvas, below top: Int, _ scale: DivergingScale) {
    var y = top + margin
    for row in rows {
      if let color = row.color {
        canvas.fill(x: margin, y: y, width: 7 * size, height: 7 * size, color)
      }
      let left = margin + (row.color == nil ? 0 : 10 * size)
      for text in row.lines {
        canvas.write(text, x: left, y: y, size: size, Canvas.black)
        y += line
      }
    }
    drawScale(on: &canvas, y, scale)
  }

  private func drawScale(on canvas: inout Canvas, _ y: Int, _ scale: DivergingScale) {
    // Do not show the value in logits, which readers cannot interpret.
    let length = max(1, min(60 * size, width / 4))
    func barStart(after text: String) -> Int {
      margin + (text.count * PixelFont.advance + 4) * size
    }
    var (first, end) = ("evidence: strong", "strong")
    let last = (4 + end.count * PixelFont.advance) * size
    if barStart(after: first) + length + last + margin > width { (first, end) = ("most", "most") }
    canvas.write(first, x: margin, y: y, size: size, Canvas.black)
    let start = barStart(after: first)
    for x in 0..<length {
      let value = (2 * (Double(x) + 0.5) / Double(length) - 1) * scale.limit
      let (color, opacity) = scale.color(of: value)
      for row in 0..<7 * size {
        canvas.blend(start + x, y + row, Canvas.Color(repeating: 190), opacity: 1)
        canvas.blend(start + x, y + row, color, opacity: opacity)
      }
    }
    let after = start + length + 4 * size
    let room = (width - after - margin) / (PixelFont.advance * size)
    if room >= end.count { canvas.write(end, x: after, y: y, size: size, Canvas.black) }
  }

  /// Breaks text at spaces, and words that are too long at any letter. There is at least one line.
  private static func wrapped(_ text: String, to room: Int) -> [String] {
    guard room > 0 else { return [""] }
    var lines = [""]
    for word in text.split(separator: " ") {
      var rest = word[...]
      if lines[lines.count - 1].isEmpty || lines[lines.count - 1].count + 1 + rest.count > room {
        if !lines[lines.count - 1].isEmpty { lines.append("") }
        while rest.count > room {
          lines[lines.count - 1] = String(rest.prefix(room))
          rest = rest.dropFirst(room)
          lines.append("")
        }
        lines[lines.count - 1] = String(rest)
      } else {
        lines[lines.count - 1] += " " + rest
      }
    }
    guard lines.count > mostLines else { return lines }
    let last = lines[mostLines - 1].prefix(max(0, room - 2)) + ".."
    return Array(lines[..<(mostLines - 1)]) + [String(last)]
  }
}

/// The colors of evidence: orange for evidence for the label, blue for evidence against it.
///
/// The colors are distinguishable with all common kinds of color blindness. Stronger evidence is more opaque.
struct DivergingScale {
  static let orange = Canvas.Color(230, 97, 0)
  static let blue = Canvas.Color(26, 84, 214)

  /// The evidence at which the color is opaque, in logits per 1% of the image area.
  let limit: Double

  init(_ map: EvidenceMap) {
    let cells = Double(map.values.count)
    let densities = map.values.map { $0.magnitude * cells / 100 }.sorted()
    let limit = densities[densities.count * 98 / 100]
    self.limit = limit > 0 ? Self.roundedUp(limit) : 1
  }

  func color(of density: Double) -> (color: Canvas.Color, opacity: Double) {
    let strength = min(density.magnitude / limit, 1)
    return (density < 0 ? Self.blue : Self.orange, 0.8 * strength)
  }

  private static func roundedUp(_ value: Double) -> Double {
    var unit = 1e-9
    while unit * 100 < value, unit < 1e9 { unit *= 10 }
    return (value / unit).rounded(.up) * unit
  }
}

struct OrientationGlyphs {
  private let cells: CellGrid
  /// The vote that is drawn darkest: the 98th percentile.
  private let limit: Float

  init(_ cells: CellGrid) {
    self.cells = cells
    let sorted = cells.values.sorted()
    limit = sorted.isEmpty ? 0 : sorted[sorted.count * 98 / 100]
  }

  func draw(on canvas: inout Canvas, over region: UnitRect, width: Int, height: Int) {
    guard limit > 0 else { return }
    let size = SIMD2(
      region.width * Double(width) / Double(cells.columns),
      region.height * Double(height) / Double(cells.rows))
    let corner = SIMD2(region.x * Double(width), region.y * Double(height))
    let thickness = max(1, Int(min(size.x, size.y) / 20))
    for row in 0..<cells.rows {
      for column in 0..<cells.columns {
        let center = corner + size * SIMD2(Double(column) + 0.5, Double(row) + 0.5)
        for bin in 0..<cells.orientations {
          let at = (row * cells.columns + column) * cells.orientations + bin
          let strength = Double(min(cells.values[at] / limit, 1))
          guard strength > 0.1 else { continue }
          let half = along(bin) * size * 0.45
          canvas.line(
            from: center - half, to: center + half, thickness: thickness, Canvas.black,
            opacity: 0.9 * strength)
        }
      }
    }
  }

  /// The direction of an edge in a histogram bin, perpendicular to its gradient.
  private func along(_ bin: Int) -> SIMD2<Double> {
    let angle = (Double(bin) + 0.5) * Double.pi / Double(cells.orientations)
    return SIMD2(-sin(angle), cos(angle))
  }
}
