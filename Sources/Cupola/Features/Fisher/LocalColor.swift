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
    var result = Matrix(rows: grid.count * grid.count, columns: count)
    gather(
      Array(0..<result.rows), from: statistics(of: image), grid: grid, into: &result, from: 0)
    return result
  }

  /// Writes the descriptors of some patches, a row each; see ``LocalHOG``.
  ///
  /// - Parameter cells: see ``statistics(of:)``.
  static func gather(
    _ patches: [Int], from cells: [SIMD8<Float>], grid: PatchGrid, into target: inout Matrix,
    from first: Int
  ) {
    var all = target.values.mutableSpan
    let source = cells.span
    var at = first * count
    for patch in patches {
      var values = all._mutatingExtracting(at..<at + count)
      let start = firstCell(of: patch, in: grid)
      for row in 0..<PatchGrid.cells {
        for column in 0..<PatchGrid.cells {
          let cell = source[start + cellStep * (row * (grid.side / 2) + column)]
          let place = channels * (row * PatchGrid.cells + column)
          for channel in 0..<channels { values[place + channel] = cell[channel] }
        }
      }
      at += count
    }
  }

  /// What ``PatchContrast`` needs of every patch of a grid, in order.
  static func contrasts(_ cells: [SIMD8<Float>], grid: PatchGrid) -> [PatchContrast.Sums] {
    let source = cells.span
    return (0..<grid.count * grid.count).map { patch in
      let start = firstCell(of: patch, in: grid)
      var sums = PatchContrast.Sums()
      for row in 0..<PatchGrid.cells {
        for column in 0..<PatchGrid.cells {
          let cell = source[start + cellStep * (row * (grid.side / 2) + column)]
          sums.add(mean: cell[0], deviation: cell[channels / 2])
        }
      }
      return sums
    }
  }

  /// From one cell of a patch to the next, of which there is one at every second pixel.
  private static let cellStep = PatchGrid.cellSize / 2

  private static func firstCell(of patch: Int, in grid: PatchGrid) -> Int {
    let top = (PatchGrid.margin + patch / grid.count * grid.step) / 2
    let left = (PatchGrid.margin + patch % grid.count * grid.step) / 2
    return top * (grid.side / 2) + left
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
