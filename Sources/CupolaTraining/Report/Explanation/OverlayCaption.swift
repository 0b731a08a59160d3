#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

internal import Cupola

// The caption and the markings of an explanation image.
// 1. Draw the caption: names, probabilities and the color scale.
// 2. Choose colors that color-blind readers can distinguish. 3. Draw lines along the edges in each cell.

struct OverlayCaption {
  private let headline: String?
  private let label: String
  private let against: String
  private let width: Int
  private let size: Int

  init(_ explanation: Explanation, headline: String? = nil, campus: Campus?, width: Int) {
    func name(_ label: String, _ probability: Double) -> String {
      let name = campus?.building(labeled: label)?.name ?? label
      let drawn = PixelFont.covers(name) || !PixelFont.covers(label) ? name : label
      return "\(drawn) (\(FigureText.percent(probability)))"
    }
    label = name(explanation.label, explanation.probability)
    against = name(explanation.against, explanation.againstProbability)
    self.headline = headline
    self.width = width
    size = max(1, width / 240)
  }

  private var line: Int { (PixelFont.height + 3) * size }
  private var margin: Int { 6 * size }
  var height: Int { (headline == nil ? 3 : 4) * line + 2 * margin }

  func draw(on canvas: inout Canvas, below top: Int, _ scale: DivergingScale) {
    var top = top
    if let headline {
      let text = fitting(headline, from: margin)
      canvas.write(text, x: margin, y: top + margin, size: size, Canvas.black)
      top += line
    }
    let left = margin + 10 * size
    let names = [(DivergingScale.orange, "for " + label), (DivergingScale.blue, "for " + against)]
    for (index, (color, text)) in names.enumerated() {
      let y = top + margin + index * line
      canvas.fill(x: margin, y: y, width: 7 * size, height: 7 * size, color)
      canvas.write(fitting(text, from: left), x: left, y: y, size: size, Canvas.black)
    }
    drawScale(on: &canvas, top + margin + 2 * line, scale)
  }

  private func drawScale(on canvas: inout Canvas, _ y: Int, _ scale: DivergingScale) {
    // Do not show the value in logits, which readers cannot interpret.
    let end = "most"
    canvas.write(end, x: margin, y: y, size: size, Canvas.black)
    let start = margin + (end.count * PixelFont.advance + 4) * size
    let length = max(1, min(60 * size, width / 4))
    for x in 0..<length {
      let value = (2 * (Double(x) + 0.5) / Double(length) - 1) * scale.limit
      let (color, opacity) = scale.color(of: value)
      for row in 0..<7 * size {
        canvas.blend(start + x, y + row, Canvas.Color(repeating: 190), opacity: 1)
        canvas.blend(start + x, y + row, color, opacity: opacity)
      }
    }
    let after = start + length + 4 * size
    canvas.write(fitting(end, from: after), x: after, y: y, size: size, Canvas.black)
  }

  private func fitting(_ text: String, from left: Int) -> String {
    let room = max(0, (width - left - margin) / (PixelFont.advance * size))
    return text.count <= room ? text : String(text.prefix(max(0, room - 2))) + ".."
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
