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
  package func project(_ rows: Matrix, places: [SIMD2<Float>]) -> Matrix {
    precondition(rows.rows == places.count, "\(rows.rows) patches, \(places.count) places")
    let kept = projection.rows
    let projected = BLAS.product(rows, projection, transposeB: true)
    let (source, offset) = (projected.values.span, offset.span)
    let values = [Float](capacity: rows.rows * (kept + 2)) { output in
      for row in 0..<rows.rows {
        let part = source.extracting(row * kept..<(row + 1) * kept)
        for column in 0..<kept { output.append(part[column] - offset[column]) }
        output.append(places[row].x)
        output.append(places[row].y)
      }
    }
    return Matrix(rows: rows.rows, columns: kept + 2, values: values)
  }
}
