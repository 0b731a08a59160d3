internal import Cupola

// Plots in plain characters, without colors, for `cupola evaluate --plot`.
// 1. The learning curve: a bar for each number of training photos.
// 2. The confused pairs: a bar for each true building and the name that its photos got.

struct TerminalPlots {
  private let report: EvaluationReport
  private let width: Int
  private static let mostPairs = 10
  /// The length of a full bar, at most and in a narrow terminal.
  private static let (longest, shortest) = (50, 8)

  init(_ report: EvaluationReport, width: Int) { (self.report, self.width) = (report, width) }

  var text: String { [learningCurve, confusedPairs].joined(separator: "\n\n") }

  private var learningCurve: String {
    let title = "learning curve: held-out training photos right, by photos per building"
    guard let points = report.learningCurve, !points.isEmpty else {
      return title
        + "\n  not measured; it requires a photo folder with training photos from several sessions"
    }
    let rows = points.map { point in
      Row(
        name: "\(point.photosPerBuilding)", share: point.named.accuracy ?? 0,
        value: FigureText.percent(point.named.accuracy))
    }
    return title + "\n" + bars(rows, isNumber: true)
  }

  private var confusedPairs: String {
    let title = "confused pairs: true building > first guess from the image alone"
    let matrix = report.evaluation.confusion
    let pairs = matrix.confusedPairs
    guard let most = pairs.first?.count, most > 0 else { return title + "\n  none" }
    let rows = pairs.prefix(Self.mostPairs).map { pair in
      Row(
        name: [pair.truth, pair.answer].map { VisibleText.line(report.names[matrix.labels[$0]]) }
          .joined(separator: " > "), share: Double(pair.count) / Double(most),
        value: "\(pair.count)")
    }
    let rest = pairs.count - rows.count
    return title + "\n" + bars(rows)
      + (rest > 0 ? "\n  and " + FigureText.count(rest, "more pair") : "")
  }

  private struct Row {
    let name: String
    let share: Double
    let value: String
  }

  /// A line for each row: its name, a bar from 0 to 1, and its value.
  private func bars(_ rows: [Row], isNumber: Bool = false) -> String {
    let values = rows.map(\.value.count).max() ?? 0
    // Two spaces before the name, the bar and the value each.
    let room = max(width - 6 - values, 2 * Self.shortest)
    let names = min(rows.map { WrappedText.width($0.name) }.max() ?? 0, room - Self.shortest)
    let longest = min(Self.longest, room - names)
    return rows.map { row in
      let name = WrappedText.beginning(of: row.name, columns: names)
      let blanks = String(repeating: " ", count: names - WrappedText.width(name))
      let length = Int((row.share * Double(longest)).rounded())
      let bar = String(repeating: "#", count: max(length, row.share > 0 ? 1 : 0))
      let space = String(repeating: " ", count: longest - bar.count)
      return "  " + (isNumber ? blanks + name : name + blanks) + "  " + bar + space + "  "
        + row.value
    }.joined(separator: "\n")
  }
}
