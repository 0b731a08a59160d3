/// Dense local color: mean and deviation of three opponent colors in 4x4 cells a patch.
///
/// The opponent colors are `(R + G + B) / 3`, `(R - G) / sqrt 2` and `(R + G - 2B) / sqrt 6` of samples
/// 0...1 (van de Sande et al., PAMI 2010). A cell is the 4x4 pixels around its center. A patch's 96 values
/// are ordered cell row, cell column, three means, three deviations.
package enum LocalColor {
  /// Values a cell.
  package static let channels = 6
  /// Values a patch.
  package static let count = PatchGrid.cells * PatchGrid.cells * channels

  /// The descriptors of all patches, row by row of the grid.
  static func descriptors(of image: ColorImage, grid: PatchGrid) -> Matrix {
    let cells = statistics(of: image)
    let half = image.width / 2
    let source = cells.span
    let total = grid.count * grid.count * count
    let values = [Float](capacity: total) { output in
      for row in 0..<grid.count {
        for column in 0..<grid.count {
          let top = (PatchGrid.margin + row * grid.step) / 2
          let left = (PatchGrid.margin + column * grid.step) / 2
          for j in 0..<PatchGrid.cells {
            for i in 0..<PatchGrid.cells {
              let cell = source[
                (top + j * PatchGrid.cellSize / 2) * half + left + i * PatchGrid.cellSize / 2]
              for channel in 0..<channels { output.append(cell[channel]) }
            }
          }
        }
      }
    }
    return Matrix(rows: grid.count * grid.count, columns: count, values: values)
  }

  /// Means (lanes 0...2) and deviations (lanes 3...5) of the 4x4 pixels around every second pixel of
  /// every second row; at the top and left edge of the 2 rows or columns that there are.
  static func statistics(of image: ColorImage) -> [SIMD8<Float>] {
    let half = image.width / 2
    let sums = sumsOfPairs(image, half)
    let source = sums.span
    var cells = [SIMD8<Float>](repeating: .zero, count: half * half)
    var target = cells.mutableSpan
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
    return cells
  }

  /// From means of values (lanes 0...2) and of squares (4...6) to means and deviations.
  private static func statistics(_ moments: SIMD8<Float>) -> SIMD8<Float> {
    let means = moments.lowHalf
    let variances = moments.highHalf - means * means
    let deviations = variances.replacing(with: 0, where: variances .< 0).squareRoot()
    return SIMD8(
      means[0], means[1], means[2], deviations[0], deviations[1], deviations[2], 0, 0)
  }

  /// Sums over 2x2 pixels of the opponent colors (lanes 0...2) and of their squares (lanes 4...6).
  private static func sumsOfPairs(_ image: ColorImage, _ half: Int) -> [SIMD8<Float>] {
    let (red, green, blue) = (image.red.span, image.green.span, image.blue.span)
    let width = image.width
    return [SIMD8<Float>](capacity: half * half) { output in
      for row in 0..<half {
        for column in 0..<half {
          var sum = SIMD8<Float>.zero
          for corner in 0..<4 {
            let at = (2 * row + corner / 2) * width + 2 * column + corner % 2
            let colors = opponent(red[at], green[at], blue[at])
            sum += SIMD8(lowHalf: colors, highHalf: colors * colors)
          }
          output.append(sum)
        }
      }
    }
  }

  private static func opponent(_ r: Float, _ g: Float, _ b: Float) -> SIMD4<Float> {
    let weights = SIMD4<Float>(1 / (3 * 255), 1 / (255 * 1.4142135), 1 / (255 * 2.4494898), 0)
    return SIMD4((r + g) + b, r - g, (r + g) - 2 * b, 0) * weights
  }
}
