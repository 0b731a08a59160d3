/// How much each part of a picture speaks for one label rather than another, in logits.
///
/// A grid over the square that the features see, rows from the top. Positive values speak for the
/// label, negative ones for the other.
public struct EvidenceMap: Equatable, Sendable {
  /// Cells along the upper edge.
  public let columns: Int
  /// Cells along the left edge.
  public let rows: Int
  /// `columns * rows` values, row-major.
  public private(set) var values: [Double]

  /// A map without any evidence.
  init(columns: Int, rows: Int) {
    precondition(columns > 0 && rows > 0, "a map of \(columns)x\(rows) cells")
    self.columns = columns
    self.rows = rows
    values = [Double](repeating: 0, count: columns * rows)
  }

  /// The value of a cell.
  public subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

  /// What all cells say together.
  public var total: Double { values.reduce(0, +) }

  /// How much all cells say, whichever label they speak for.
  public var magnitude: Double { values.reduce(0) { $0 + $1.magnitude } }

  /// Spreads a share evenly over a part of the picture; the total grows by exactly that share.
  mutating func add(_ share: Double, over extent: Extent) {
    let across = Self.overlaps(extent.x, extent.width, columns)
    let down = Self.overlaps(extent.y, extent.height, rows)
    for (row, height) in down {
      for (column, width) in across { values[row * columns + column] += share * height * width }
    }
  }

  /// The cells along one side that an interval touches, and how much of it lies in each.
  private static func overlaps(
    _ start: Double, _ length: Double, _ count: Int
  ) -> [(cell: Int, share: Double)] {
    let (from, to) = (start * Double(count), (start + length) * Double(count))
    let first = min(max(Int(from), 0), count - 1)
    let last = min(max(Int(to.rounded(.up)) - 1, first), count - 1)
    let lengths = (first...last).map { cell in
      max(0, min(to, Double(cell + 1)) - max(from, Double(cell)))
    }
    let sum = lengths.reduce(0, +)
    guard sum > 0 else { return [(first, 1)] }
    return zip(first...last, lengths).map { ($0, $1 / sum) }
  }
}
