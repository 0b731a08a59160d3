/// A projection to fewer dimensions, centered and scaled (PCA).
package struct PrincipalComponents: Equatable, Sendable {
  /// Kept dimensions x input dimensions; the scale is folded in.
  package let projection: Matrix
  /// Subtracted after the projection, one a kept dimension: the projected mean.
  package let offset: [Float]

  package init(projection: Matrix, offset: [Float]) {
    precondition(
      projection.rows == offset.count, "\(projection.rows) rows, \(offset.count) offsets")
    self.projection = projection
    self.offset = offset
  }

  /// Projects rows, and appends each patch's place: kept dimensions + 2 columns.
  ///
  /// - Parameter some: only these rows; `nil` is all of them.
  package func project(
    _ rows: Matrix, places: [SIMD2<Float>], rows some: Range<Int>? = nil
  ) -> Matrix {
    precondition(rows.rows == places.count, "\(rows.rows) patches, \(places.count) places")
    let chosen = some ?? 0..<rows.rows
    let kept = projection.rows
    var projected = Matrix(rows: chosen.count, columns: kept)
    BLAS.multiply(rows, projection, rowsOfA: chosen, transposeB: true, into: &projected)
    let (source, offset) = (projected.values.span, offset.span)
    let values = [Float](capacity: chosen.count * (kept + 2)) { output in
      for (row, patch) in chosen.enumerated() {
        let part = source.extracting(row * kept..<(row + 1) * kept)
        for column in 0..<kept { output.append(part[column] - offset[column]) }
        output.append(places[patch].x)
        output.append(places[patch].y)
      }
    }
    return Matrix(rows: chosen.count, columns: kept + 2, values: values)
  }
}
