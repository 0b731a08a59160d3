internal import Cupola

/// The inner products of examples with each other, made once for all weights that their two parts may get.
///
/// An inner product is the sum of those of the parts, each times the square of its weight.
struct InnerProducts: Sendable {
  /// Of the values before a column, and of those from it on: the rows of the lower triangle, one after the other.
  private let parts: [[Float]]
  /// That column; `nil` where all values are one part.
  private let split: Int?
  private let rows: Int

  /// Rows of the triangle that are made at a time.
  private static let tileRows = 256

  /// - Parameter examples: whose weights say where the second part begins.
  init(of examples: ExampleRows, threads: Int) async {
    rows = examples.rows
    split = examples.weights?.count
    let first = min(split ?? examples.columns, examples.columns)
    var parts: [[Float]] = []
    for columns in [0..<first, first..<examples.columns] where !columns.isEmpty || parts.isEmpty {
      parts.append(await Self.triangle(of: examples.unweighted, columns, threads: threads))
    }
    self.parts = parts
  }

  /// The lower triangle as a matrix, with zeros above.
  ///
  /// - Parameter weights: of the parts; `nil` is 1 for both.
  func matrix(weights: ExampleRows.Weights?) -> Matrix {
    precondition(weights == nil || weights?.count == split, "weights of other parts")
    var result = Matrix(rows: rows, columns: rows)
    for (part, weight) in zip(parts, [weights?.first ?? 1, weights?.rest ?? 1]) {
      var values = result.values.mutableSpan
      let (source, square) = (part.span, weight * weight)
      for row in 0..<rows {
        let start = Self.start(ofRow: row)
        var target = values._mutatingExtracting(row * rows..<row * rows + row + 1)
        let own = source.extracting(start..<start + row + 1)
        for column in 0..<own.count { target[column] += square * own[column] }
      }
    }
    return result
  }

  private static func start(ofRow row: Int) -> Int { row * (row + 1) / 2 }

  /// Every value is read once, a block of columns at a time.
  private static func triangle(
    of examples: ExampleRows, _ columns: Range<Int>, threads: Int
  ) async -> [Float] {
    let rows = examples.rows
    // The longest first, so that none begins when all others are done.
    let tiles =
      stride(from: 0, to: rows, by: tileRows).map { $0..<min($0 + tileRows, rows) }
      .reversed() as [Range<Int>]
    var triangle = [Float](repeating: 0, count: start(ofRow: rows))
    for block in examples.columnBlocks(of: columns) {
      let values = examples.matrix(columns: block)
      let products = await parallelMap(tiles, threads: threads) { tile in
        var product = Matrix(rows: tile.count, columns: tile.upperBound)
        BLAS.multiply(
          values, values, rowsOfA: tile, rowsOfB: 0..<tile.upperBound, transposeB: true,
          into: &product)
        return product
      }
      for (tile, product) in zip(tiles, products) { add(product, of: tile, to: &triangle) }
    }
    return triangle
  }

  private static func add(_ product: Matrix, of tile: Range<Int>, to triangle: inout [Float]) {
    let source = product.values.span
    var target = triangle.mutableSpan
    for row in tile {
      let first = (row - tile.lowerBound) * product.columns
      let own = source.extracting(first..<first + row + 1)
      var sums = target._mutatingExtracting(start(ofRow: row)..<start(ofRow: row + 1))
      for column in 0..<own.count { sums[column] += own[column] }
    }
  }
}
