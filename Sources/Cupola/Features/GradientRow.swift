/// The gradients of one row of a picture: central differences without the half.
struct GradientRow: Sendable {
  /// Along the row, to the right.
  private(set) var x: [Float]
  /// Across the rows, downwards.
  private(set) var y: [Float]

  init(width: Int) {
    x = [Float](repeating: 0, count: width)
    y = [Float](repeating: 0, count: width)
  }

  /// Computes row `row`; where the picture ends on one side the difference is 0.
  mutating func read(row: Int, of image: GrayImage) {
    let all = image.samples.span
    let width = image.width
    let above = row == 0 || row == image.height - 1 ? row : row - 1
    let below = row == 0 || row == image.height - 1 ? row : row + 1
    readHorizontal(all.extracting(row * width..<(row + 1) * width))
    readVertical(
      all.extracting(above * width..<(above + 1) * width),
      all.extracting(below * width..<(below + 1) * width))
  }

  private mutating func readHorizontal(_ samples: Span<Float>) {
    var target = x.mutableSpan
    let last = min(target.count, samples.count - 1)
    let left = samples.extracting(0..<max(0, last - 1))
    let right = samples.extracting(min(2, samples.count)..<max(2, last + 1))
    var inner = target._mutatingExtracting(1..<max(1, last))
    for index in 0..<inner.count { inner[index] = right[index] - left[index] }
  }

  private mutating func readVertical(_ above: Span<Float>, _ below: Span<Float>) {
    var target = y.mutableSpan
    let count = target.count
    let above = above.extracting(0..<count)
    let below = below.extracting(0..<count)
    for index in 0..<count { target[index] = below[index] - above[index] }
  }
}
