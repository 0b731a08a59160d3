/// Shares with their intervals, one below the other, on one scale from 0 to 100 %.
struct IntervalPlot {
  /// A share of some photos.
  struct Row {
    let name: String
    let share: Double
    let lower: Double
    let upper: Double
    /// Printed at the end of the row.
    let note: String
    /// Which of the three looks it has.
    var style = 0
  }

  let rows: [Row]
  /// What a screen reader says.
  let label: String

  private let plotWidth = 220.0
  private let mostCharacters = 22
  /// More than most characters take.
  private let characterWidth = 7.1
  private let rowHeight = 26.0
  private let top = 6.0

  var svg: String {
    let bottom = top + rowHeight * Double(rows.count)
    let grid = stride(from: 0.0, through: 1, by: 0.25).map { share in
      SVG.line(from: (x(share), top), to: (x(share), bottom), "grid")
        + SVG.text(
          FigureText.decimal(100 * share, digits: 0) + " %", x: x(share), y: bottom + 15,
          anchor: .middle)
    }
    return SVG.picture(
      width: left + plotWidth + right, height: bottom + 22, label: label, hasSize: true,
      grid.joined() + rows.enumerated().map { drawn($1, number: $0) }.joined())
  }

  /// As wide as the names, so that little is lost on a phone.
  private var left: Double {
    let longest = rows.map { min($0.name.count, mostCharacters) }.max() ?? 0
    return 16 + characterWidth * Double(longest)
  }

  private var right: Double { 16 + characterWidth * Double(rows.map(\.note.count).max() ?? 0) }

  private func x(_ share: Double) -> Double { left + share * plotWidth }

  private func drawn(_ row: Row, number: Int) -> String {
    let y = top + rowHeight * (Double(number) + 0.5)
    let style = "series\(row.style % 3)"
    // As much of a name as there is room for; all of it where the pointer rests.
    let name =
      row.name.count > mostCharacters ? row.name.prefix(mostCharacters - 1) + "…" : row.name[...]
    return SVG.element(
      "g", [],
      SVG.title("\(row.name): \(row.note)")
        + SVG.text(String(name), x: left - 10, y: y + 4, anchor: .end, "note")
        + SVG.line(from: (x(row.lower), y), to: (x(row.upper), y), "whisker \(style)")
        + SVG.line(from: (x(row.lower), y - 5), to: (x(row.lower), y + 5), "whisker \(style)")
        + SVG.line(from: (x(row.upper), y - 5), to: (x(row.upper), y + 5), "whisker \(style)")
        + SVG.circle(x(row.share), y, radius: 5, "dot \(style)")
        + SVG.text(row.note, x: left + plotWidth + 12, y: y + 4, "note"))
  }
}
