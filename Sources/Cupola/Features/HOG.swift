#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Histograms of oriented gradients (Dalal & Triggs, CVPR 2005) for a gray image. Requires no training.
/// 1. Compute central differences without the factor 1/2. Mirroring at the border makes the gradient across it 0.
/// 2. Vote for the two nearest unsigned orientation bins. The center of the first bin is half a bin from 0 (along the
///    row).
/// 3. Average the votes, in gray levels, in cells of `cellSize` x `cellSize` pixels with a triangular window that is
///    two cells wide in each direction (bilinear interpolation).
/// 4. Normalize overlapping blocks of `blockSize` x `blockSize` cells with L2-Hys: L2, clip, L2.
/// The descriptor is ordered by block row, block column, cell row, cell column, and orientation.
package struct HOG: Equatable, Codable, Sendable {
  package static let kind = "hog"

  // Model files store the kinds of voting and pooling. Each has a single supported value.
  package enum Voting: String, Codable, Sendable { case linear }
  package enum Pooling: String, Codable, Sendable { case triangular }

  /// Bins over 180 degrees, at least 3.
  package var orientations: Int
  /// Side of a cell in pixels, even.
  package var cellSize: Int
  package var blockSize: Int
  private(set) var voting = Voting.linear
  private(set) var pooling = Pooling.triangular
  /// The value at which the first normalization's results are clipped.
  package var clip: Float
  /// Added in quadrature to a block's norm in the first normalization, in gray levels.
  package var firstEpsilon: Float
  /// Added in quadrature to a block's norm in the second normalization.
  package var secondEpsilon: Float

  package static let standard = HOG(
    orientations: 9, cellSize: 8, blockSize: 2, clip: 0.2, firstEpsilon: 1,
    secondEpsilon: 0.01)

  /// Returns the descriptor length; 0 if the image is smaller than one block.
  package func count(width: Int, height: Int) -> Int {
    let blocks = (
      across: width / cellSize - blockSize + 1, down: height / cellSize - blockSize + 1
    )
    guard blocks.across > 0, blocks.down > 0 else { return 0 }
    return blocks.across * blocks.down * blockSize * blockSize * orientations
  }

  /// Returns an image's descriptor.
  /// Pixels to the right of the last whole cell or below it are ignored.
  package func descriptor(of image: GrayImage) throws(CupolaError) -> [Float] {
    let count = count(width: image.width, height: image.height)
    guard count > 0 else {
      throw CupolaError.pictureTooSmall(
        width: image.width, height: image.height, needed: cellSize * blockSize)
    }
    var descriptor = [Float](repeating: 0, count: count)
    var workspace = HOGWorkspace(self, width: image.width, height: image.height)
    workspace.describe(image, into: &descriptor)
    return descriptor
  }

  func cells(of image: GrayImage) -> CellGrid {
    var workspace = HOGWorkspace(self, width: image.width, height: image.height)
    workspace.readCells(of: image)
    return workspace.cells
  }

  /// Validates the parameters that were read from a model file.
  func check(inputSide: Int) throws(CupolaError) {
    try Recipe.require((3...64).contains(orientations), "\(orientations) orientations")
    try Recipe.require(
      (2...inputSide).contains(cellSize) && cellSize.isMultiple(of: 2),
      "cells of \(cellSize) pixels")
    try Recipe.require((1...64).contains(blockSize), "blocks of \(blockSize) cells")
    try Recipe.require(
      clip > 0 && firstEpsilon > 0 && secondEpsilon > 0, "a clip or epsilon that is not positive")
    try Recipe.require(clip <= 1000, "a clip of \(clip)")
    for epsilon in [firstEpsilon, secondEpsilon] {
      try Recipe.require((1e-9...1e6).contains(epsilon), "an epsilon of \(epsilon)")
    }
  }
}

package struct CellGrid: Equatable, Sendable {
  package let columns: Int
  package let rows: Int
  package let orientations: Int
  /// Mean votes in gray levels, ordered by row, column, and orientation.
  package var values: [Float]
}

/// The linear functions that compute a gradient's vote for one orientation bin.
/// With unit vectors `u` along the bin directions, bin `k` receives `max(0, min(g x u[k+1], u[k-1] x g)) / sin(bin
/// width)`. This parallelogram decomposition is linear within a bin, continuous everywhere, and needs no arctangent,
/// root, or division.
package struct Voter: Sendable {
  /// `gx * upperX + gy * upperY` falls to 0 at the next bin's center; the `lower` sum falls to 0 at the previous bin's.
  package let upperX: Float
  package let upperY: Float
  package let lowerX: Float
  package let lowerY: Float

  var forms: [Float] { [upperX, upperY, lowerX, lowerY] }

  package init(bin: Int, of orientations: Int) {
    let width = Double.pi / Double(orientations)
    let next = (Double(bin) + 1.5) * width
    let last = (Double(bin) - 0.5) * width
    upperX = Float(sin(next) / sin(width))
    upperY = Float(-cos(next) / sin(width))
    lowerX = Float(-sin(last) / sin(width))
    lowerY = Float(cos(last) / sin(width))
  }
}

/// Computes ``HOG`` for prepared images at half size.
package struct HOGExtractor: Equatable, Sendable {
  package let settings: HOG
  private let workspaces = WorkspacePool<HOGWorkspace>()

  package init(settings: HOG) { self.settings = settings }

  func read(_ image: RGBImage, into features: inout [Float]) throws(CupolaError) {
    let (width, height) = (image.width / 2, image.height / 2)
    guard settings.count(width: width, height: height) > 0 else {
      throw .pictureTooSmall(
        width: width, height: height, needed: settings.cellSize * settings.blockSize)
    }
    workspaces.with(
      fitting: { $0.width == width && $0.height == height },
      orMade: { HOGWorkspace(settings, width: width, height: height) }
    ) { workspace in
      workspace.read(image, into: &features)
    }
  }

  package static func == (first: HOGExtractor, second: HOGExtractor) -> Bool {
    first.settings == second.settings
  }
}

/// Memory for computing ``HOG`` for images of one size.
/// 1. ``GradientRow`` computes the differences of a row.
/// 2. ``CellPool`` adds the row's votes to the histograms of the cells above and below.
/// 3. Blocks of cells are normalized with L2-Hys and written in order.
struct HOGWorkspace: Sendable {
  let width: Int
  let height: Int

  private let hog: HOG
  private var whole = GrayImage(width: 0, height: 0)
  private var half = GrayImage(width: 0, height: 0)
  private var gradients: GradientRow
  private var pool: CellPool

  init(_ hog: HOG, width: Int, height: Int) {
    self.hog = hog
    self.width = width
    self.height = height
    pool = CellPool(
      columns: width / hog.cellSize, rows: height / hog.cellSize, orientations: hog.orientations,
      cellSize: hog.cellSize)
    gradients = GradientRow(width: width / hog.cellSize * hog.cellSize)
  }

  var cells: CellGrid { pool.grid }

  mutating func read(_ image: RGBImage, into features: inout [Float]) {
    if whole.width == 0 {
      whole = GrayImage(width: image.width, height: image.height)
      half = GrayImage(width: width, height: height)
    }
    whole.read(lumaOf: image)
    half.read(halfOf: whole)
    describe(half, into: &features)
    var all = features.mutableSpan
    VectorMath.normalize(&all)
  }

  mutating func describe(_ image: GrayImage, into descriptor: inout [Float]) {
    precondition(
      descriptor.count == hog.count(width: width, height: height),
      "buffer of \(descriptor.count) values")
    readCells(of: image)
    writeBlocks(into: &descriptor)
  }

  mutating func readCells(of image: GrayImage) {
    precondition(image.width == width && image.height == height, "image size mismatch")
    pool.reset()
    for y in 0..<height / hog.cellSize * hog.cellSize {
      gradients.read(row: y, of: image)
      pool.begin(row: y)
      pool.add(gradients)
    }
    pool.finish()
  }

  private func writeBlocks(into descriptor: inout [Float]) {
    let (blockSize, orientations) = (hog.blockSize, hog.orientations)
    let columns = pool.grid.columns
    let across = columns - blockSize + 1
    let length = blockSize * orientations
    let values = pool.grid.values.span
    var all = descriptor.mutableSpan
    var at = 0
    for blockRow in 0..<pool.grid.rows - blockSize + 1 {
      for blockColumn in 0..<across {
        var block = all._mutatingExtracting(at..<at + blockSize * length)
        for cellRow in 0..<blockSize {
          let start = ((blockRow + cellRow) * columns + blockColumn) * orientations
          let source = values.extracting(start..<start + length)
          for index in 0..<length { block[cellRow * length + index] = source[index] }
        }
        normalize(&block)
        at += blockSize * length
      }
    }
  }

  private func normalize(_ block: inout MutableSpan<Float>) {
    let (firstEpsilon, secondEpsilon) = (hog.firstEpsilon, hog.secondEpsilon)
    let first = 1 / (sumOfSquares(block) + firstEpsilon * firstEpsilon).squareRoot()
    for index in block.indices { block[index] = min(block[index] * first, hog.clip) }
    let second = 1 / (sumOfSquares(block) + secondEpsilon * secondEpsilon).squareRoot()
    for index in block.indices { block[index] *= second }
  }

  private func sumOfSquares(_ block: borrowing MutableSpan<Float>) -> Float {
    // Four independent sums let the processor add in parallel.
    var sums = SIMD4<Float>.zero
    let whole = block.count & ~3
    var index = 0
    while index < whole {
      let four = SIMD4(block[index], block[index + 1], block[index + 2], block[index + 3])
      sums += four * four
      index += 4
    }
    var sum = sums.sum()
    while index < block.count {
      sum += block[index] * block[index]
      index += 1
    }
    return sum
  }
}

/// Adds votes to the histograms of cells, row by row.
/// Each row contributes to two rows of sums: one for the cell centers above it and one for those below it. Once a row
/// passes a center, the upper sums are complete and are pooled along the row.
struct CellPool: Sendable {
  private let columns: Int
  private let rows: Int
  private let orientations: Int
  private let cellSize: Int
  /// Horizontal weights of the pixels from `reach` before a cell to `reach` after it.
  private let window: [Float]
  private let reach: Int
  /// The histograms, valid after ``finish()``.
  private(set) var grid: CellGrid
  /// One sum per orientation and pixel column.
  private var upper: [Float]
  private var lower: [Float]
  private var upperRow: Int
  /// The weights of the current row's votes in the upper sums and in the lower sums.
  private var weights: (upper: Float, lower: Float) = (0, 0)
  private let forms: [Float]

  init(columns: Int, rows: Int, orientations: Int, cellSize: Int) {
    self.columns = columns
    self.rows = rows
    self.orientations = orientations
    self.cellSize = cellSize
    forms = (0..<orientations).flatMap { Voter(bin: $0, of: orientations).forms }
    reach = cellSize / 2
    window = Self.window(cellSize)
    grid = CellGrid(
      columns: columns, rows: rows, orientations: orientations,
      values: [Float](repeating: 0, count: columns * rows * orientations))
    upper = [Float](repeating: 0, count: columns * cellSize * orientations)
    lower = upper
    upperRow = -1
  }

  mutating func reset() {
    Self.zero(&upper)
    Self.zero(&lower)
    upperRow = -1
  }

  private static func zero(_ sums: inout [Float]) {
    var sums = sums.mutableSpan
    for index in sums.indices { sums[index] = 0 }
  }

  /// Sets the image row of the next votes. Rows must be in order.
  mutating func begin(row: Int) {
    let half = cellSize / 2
    if (row + half) / cellSize - 1 != upperRow { advance() }
    let below = (Float((row + half) % cellSize) + 0.5) / Float(cellSize)
    weights = (1 - below, below)
  }

  mutating func add(_ gradients: GradientRow) {
    WideRows.addVotes(
      x: gradients.x, y: gradients.y, forms: forms, weights: weights, upper: &upper, lower: &lower)
  }

  mutating func finish() {
    while upperRow < rows { advance() }
  }

  private mutating func advance() {
    if upperRow >= 0 { gatherUpper() }
    upperRow += 1
    swap(&upper, &lower)
    Self.zero(&lower)
  }

  private mutating func gatherUpper() {
    let width = columns * cellSize
    let sums = upper
    for bin in 0..<orientations {
      let binSums = sums.span.extracting(bin * width..<(bin + 1) * width)
      for column in 0..<columns {
        let at = (upperRow * columns + column) * orientations + bin
        grid.values[at] = pooled(binSums, column) / Float(cellSize * cellSize)
      }
    }
  }

  private func pooled(_ sums: Span<Float>, _ column: Int) -> Float {
    let start = column * cellSize - reach
    let from = max(0, start)
    let to = min(sums.count, start + window.count)
    let part = sums.extracting(from..<to)
    let weights = window.span.extracting(from - start..<to - start)
    var total: Float = 0
    for index in 0..<part.count { total += part[index] * weights[index] }
    return total
  }

  /// A triangular window, two cells wide, whose values sum to the cell side.
  private static func window(_ cellSize: Int) -> [Float] {
    let rising = (0..<cellSize).map { (Float($0) + 0.5) / Float(cellSize) }
    return rising + rising.reversed()
  }
}
