internal import CVectors

// 1. Check the counts and ranges of the arrays.
// 2. Call a C function in `CVectors`, which uses the processor's widest vectors.

/// Vectorized functions for rows. Results are bit-identical on all processors, except for matrix products on processors
/// without fused multiply-add.
package enum WideRows {
  /// Adds constants to scores and replaces them by `exp(score - top)`, where `top` is the maximum.
  /// The number of scores must be a multiple of 8.
  /// - Returns: `top`, and eight partial sums, each over every eighth exponential.
  static func powers(
    _ scores: inout MutableSpan<Float>, adding constants: Span<Float>
  ) -> (top: Float, sums: SIMD8<Float>) {
    precondition(scores.count == constants.count && scores.count.isMultiple(of: 8))
    let count = scores.count
    var (top, lanes) = (Float(0), SIMD8<Float>.zero)
    unsafe scores.withUnsafeMutableBufferPointer { scores in
      unsafe constants.withUnsafeBufferPointer { constants in
        unsafe withUnsafeMutableBytes(of: &lanes) { lanes in
          guard let scores = scores.baseAddress, let constants = constants.baseAddress,
            let sums = unsafe lanes.bindMemory(to: Float.self).baseAddress
          else { return }
          unsafe cvec_powers(scores, constants, count, &top, sums)
        }
      }
    }
    return (top, lanes)
  }

  /// Replaces scores by component posteriors multiplied by patch weights.
  /// - Parameters:
  ///   - scores: Log densities, one row per patch and one column per component; a multiple of 8 columns.
  ///   - constants: Added to each row first.
  ///   - least: Posteriors below this fraction of the component's running sum are set to 0.
  ///   - sums: One sum per component, to which the rows are added.
  static func makeShares(
    of scores: inout Matrix, adding constants: [Float], weights: [Float], least: Float,
    sums: inout [Float]
  ) {
    let count = scores.columns
    precondition(count.isMultiple(of: 8) && constants.count == count && sums.count == count)
    precondition(weights.count == scores.rows, "\(weights.count) weights, \(scores.rows) rows")
    unsafe cvec_shares(&scores.values, constants, count, weights, scores.rows, least, &sums)
  }

  /// Adds `shares' * rows` to sums. Optimized for shares that are mostly 0. The number of columns must be a multiple of
  /// 8.
  package static func addTransposedProduct(
    _ shares: Matrix, _ rows: Matrix, to sums: inout Matrix
  ) {
    precondition(shares.rows == rows.rows && shares.columns.isMultiple(of: 8))
    precondition(sums.rows == shares.columns && sums.columns == rows.columns)
    unsafe cvec_add_transposed_products(
      shares.values, shares.columns, rows.values, rows.columns, rows.rows, &sums.values)
  }

  /// Rows per panel of ``PackedMatrix``.
  static let panel = Int(CVEC_PANEL)

  /// The widest supported implementation of products: 0 for plain code, 1 for AVX2, 2 for AVX-512.
  static var widestProduct: Int { Int(cvec_widest_product()) }

  /// Whether this implementation uses fused multiply-add, as on almost all processors.
  static var fusesProducts: Bool { cvec_fuses() }

  /// Writes the product with the transpose of a matrix stored in panels; see ``PackedMatrix``.
  /// - Parameter width: The implementation, at most ``widestProduct``.
  static func multiply(
    _ rows: Matrix, panels: [Float], into product: inout Matrix, width: Int = widestProduct
  ) {
    let whole = (product.columns + panel - 1) / panel * panel
    precondition(product.rows == rows.rows && panels.count == whole * rows.columns)
    precondition(0...widestProduct ~= width, "unsupported vector width")
    unsafe cvec_multiply_packed(
      Int32(width), rows.values, rows.rows, rows.columns, panels, product.columns, &product.values)
  }

  static func augment(_ rows: Matrix, into both: inout Matrix) {
    precondition(both.rows == rows.rows && both.columns == 2 * rows.columns)
    unsafe cvec_augment(rows.values, rows.columns, rows.rows, &both.values)
  }

  static func magnitudes(_ values: Span<Float>) -> Float {
    unsafe values.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return 0 }
      return unsafe cvec_magnitudes(base, values.count)
    }
  }

  static func takeSignedRoots(of values: inout MutableSpan<Float>, times scale: Float) {
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      unsafe cvec_signed_roots(base, values.count, scale)
    }
  }

  /// Adds a row's gradient votes to two rows of sums per bin, each with its own weight; see ``Voter``.
  /// - Parameter forms: Four numbers per bin: `upperX`, `upperY`, `lowerX`, `lowerY`.
  static func addVotes(
    x: [Float], y: [Float], forms: [Float], weights: (upper: Float, lower: Float),
    upper: inout [Float], lower: inout [Float]
  ) {
    let (count, bins) = (x.count, forms.count / 4)
    precondition(y.count == count && upper.count == bins * count)
    precondition(lower.count == upper.count)
    unsafe cvec_add_votes(
      x, y, count, forms, bins, weights.upper, weights.lower, &upper, &lower)
  }

  /// Writes a row's gradient votes for eight bins over 360 degrees: `max(0, min(a, b))` of two linear forms.
  /// - Parameters:
  ///   - forms: Horizontal and vertical factors for the first form, then for the second.
  ///   - first: The index of the row's first pixel in `votes`.
  static func writeVotes(
    x: [Float], y: [Float], forms: [SIMD8<Float>], from first: Int,
    into votes: inout [SIMD8<Float>]
  ) {
    let count = x.count
    precondition(y.count == count && forms.count == 4)
    precondition(first >= 0 && first + count <= votes.count)
    unsafe cvec_signed_votes(x, y, count, forms, first, &votes)
  }

  /// Pools cells with a triangular window of seven cells whose weights are multiples of 1/4.
  /// - Parameters:
  ///   - starts: The seven cells that form the first result.
  ///   - step: The distance to the cells that form the next result.
  static func pool(
    _ cells: [SIMD8<Float>], starts: [Int], step: Int, into pooled: inout [SIMD8<Float>],
    at places: Range<Int>
  ) {
    precondition(starts.count == 7 && step > 0 && places.upperBound <= pooled.count)
    guard !places.isEmpty else { return }
    for start in starts {
      precondition(start >= 0 && start + (places.count - 1) * step < cells.count)
    }
    unsafe cvec_pool(cells, starts, step, places.lowerBound, places.count, &pooled)
  }

  /// Writes patch descriptors; see ``LocalHOG``.
  /// - Parameters:
  ///   - starts: The first cell of each patch.
  ///   - across: The distance between adjacent cells in a row of the patch.
  ///   - down: The distance between adjacent rows of the patch.
  ///   - first: The row of the first patch.
  static func writePatches(
    of cells: [SIMD8<Float>], starts: [Int], across: Int, down: Int, into rows: inout Matrix,
    from first: Int
  ) {
    precondition(rows.columns == 128 && first >= 0 && first + starts.count <= rows.rows)
    precondition(across > 0 && down > 0)
    for start in starts {
      precondition(start >= 0 && start + 3 * (across + down) < cells.count)
    }
    unsafe rows.values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      unsafe cvec_patches(
        cells, starts, starts.count, across, down, LocalHOG.clip, LocalHOG.epsilon,
        base + first * 128)
    }
  }

  /// Writes the sums of opponent colors and their squares over 2x2 pixels; see ``ColorCells``.
  static func writeOpponentSums(
    of image: ColorImage, rows first: Int, into sums: inout [SIMD8<Float>], at places: Range<Int>
  ) {
    let (width, count) = (image.width, places.count)
    precondition(first >= 0 && first + 2 <= image.height && 2 * count <= width)
    precondition(places.lowerBound >= 0 && places.upperBound <= sums.count)
    unsafe cvec_opponent_sums(
      image.red, image.green, image.blue, width, first * width, count, &sums, places.lowerBound)
  }

  /// Writes a row of cells from the opponent sums of this row and the row above; see ``ColorCells``.
  static func writeColorCells(
    of sums: [SIMD8<Float>], above: Int, into cells: inout [SIMD8<Float>], at places: Range<Int>
  ) {
    precondition(places.lowerBound >= 0 && places.upperBound <= min(sums.count, cells.count))
    precondition(above >= 0 && above + places.count <= sums.count)
    unsafe cvec_color_cells(sums, above, places.lowerBound, places.count, &cells)
  }

  static func readPlanes(
    of pixels: [UInt8], red: inout [Float], green: inout [Float], blue: inout [Float]
  ) {
    let count = red.count
    precondition(green.count == count && blue.count == count && pixels.count == 3 * count)
    unsafe cvec_read_planes(pixels, count, &red, &green, &blue)
  }

  /// Writes a row of a plane, computing each sample as a weighted sum.
  /// - Parameter first: The index of the row's first sample.
  static func writeSums(
    of samples: [Float], taps: TapTable, into plane: inout [Float], from first: Int
  ) {
    precondition(samples.count >= taps.sampled, "\(samples.count) samples, \(taps.sampled) sampled")
    precondition(first >= 0 && first + taps.count <= plane.count)
    unsafe cvec_gather_sums(
      samples, taps.sources, taps.weights, taps.depth, taps.count, first, &plane)
  }

  static func add(
    _ samples: [UInt8], in range: Range<Int>, times weight: UInt32, to sums: inout [UInt32]
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= samples.count)
    precondition(range.count <= sums.count, "\(range.count) samples, \(sums.count) sums")
    unsafe cvec_add_bytes(samples, range.lowerBound, range.count, weight, &sums)
  }

  /// Writes a row of pixels. Each is a weighted sum of source sums, multiplied by `scale` and rounded half up.
  /// - Parameters:
  ///   - sums: Three per source column plus one unused element. All totals must be below 2^32, and below 255.5 after
  ///     scaling.
  ///   - first: The index of the row's first pixel.
  static func writePixels(
    of sums: [UInt32], taps: AxisTaps, scale: Double, from first: Int, into pixels: inout [UInt8]
  ) {
    precondition(sums.count > 3 * taps.sources, "\(sums.count) sums, \(taps.sources) sources")
    precondition(first >= 0 && 3 * (first + taps.count) <= pixels.count)
    unsafe cvec_gather_pixels(
      sums, taps.starts, taps.source, taps.weight, taps.count, scale, first, &pixels)
  }

  /// Returns the inner products of up to four matrix rows with a vector, equal to ``VectorMath/dot(_:_:)``.
  static func products(_ rows: Range<Int>, of matrix: Matrix, _ vector: [Float]) -> SIMD4<Float> {
    precondition(rows.count <= 4 && rows.upperBound <= matrix.rows)
    precondition(vector.count == matrix.columns)
    let whole = vector.count & ~7
    var lanes = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    unsafe cvec_products(
      matrix.values, matrix.columns, rows.lowerBound, rows.count, vector, whole, &lanes)
    var sums = SIMD4(lanes.0.sum(), lanes.1.sum(), lanes.2.sum(), lanes.3.sum())
    for (place, row) in rows.enumerated() {
      for column in whole..<vector.count { sums[place] += matrix[row, column] * vector[column] }
    }
    return sums
  }
}
