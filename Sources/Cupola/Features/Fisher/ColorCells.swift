/// What ``LocalColor`` describes patches by: means (lanes 0...2) and deviations (lanes 3...5) of opponent colors in
/// the 4x4 pixels around every second pixel of every second row; at the top and left edge of the 2 rows or columns
/// that there are.
struct ColorCells: Sendable {
  /// Half the picture's side, in rows and columns.
  private(set) var values: [SIMD8<Float>]

  private let half: Int
  /// Over 2x2 pixels, of the opponent colors (lanes 0...2) and of their squares (lanes 4...6).
  private var sums: [SIMD8<Float>]

  init(side: Int) {
    half = side / 2
    values = [SIMD8<Float>](repeating: .zero, count: half * half)
    sums = values
  }

  /// Describes a square picture.
  mutating func read(_ image: ColorImage) {
    precondition(image.width / 2 == half && image.height / 2 == half, "a picture of another size")
    Self.sumPairs(of: image, half: half, into: &sums)
    Self.describe(sums, half: half, into: &values)
  }

  private static func describe(
    _ sums: [SIMD8<Float>], half: Int, into values: inout [SIMD8<Float>]
  ) {
    let source = sums.span
    var target = values.mutableSpan
    for row in 0..<half {
      let above = max(0, row - 1) * half
      for column in 0..<half {
        let left = max(0, column - 1)
        let sum =
          (source[above + left] + source[above + column])
          + (source[row * half + left] + source[row * half + column])
        target[row * half + column] = statistics(sum * (1 / 16))
      }
    }
  }

  /// From means of values (lanes 0...2) and of squares (4...6) to means and deviations.
  private static func statistics(_ moments: SIMD8<Float>) -> SIMD8<Float> {
    let means = moments.lowHalf
    let variances = moments.highHalf - means * means
    let deviations = variances.replacing(with: 0, where: variances .< 0).squareRoot()
    return SIMD8(
      means[0], means[1], means[2], deviations[0], deviations[1], deviations[2], 0, 0)
  }

  private static func sumPairs(
    of image: ColorImage, half: Int, into sums: inout [SIMD8<Float>]
  ) {
    let (red, green, blue) = (image.red.span, image.green.span, image.blue.span)
    let width = image.width
    var target = sums.mutableSpan
    for row in 0..<half {
      for column in 0..<half {
        var sum = SIMD8<Float>.zero
        for corner in 0..<4 {
          let at = (2 * row + corner / 2) * width + 2 * column + corner % 2
          let colors = opponent(red[at], green[at], blue[at])
          sum += SIMD8(lowHalf: colors, highHalf: colors * colors)
        }
        target[row * half + column] = sum
      }
    }
  }

  private static func opponent(_ r: Float, _ g: Float, _ b: Float) -> SIMD4<Float> {
    let weights = SIMD4<Float>(1 / (3 * 255), 1 / (255 * 1.4142135), 1 / (255 * 2.4494898), 0)
    return SIMD4((r + g) + b, r - g, (r + g) - 2 * b, 0) * weights
  }
}
