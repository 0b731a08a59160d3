/// An entry of the list, set in lines.
struct LegendRow {
  private let entry: LegendEntry
  private let lines: [String]
  private let length: String?

  private static let size = 14.0
  private static let step = 18.0
  private static let indent = 28.0

  init(_ entry: LegendEntry, width: Double) {
    self.entry = entry
    length = entry.meters.rounded() > 0 ? DrawingText.length(entry.meters) : nil
    lines = DrawingText.lines(
      entry.text, width: width - Self.indent - 62, size: Self.size, most: 4)
  }

  var height: Double { Double(max(1, lines.count)) * Self.step + 8 }

  /// - Parameter corner: above and left of it.
  func svg(at corner: SIMD2<Double>, width: Double) -> String {
    var svg = ""
    if let number = entry.number {
      svg += DrawingPanel.number(number, at: corner + [10, 12], entry.role)
    }
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
