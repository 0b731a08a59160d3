internal import CupolaCampus

/// Rows of text with their columns aligned, as a terminal shows them.
package enum TextColumns {
  /// The first column to the left, the others to the right, without blanks at the ends.
  ///
  /// - Parameter width: columns that this is too narrow for follow below, beside the first once more.
  package static func aligned(
    _ rows: [[String]], indent: Int = 2, width: Int = .max
  ) -> String {
    let rows = rows.map { $0.map(VisibleText.line) }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? WrappedText.width($0[column]) : 0 }.max() ?? 0
    }
    return blocks(of: widths, indent: indent, width: width).map { block in
      rows.map { row in
        let cells = block.filter { $0 < row.count }.map { column in
          let missing = widths[column] - WrappedText.width(row[column])
          let blanks = String(repeating: " ", count: missing)
          return column == 0 ? row[column] + blanks : blanks + row[column]
        }
        let line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
      }.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// The columns that stand beside each other, the first in each block.
  private static func blocks(of widths: [Int], indent: Int, width: Int) -> [[Int]] {
    guard let first = widths.first else { return [] }
    var blocks = [[0]]
    var used = indent + first
    for column in widths.indices.dropFirst() {
      let added = 2 + widths[column]
      if used > width - added, blocks[blocks.count - 1].count > 1 {
        blocks.append([0])
        used = indent + first
      }
      blocks[blocks.count - 1].append(column)
      used += added
    }
    return blocks
  }

  /// A name and a value a row, the values below each other.
  package static func facts(_ rows: [(String, String)], width: Int) -> String {
    rows.map { name, value in
      let name = VisibleText.line(name)
      let blanks = String(repeating: " ", count: max(1, width - WrappedText.width(name)))
      return name + blanks + VisibleText.line(value)
    }.joined(separator: "\n")
  }
}
