#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Histograms of oriented gradients (Dalal & Triggs, CVPR 2005) of a gray picture; nothing about them is learned.
///
/// 1. Central differences, without the half; at the border the neighbor across mirrors the one
///    within, so the gradient across the border is 0.
/// 2. Votes for the two nearest of unsigned orientation bins, whose centers are half a bin from 0 (along the row).
/// 3. Cells of `cellSize` x `cellSize` pixels, pooled as means in gray levels with a triangular window two cells wide
///    in each direction (bilinear interpolation).
/// 4. Overlapping blocks of `blockSize` x `blockSize` cells, normalized by L2-Hys: L2, clip, L2.
///
/// The result is ordered block row, block column, cell row, cell column, orientation.
package struct HOG: Equatable, Codable, Sendable {
  package static let kind = "hog"

  // The only ways to vote and to pool, which files name.
  package enum Voting: String, Codable, Sendable { case linear }
  package enum Pooling: String, Codable, Sendable { case triangular }

  /// Bins over 180 degrees, at least 3.
  package var orientations: Int
  /// Pixels along a cell's side, even.
  package var cellSize: Int
  /// Cells along a block's side.
  package var blockSize: Int
  private(set) var voting = Voting.linear
  private(set) var pooling = Pooling.triangular
  /// The largest value after the first normalization.
  package var clip: Float
  /// Added in quadrature to a block's norm before clipping, in gray levels.
  package var firstEpsilon: Float
  /// Added in quadrature to the norm after clipping.
  package var secondEpsilon: Float

  /// The recipe's descriptor: 8100 values for 128x128 pixels.
  package static let standard = HOG(
    orientations: 9, cellSize: 8, blockSize: 2, clip: 0.2, firstEpsilon: 1,
    secondEpsilon: 0.01)

  /// Values for a picture of so many pixels; 0 when it is too small for one block.
  package func count(width: Int, height: Int) -> Int {
    let blocks = (
      across: width / cellSize - blockSize + 1, down: height / cellSize - blockSize + 1
    )
    guard blocks.across > 0, blocks.down > 0 else { return 0 }
    return blocks.across * blocks.down * blockSize * blockSize * orientations
  }

  /// The descriptor of a picture.
  ///
  /// Pixels right of and below the last whole cell are left out.
  /// - Throws: ``CupolaError/pictureTooSmall(width:height:needed:)`` when no block fits.
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

  /// Step 1 to 3: the histogram of every cell.
  func cells(of image: GrayImage) -> CellGrid {
    var workspace = HOGWorkspace(self, width: image.width, height: image.height)
    workspace.readCells(of: image)
    return workspace.cells
  }

  /// Refuses numbers that no version of this program writes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` with ``ModelFault/inconsistent(_:)``.
  func check(inputSide: Int) throws(CupolaError) {
    try Recipe.require((3...64).contains(orientations), "\(orientations) orientations")
    try Recipe.require(
      (2...inputSide).contains(cellSize) && cellSize.isMultiple(of: 2),
      "cells of \(cellSize) pixels")
    try Recipe.require((1...64).contains(blockSize), "blocks of \(blockSize) cells")
    try Recipe.require(
      clip > 0 && firstEpsilon > 0 && secondEpsilon > 0, "a bound that is not positive")
    try Recipe.require(clip <= 1000, "a clip of \(clip)")
    for epsilon in [firstEpsilon, secondEpsilon] {
      try Recipe.require((1e-9...1e6).contains(epsilon), "an epsilon of \(epsilon)")
    }
  }
}

/// The histograms of a picture's cells.
package struct CellGrid: Equatable, Sendable {
  package let columns: Int
  package let rows: Int
  package let orientations: Int
  /// Ordered row, column, orientation; mean votes in gray levels.
  package var values: [Float]
}

/// The linear forms that tell a gradient's share in one orientation bin: the gradient's components along the directions
/// of the two nearest bins.
///
/// With unit vectors `u` of the bins' directions, bin `k` gets `max(0, min(g x u[k+1], u[k-1] x g)) / sin(bin width)`:
/// the parallelogram decomposition, which is linear within a bin, continuous everywhere, and needs no arctangent, root
/// or division.
package struct Voter: Sendable {
  /// `gx * upperX + gy * upperY` falls to 0 at the next bin's center; likewise `lower` at the last's.
  package let upperX: Float
  package let upperY: Float
  package let lowerX: Float
  package let lowerY: Float

  /// All four.
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

/// Computes ``HOG`` of prepared pictures, at half their size.
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

/// The memory in which ``HOG`` is computed, for pictures of one size.
///
/// 1. ``GradientRow`` takes the differences of a row.
/// 2. ``CellPool`` adds its votes to the histograms of the cells above and below.
/// 3. Blocks of cells are normalized by L2-Hys and written one after the other.
struct HOGWorkspace: Sendable {
  let width: Int
  let height: Int

  private let hog: HOG
  /// A picture of twice the size, made when there is one.
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

  /// The histograms of the last picture.
  var cells: CellGrid { pool.grid }

  /// Writes the descriptor of a picture of twice the size, of L2 norm 1.
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

  /// Writes the descriptor of a picture.
  mutating func describe(_ image: GrayImage, into descriptor: inout [Float]) {
    precondition(
      descriptor.count == hog.count(width: width, height: height),
      "room for \(descriptor.count) values")
    readCells(of: image)
    writeBlocks(into: &descriptor)
  }

  /// Step 1 to 3: gathers the histogram of every cell.
  mutating func readCells(of image: GrayImage) {
    precondition(image.width == width && image.height == height, "a picture of another size")
    pool.reset()
    for y in 0..<height / hog.cellSize * hog.cellSize {
      gradients.read(row: y, of: image)
      pool.begin(row: y)
      pool.add(gradients)
    }
    pool.finish()
  }

  /// Step 4: L2-Hys over overlapping blocks.
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
    // Four sums side by side: one chain of additions would wait for itself.
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

/// Gathers votes row by row into the histograms of cells.
///
/// Rows add to two rows of sums, one for the cells whose centers lie above and one for those below;
/// when a center is passed the upper sums are complete and are gathered along the row.
struct CellPool: Sendable {
  private let columns: Int
  private let rows: Int
  private let orientations: Int
  private let cellSize: Int
  /// Weights along the row of the pixels from `reach` before a cell to `reach` behind it.
  private let window: [Float]
  private let reach: Int
  /// The histograms, after ``finish()``.
  private(set) var grid: CellGrid
  /// For each orientation, one sum for each pixel column.
  private var upper: [Float]
  private var lower: [Float]
  private var upperRow: Int
  /// How much a row's votes count in each of the two rows of sums.
  private var weights: (upper: Float, lower: Float) = (0, 0)
  /// Those of ``Voter``, bin after bin.
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

  /// Tells which picture row the next votes come from; rows come in order.
  mutating func begin(row: Int) {
    let half = cellSize / 2
    if (row + half) / cellSize - 1 != upperRow { advance() }
    let below = (Float((row + half) % cellSize) + 0.5) / Float(cellSize)
    weights = (1 - below, below)
  }

  /// Adds the row's votes.
  mutating func add(_ gradients: GradientRow) {
    WideRows.addVotes(
      x: gradients.x, y: gradients.y, forms: forms, weights: weights, upper: &upper, lower: &lower)
  }

  /// Completes the histograms, after the last row.
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

  /// A triangle two cells wide, which sums to the cell's side.
  private static func window(_ cellSize: Int) -> [Float] {
    let rising = (0..<cellSize).map { (Float($0) + 0.5) / Float(cellSize) }
    return rising + rising.reversed()
  }
}
