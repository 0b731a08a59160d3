/// The memory in which ``HOG`` is computed, for pictures of one size.
struct HOGWorkspace: Sendable {
  let width: Int
  let height: Int

  private let hog: HOG
  private let voters: Voters
  /// A picture of twice the size, made when there is one.
  private var whole = GrayImage(width: 0, height: 0)
  private var half = GrayImage(width: 0, height: 0)
  private var gradients: GradientRow
  private var pool: CellPool

  init(_ hog: HOG, width: Int, height: Int) {
    self.hog = hog
    self.width = width
    self.height = height
    voters = Voters(orientations: hog.orientations)
    pool = CellPool(
      columns: width / hog.cellSize, rows: height / hog.cellSize, orientations: hog.orientations,
      cellSize: hog.cellSize, pooling: hog.pooling)
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
      pool.add(gradients, voters: voters, voting: hog.voting)
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
