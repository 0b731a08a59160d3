internal import Cupola

/// The feature vectors of many photos as they are kept, in half precision.
///
/// They become floats a block at a time: whole, and once more for every weight of color that is tried,
/// they would be most of what training takes of memory. Of many photos they stay in their files.
struct ExampleRows: Equatable, Sendable {
  /// Bytes of floats in one block.
  private static let blockBytes = 16 << 20
  /// Rows and columns of a block are a multiple of this, so that products come in the same tiles as if
  /// they were made at once.
  private static let tile = 64

  /// One a photo.
  private let blocks: [FeatureBlock]
  /// For every row its block, and where it begins there.
  private let places: [(block: Int, start: Int)]
  /// What the values are multiplied by.
  private(set) var weights: Weights?

  /// Factors of the first `count` columns and of the others.
  struct Weights: Equatable, Sendable {
    var first: Float
    var count: Int
    var rest: Float
  }

  /// Feature vectors.
  var rows: Int { places.count }
  /// Values of each.
  let columns: Int

  /// - Parameter blocks: one a photo, of any number of rows and `columns` columns.
  init(_ blocks: [FeatureBlock], columns: Int) {
    for block in blocks {
      precondition(
        block.shape.count == 2 && block.shape[1] == columns,
        "\(block.shape), not \(columns) columns")
    }
    self.blocks = blocks
    self.columns = columns
    places = blocks.enumerated().flatMap { number, block in
      (0..<block.shape[0]).map { (number, $0 * columns) }
    }
  }

  /// - Parameter tensors: one a photo, of type `F16` or `F32`.
  init(_ tensors: [SafeTensors.Tensor], columns: Int) {
    self.init(tensors.map(FeatureBlock.memory), columns: columns)
  }

  /// Those of some photos, in the order given, in memory.
  func loading(photos: [Int]) -> ExampleRows {
    var result = ExampleRows(photos.map { .memory(blocks[$0].loaded) }, columns: columns)
    result.weights = weights
    return result
  }

  /// The same with the first `count` columns and the others multiplied.
  func multiplied(first count: Int, by first: Float, rest: Float) -> ExampleRows {
    precondition(weights == nil, "rows that are weighed already")
    var result = self
    result.weights = Weights(first: first, count: count, rest: rest)
    return result
  }

  /// The same without factors.
  var unweighted: ExampleRows {
    var result = self
    result.weights = nil
    return result
  }

  static func == (left: ExampleRows, right: ExampleRows) -> Bool {
    left.columns == right.columns && left.rows == right.rows && left.all == right.all
  }

  // MARK: - As floats

  /// All of them.
  var all: Matrix { matrix(rows: 0..<rows, columns: 0..<columns) }

  /// Some of them, in full.
  func matrix(rows: Range<Int>) -> Matrix { matrix(rows: rows, columns: 0..<columns) }

  /// Some values of all of them.
  func matrix(columns: Range<Int>) -> Matrix { matrix(rows: 0..<rows, columns: columns) }

  /// One of them.
  func row(_ index: Int) -> [Float] { matrix(rows: index..<index + 1).values }

  /// The rows in blocks of bounded size.
  var rowBlocks: [Range<Int>] { Self.blocks(0..<rows, of: columns) }

  /// The columns likewise.
  var columnBlocks: [Range<Int>] { columnBlocks(of: 0..<columns) }

  /// Some columns likewise.
  func columnBlocks(of chosen: Range<Int>) -> [Range<Int>] { Self.blocks(chosen, of: rows) }

  private static func blocks(_ all: Range<Int>, of length: Int) -> [Range<Int>] {
    let tiles = max(1, blockBytes / (MemoryLayout<Float>.size * max(1, length) * tile))
    return stride(from: all.lowerBound, to: all.upperBound, by: tiles * tile).map { start in
      start..<min(start + tiles * tile, all.upperBound)
    }
  }

  private func matrix(rows: Range<Int>, columns chosen: Range<Int>) -> Matrix {
    let values = [Float](capacity: rows.count * chosen.count) { output in
      for row in rows {
        let (block, start) = places[row]
        let elements = start + chosen.lowerBound..<start + chosen.upperBound
        blocks[block].append(elements, to: &output)
      }
    }
    var matrix = Matrix(rows: rows.count, columns: chosen.count, values: values)
    weigh(&matrix, firstColumn: chosen.lowerBound)
    return matrix
  }

  private func weigh(_ matrix: inout Matrix, firstColumn: Int) {
    guard let weights else { return }
    let first = min(max(weights.count - firstColumn, 0), matrix.columns)
    let width = matrix.columns
    let rows = matrix.rows
    var values = matrix.values.mutableSpan
    for row in 0..<rows {
      var part = values._mutatingExtracting(row * width..<(row + 1) * width)
      for index in 0..<first { part[index] *= weights.first }
      for index in first..<width { part[index] *= weights.rest }
    }
  }
}
