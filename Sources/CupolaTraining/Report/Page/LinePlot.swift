#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Draw ticks, grid, titles and scales (PlotFrame). 2. Draw curves, marks and legend (LinePlot).
// 3. Draw the fraction of right answers by probability (ReliabilityPlot).

struct PlotFrame: Sendable {
  struct Tick: Sendable {
    let value: Double
    let text: String
  }

  let xTitle: String
  let yTitle: String
  let xTicks: [Tick]
  let yTicks: [Tick]
  var isLogarithmic = false

  let width = 440.0
  let height = 300.0
  private let left = 64.0
  private let right = 24.0
  private let top = 12.0
  private let bottom = 46.0

  static func shares(upTo highest: Double = 1) -> [Tick] {
    let step = highest > 0.5 ? 0.2 : highest > 0.25 ? 0.1 : highest > 0.1 ? 0.05 : 0.02
    let count = max(1, Int((highest / step - 1e-9).rounded(.up)))
    return (0...count).map { index in
      let value = Double(index) * step
      return Tick(value: value, text: FigureText.decimal(100 * value, digits: 0) + "%")
    }
  }

  func x(_ value: Double) -> Double {
    let (low, high) = (xTicks[0].value, xTicks[xTicks.count - 1].value)
    let share =
      isLogarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low)
    return left + share * (width - left - right)
  }

  func y(_ value: Double) -> Double {
    let (low, high) = (yTicks[0].value, yTicks[yTicks.count - 1].value)
    return height - bottom - (value - low) / (high - low) * (height - top - bottom)
  }

  var axes: String {
    let lines = yTicks.map { tick in
      SVG.line(from: (left, y(tick.value)), to: (width - right, y(tick.value)), "grid")
        + SVG.text(tick.text, x: left - 6, y: y(tick.value) + 4, anchor: .end)
    }
    let columns = xTicks.map { tick in
      SVG.line(
        from: (x(tick.value), height - bottom), to: (x(tick.value), height - bottom + 4), "axis")
        + SVG.text(tick.text, x: x(tick.value), y: height - bottom + 17, anchor: .middle)
    }
    return lines.joined() + columns.joined()
      + SVG.line(from: (left, height - bottom), to: (width - right, height - bottom), "axis")
      + SVG.text(
        xTitle, x: (left + width - right) / 2, y: height - 8, anchor: .middle, "title")
      + SVG.text(
        yTitle, x: 13, y: (top + height - bottom) / 2, anchor: .middle, "title", turned: true)
  }

  var diagonal: String {
    SVG.line(from: (x(0), y(0)), to: (x(1), y(1)), "reference")
  }
}

struct LinePlot {
  struct Series {
    let name: String
    let points: [(x: Double, y: Double)]
    var intervals: [(lower: Double, upper: Double)] = []
    var isMarked = false
  }

  struct Mark {
    let x: Double
    let y: Double
    let name: String
  }

  let frame: PlotFrame
  let series: [Series]
  var marks: [Mark] = []
  var hasDiagonal = false
  /// Whether the legend is in the upper left corner, for rising curves, instead of the lower right corner.
  var isLegendAtTopLeft = false
  /// Whether the legend is above the plot, for curves that may be anywhere.
  var isLegendBeside = false
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

  private var legend: String {
    guard series.count > 1 else { return "" }
    let (xs, ys) = (frame.xTicks.map { frame.x($0.value) }, frame.yTicks.map { frame.y($0.value) })
    let isLeft = isLegendAtTopLeft || isLegendBeside
    let x = (isLeft ? xs.min() : xs.max()) ?? 0
    let height = Self.lineHeight * Double(series.count)
    let top =
      isLegendBeside
      ? 6 - height : isLegendAtTopLeft ? (ys.min() ?? 0) + 12 : (ys.max() ?? 0) + 4 - height
    let (side, anchor): (Double, SVG.Anchor) = isLeft ? (1, .start) : (-1, .end)
    return series.enumerated().map { index, curve in
      let y = top + Self.lineHeight * Double(index)
      let ends = [x + side * 6, x + side * 34].sorted()
      return SVG.line(from: (ends[0], y - 4), to: (ends[1], y - 4), "curve series\(index % 3)")
        + SVG.text(curve.name, x: x + side * 40, y: y, anchor: anchor, "note")
    }.joined()
  }

  private static let lineHeight = 18.0
}

struct ReliabilityPlot {
  let bins: [CalibrationFigures.Bin]
  let label: String

  var svg: String {
    let frame = PlotFrame(
      xTitle: "predicted probability", yTitle: "fraction of right answers",
      xTicks: PlotFrame.shares(), yTicks: PlotFrame.shares())
    let most = bins.map(\.photos).max() ?? 0
    let bars = bins.map { bin in drawn(bin, frame, most: most) }
    return SVG.picture(
      width: frame.width, height: frame.height, label: label,
      frame.axes + bars.joined() + frame.diagonal
        + bins.map { dot($0, frame) }.joined())
  }

  private func drawn(_ bin: CalibrationFigures.Bin, _ frame: PlotFrame, most: Int) -> String {
    guard let accuracy = bin.accuracy, most > 0 else { return "" }
    let x = frame.x(bin.lower) + 1
    let title =
      "\(FigureText.percent(bin.lower)) to \(FigureText.percent(bin.upper)): "
      + "\(bin.right) of \(FigureText.count(bin.photos, "photo")) right"
    let share = Double(bin.photos) / Double(most)
    return SVG.rectangle(
      x: x, y: frame.y(accuracy), width: frame.x(bin.upper) - x - 1,
      height: frame.y(0) - frame.y(accuracy), share > 0.2 ? "bar" : "bar few", title: title)
  }

  private func dot(_ bin: CalibrationFigures.Bin, _ frame: PlotFrame) -> String {
    guard let accuracy = bin.accuracy, let mean = bin.meanProbability else { return "" }
    return SVG.circle(frame.x(mean), frame.y(accuracy), radius: 3.5, "dot series1")
  }
}
