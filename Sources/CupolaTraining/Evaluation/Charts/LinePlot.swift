/// Curves between two axes, each with a look of its own besides its color.
struct LinePlot {
  /// A curve.
  struct Series {
    let name: String
    let points: [(x: Double, y: Double)]
    /// Lower and upper end about each point, if known.
    var intervals: [(lower: Double, upper: Double)] = []
    /// Whether each point is marked.
    var isMarked = false
  }

  /// A point of its own, with its name beside it.
  struct Mark {
    let x: Double
    let y: Double
    let name: String
  }

  let frame: PlotFrame
  let series: [Series]
  var marks: [Mark] = []
  var hasDiagonal = false
  /// Where curves rise to the right the upper left is empty, else the lower right.
  var isLegendAtTopLeft = false
  /// Where curves may be anywhere the legend stands above them.
  var isLegendBeside = false
  /// What a screen reader says.
  let label: String

  var svg: String {
    let curves = series.enumerated().map { index, curve in
      drawn(curve, "series\(index % 3)")
    }
    let above = isLegendBeside ? Self.lineHeight * Double(series.count) + 8 : 0
    return SVG.picture(
      width: frame.width, height: frame.height, above: above, label: label,
      frame.axes + (hasDiagonal ? frame.diagonal : "") + curves.joined()
        + marks.map(drawn).joined() + legend)
  }

  private func drawn(_ curve: Series, _ style: String) -> String {
    let points = curve.points.map { (x: frame.x($0.x), y: frame.y($0.y)) }
    let whiskers = zip(curve.points, curve.intervals).map { point, interval in
      SVG.line(
        from: (frame.x(point.x), frame.y(interval.lower)),
        to: (frame.x(point.x), frame.y(interval.upper)), "whisker \(style)")
    }
    let dots =
      curve.isMarked ? points.map { SVG.circle($0.x, $0.y, radius: 3.5, "dot \(style)") } : []
    return whiskers.joined() + SVG.path(points, "curve \(style)") + dots.joined()
  }

  private func drawn(_ mark: Mark) -> String {
    let (x, y) = (frame.x(mark.x), frame.y(mark.y))
    let isRight = x > frame.width / 2
    return SVG.circle(x, y, radius: 5, "mark")
      + SVG.text(
        mark.name, x: x + (isRight ? -9 : 9), y: y - 8, anchor: isRight ? .end : .start, "note")
  }

  /// Only where there is more than one curve to tell apart.
  private var legend: String {
    guard series.count > 1 else { return "" }
    if isLegendBeside { return legendAbove }
    let (xs, ys) = (frame.xTicks.map { frame.x($0.value) }, frame.yTicks.map { frame.y($0.value) })
    let x = (isLegendAtTopLeft ? xs.min() : xs.max()) ?? 0
    let height = 18 * Double(series.count)
    let top = isLegendAtTopLeft ? (ys.min() ?? 0) + 12 : (ys.max() ?? 0) + 4 - height
    let (side, anchor): (Double, SVG.Anchor) = isLegendAtTopLeft ? (1, .start) : (-1, .end)
    return series.enumerated().map { index, curve in
      let y = top + 18 * Double(index)
      let ends = [x + side * 6, x + side * 34].sorted()
      return SVG.line(from: (ends[0], y - 4), to: (ends[1], y - 4), "curve series\(index % 3)")
        + SVG.text(curve.name, x: x + side * 40, y: y, anchor: anchor, "note")
    }.joined()
  }

  private static let lineHeight = 18.0

  private var legendAbove: String {
    let x = frame.xTicks.map { frame.x($0.value) }.min() ?? 0
    return series.enumerated().map { index, curve in
      let y = Self.lineHeight * (Double(index) - Double(series.count)) + 6
      return SVG.line(from: (x + 6, y - 4), to: (x + 34, y - 4), "curve series\(index % 3)")
        + SVG.text(curve.name, x: x + 40, y: y, "note")
    }.joined()
  }
}
