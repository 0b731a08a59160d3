internal import Cupola

/// Examples of which some rows at a time are asked for, in full.
protocol ExampleSource: Sendable {
  var rows: Int { get }
  var columns: Int { get }
  /// The chosen rows, in the order given.
  func selecting(rows chosen: [Int]) -> Matrix
}

extension Matrix: ExampleSource {}

/// Coordinates of examples in their span: a trapezoid of which only the part that is not zero is kept.
struct Coordinates: ExampleSource {
  let rows: Int
  let columns: Int
  /// The rows one after the other, without the zeros at their ends.
  private let values: [Float]
  /// Which row of the trapezoid each example has; `nil` where nothing was left out.
  private let place: [Int]?

  /// All of a matrix.
  init(_ matrix: Matrix) {
    rows = matrix.rows
    columns = matrix.columns
    values = matrix.values
    place = nil
  }

  /// - Parameters:
  ///   - factor: rows in pivot order, of which row `i` has `i + 1` values that count, at most `rank`.
  ///   - pivots: the example of each row.
  init(trapezoid factor: Matrix, rank: Int, pivots: [Int]) {
    rows = factor.rows
    columns = rank
    var place = [Int](repeating: 0, count: factor.rows)
    for (row, pivot) in pivots.enumerated() { place[pivot] = row }
    self.place = place
    var values: [Float] = []
    values.reserveCapacity(Self.start(of: factor.rows, rank))
    for row in 0..<factor.rows {
      let start = factor.range(ofRow: row).lowerBound
      values += factor.values[start..<start + min(row + 1, rank)]
    }
    self.values = values
  }

  func selecting(rows chosen: [Int]) -> Matrix {
    var selected: [Float] = []
    selected.reserveCapacity(chosen.count * columns)
    for example in chosen {
      if let place {
        let row = place[example]
        let count = min(row + 1, columns)
        let start = Self.start(of: row, columns)
        selected += values[start..<start + count]
        selected += repeatElement(0, count: columns - count)
      } else {
        selected += values[example * columns..<(example + 1) * columns]
      }
    }
    return Matrix(rows: chosen.count, columns: columns, values: selected)
  }

  /// Where a row of a trapezoid begins.
  private static func start(of row: Int, _ rank: Int) -> Int {
    row <= rank ? row * (row + 1) / 2 : rank * (rank + 1) / 2 + (row - rank) * rank
  }
}
