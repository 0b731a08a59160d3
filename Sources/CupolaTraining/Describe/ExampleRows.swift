internal import Cupola
internal import CupolaCampus

// 1. Store the feature vectors of a photo in half precision, in memory or in a file (`FeatureBlock`).
// 2. Join blocks and convert rows to floats (`ExampleRows`).

/// The feature vectors of many photos, stored in half precision in memory or in files.
///
/// One block at a time is converted to floats, because a full copy for each color weight would use too much memory.
struct ExampleRows: Equatable, Sendable {
  private static let blockBytes = 16 << 20
  /// The block size is a multiple of this, so that tiled products equal those of the whole matrix.
  private static let tile = 64
  private let blocks: [FeatureBlock]
  private var places: [(block: Int, start: Int)]
  private(set) var weights: Weights?

  struct Weights: Equatable, Sendable {
    var first: Float
    var count: Int
    var rest: Float
  }

  var rows: Int { places.count }
  let columns: Int

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

  init(_ tensors: [SafeTensors.Tensor], columns: Int) {
    self.init(tensors.map(FeatureBlock.memory), columns: columns)
  }

  func loading(photos: [Int]) -> ExampleRows {
    var result = ExampleRows(photos.map { .memory(blocks[$0].loaded) }, columns: columns)
    result.weights = weights
    return result
  }

  func selecting(rows: [Int]) -> ExampleRows {
    var result = self
    result.places = rows.map { places[$0] }
    return result
  }

  func multiplied(first count: Int, by first: Float, rest: Float) -> ExampleRows {
    precondition(weights == nil, "the rows are already weighted")
    var result = self
    result.weights = Weights(first: first, count: count, rest: rest)
    return result
  }

  var unweighted: ExampleRows {
    var result = self
    result.weights = nil
    return result
  }

  static func == (left: ExampleRows, right: ExampleRows) -> Bool {
    left.columns == right.columns && left.rows == right.rows && left.all == right.all
  }

  var all: Matrix { matrix(rows: 0..<rows, columns: 0..<columns) }

  func matrix(rows: Range<Int>) -> Matrix { matrix(rows: rows, columns: 0..<columns) }
  func matrix(columns: Range<Int>) -> Matrix { matrix(rows: 0..<rows, columns: columns) }
  func row(_ index: Int) -> [Float] { matrix(rows: index..<index + 1).values }

  var rowBlocks: [Range<Int>] { Self.blocks(0..<rows, of: columns) }

  var columnBlocks: [Range<Int>] { columnBlocks(of: 0..<columns) }

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

enum FeatureBlock: Sendable {
  case memory(SafeTensors.Tensor)
  case file(FeatureFile)

  var shape: [Int] {
    switch self {
    case .memory(let tensor): tensor.shape
    case .file(let file): file.shape
    }
  }

  var loaded: SafeTensors.Tensor {
    switch self {
    case .memory(let tensor): tensor
    case .file(let file): file.tensor(file.shape, from: 0)
    }
  }

  /// Returns whether all half-precision values are finite and less than 2; feature vectors have norm 1 at most.
  static func areFeatures(_ bytes: ArraySlice<UInt8>, after count: Int = 0) -> Bool {
    // The second byte of each half-precision value contains its sign and exponent.
    let first = bytes.startIndex + (count.isMultiple(of: 2) ? 1 : 0)
    return stride(from: first, to: bytes.endIndex, by: 2).allSatisfy { bytes[$0] & 0x7F < 0x40 }
  }

  func append(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    switch self {
    case .memory(let tensor): tensor.append(elements, to: &output)
    case .file(let file):
      file.tensor([elements.count], from: elements.lowerBound)
        .append(0..<elements.count, to: &output)
    }
  }
}

struct FeatureFile: Sendable {
  let path: String
  let offset: Int
  let shape: [Int]
  let failures: ReadingFailures

  fileprivate func tensor(_ shape: [Int], from element: Int) -> SafeTensors.Tensor {
    let start = offset + 2 * element
    let count = 2 * shape.reduce(1, *)
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(FileError) {
      bytes = try FileAccess.read(path, bytes: start..<start + count)
    } catch {
      failures.note(error)
    }
    return SafeTensors.Tensor(type: "F16", shape: shape, bytes: bytes)
  }
}

/// Records the first read error, for callers that continue with zeros.
final class ReadingFailures: Sendable {
  private let first = Locked<FileError?>(nil)

  func note(_ error: FileError) {
    first.withLock { if $0 == nil { $0 = error } }
  }

  var noted: FileError? { first.withLock { $0 } }

  func check() throws(TrainingError) {
    if let noted { throw .file(noted) }
  }
}
