import Cupola

/// What stands below the photo: which color speaks for what, and how strong colors are.
struct OverlayCaption {
  /// The answer, where it is known.
  private let headline: String?
  private let label: String
  private let against: String
  private let width: Int
  /// Pixels of a letter's dots.
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

  /// Pixels that it needs.
  var height: Int { (headline == nil ? 3 : 4) * line + 2 * margin }

  /// Draws below row `top` of the canvas.
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
    // At both ends; how much that is in logits helps nobody who looks at the picture.
    let end = "much"
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

  /// As much of a text as fits into the line.
  private func fitting(_ text: String, from left: Int) -> String {
    let room = max(0, (width - left - margin) / (PixelFont.advance * size))
    return text.count <= room ? text : String(text.prefix(max(0, room - 2))) + ".."
  }
}
