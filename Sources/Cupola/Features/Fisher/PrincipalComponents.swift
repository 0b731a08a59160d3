/// A projection to fewer dimensions, centered and scaled (PCA).
package struct PrincipalComponents: Equatable, Sendable {
  /// Kept dimensions x input dimensions; the scale is folded in.
  package let projection: Matrix
  /// Subtracted after the projection, one a kept dimension: the projected mean.
  package let offset: [Float]
  private let packed: PackedMatrix

  package init(projection: Matrix, offset: [Float]) {
    precondition(
      projection.rows == offset.count, "\(projection.rows) rows, \(offset.count) offsets")
    self.projection = projection
    self.offset = offset
    packed = PackedMatrix(projection)
  }

  /// Projects rows, and appends each patch's place: kept dimensions + 2 columns.
  package func project(_ rows: Matrix, places: [SIMD2<Float>]) -> Matrix {
    var products = Matrix(rows: rows.rows, columns: projection.rows)
    var result = Matrix(rows: rows.rows, columns: projection.rows + 2)
    project(rows, places: places, products: &products, into: &result)
    return result
  }

  /// The same, in memory that is there.
  func project(
    _ rows: Matrix, places: [SIMD2<Float>], products: inout Matrix, into result: inout Matrix
  ) {
    precondition(rows.rows == places.count, "\(rows.rows) patches, \(places.count) places")
    packed.multiply(rows, into: &products)
    let kept = projection.rows
    let (source, offset) = (products.values.span, offset.span)
    var target = result.values.mutableSpan
    for patch in 0..<rows.rows {
      let part = source.extracting(patch * kept..<(patch + 1) * kept)
      var row = target._mutatingExtracting(patch * (kept + 2)..<(patch + 1) * (kept + 2))
      for column in 0..<kept { row[column] = part[column] - offset[column] }
      row[kept] = places[patch].x
      row[kept + 1] = places[patch].y
    }
  }
}
