/// How often answers of each probability are right, beside how often they should be.
struct ReliabilityPlot {
  let bins: [CalibrationFigures.Bin]
  /// What a screen reader says.
  let label: String

  var svg: String {
    let frame = PlotFrame(
      xTitle: "probability of the answer", yTitle: "share that is right",
      xTicks: PlotFrame.shares(), yTicks: PlotFrame.shares())
    let most = bins.map(\.photos).max() ?? 0
    let bars = bins.map { bin in drawn(bin, frame, most: most) }
    return SVG.picture(
      width: frame.width, height: frame.height, label: label,
      frame.axes + bars.joined() + frame.diagonal
        + bins.map { dot($0, frame) }.joined())
  }

  /// As dark as many photos are in it.
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
