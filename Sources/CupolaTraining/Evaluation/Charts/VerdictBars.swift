/// What was answered to photos of each kind, as parts of a bar.
struct VerdictBars {
  /// Photos of one kind.
  struct Row {
    let name: String
    let counts: Evaluation.Verdicts
    /// Whether a name can be right for them.
    let areBuildings: Bool
  }

  let rows: [Row]
  /// What a screen reader says.
  let label: String

  private let width = 470.0
  private let left = 130.0
  private let rowHeight = 34.0

  var svg: String {
    SVG.picture(
      width: width, height: rowHeight * Double(rows.count) + 4, label: label,
      hasSize: true,
      rows.enumerated().map { drawn($1, number: $0) }.joined())
  }

  private func drawn(_ row: Row, number: Int) -> String {
    let y = 4 + rowHeight * Double(number)
    let parts = Self.parts(row)
    let total = max(parts.reduce(0) { $0 + $1.count }, 1)
    var x = left
    var drawing = SVG.text(row.name, x: left - 10, y: y + 17, anchor: .end, "note")
    for part in parts where part.count > 0 {
      let length = (width - left - 4) * Double(part.count) / Double(total)
      drawing += SVG.rectangle(
        x: x, y: y, width: max(length - 2, 1), height: rowHeight - 8, "part \(part.style)",
        title: "\(row.name): \(part.count) \(part.name)")
      if length > 26 {
        drawing += SVG.text(
          "\(part.count)", x: x + length / 2, y: y + 17, anchor: .middle, "on-\(part.style)")
      }
      x += length
    }
    return drawing
  }

  /// From what is best to what is worst.
  static func parts(_ row: Row) -> [(name: String, count: Int, style: String)] {
    let counts = row.counts
    let refused = counts.notACampusBuilding
    return row.areBuildings
      ? [
        ("named right", counts.right, "good"), ("unsure", counts.unsure, "unsure"),
        ("wrong by place only", counts.mappedWrong, "unsure"),
        ("refused", refused, "refused"), ("not on campus", counts.notOnCampus, "refused"),
        ("named wrong", counts.wrong, "bad"),
      ]
      : [
        ("refused", refused, "good"), ("not on campus", counts.notOnCampus, "good"),
        ("right by place only", counts.mappedRight, "good"),
        ("wrong by place only", counts.mappedWrong, "unsure"), ("unsure", counts.unsure, "unsure"),
        ("named", counts.wrong + counts.right, "bad"),
      ]
  }
}
