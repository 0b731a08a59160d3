#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Two axes, and where values stand between them.
struct PlotFrame: Sendable {
  /// A value and what it is called on an axis.
  struct Tick: Sendable {
    let value: Double
    let text: String
  }

  var width = 440.0
  var height = 300.0
  let xTitle: String
  let yTitle: String
  let xTicks: [Tick]
  let yTicks: [Tick]
  /// Whether equal ratios, not equal differences, are equally far apart from left to right.
  var isLogarithmic = false

  private let left = 64.0
  private let right = 24.0
  private let top = 12.0
  private let bottom = 46.0

  init(xTitle: String, yTitle: String, xTicks: [Tick], yTicks: [Tick], isLogarithmic: Bool = false)
  {
    precondition(xTicks.count > 1 && yTicks.count > 1, "an axis needs two ticks")
    self.xTitle = xTitle
    self.yTitle = yTitle
    self.xTicks = xTicks
    self.yTicks = yTicks
    self.isLogarithmic = isLogarithmic
  }

  /// Shares from 0 to a highest, in percent.
  static func shares(upTo highest: Double = 1) -> [Tick] {
    let step = highest > 0.5 ? 0.2 : highest > 0.25 ? 0.1 : highest > 0.1 ? 0.05 : 0.02
    let count = max(1, Int((highest / step - 1e-9).rounded(.up)))
    return (0...count).map { index in
      let value = Double(index) * step
      return Tick(value: value, text: FigureText.decimal(100 * value, digits: 0) + " %")
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

  /// Grid, ticks and titles.
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

  /// Where a straight line of equal values runs.
  var diagonal: String {
    SVG.line(from: (x(0), y(0)), to: (x(1), y(1)), "reference")
  }
}
