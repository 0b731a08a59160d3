internal import Cupola

extension PrincipalComponents {
  /// What varies less, such as flat photos, is not scaled to variance 1: no model file holds numbers that large.
  /// Patches of other photos vary thousands of times as much.
  private static let leastVariance = 1e-6

  /// Finds the directions of most variance, and scales all by the same number to mean variance 1, if they vary.
  ///
  /// - Parameters:
  ///   - rows: examples, one a row.
  ///   - dimensions: how many directions to keep.
  static func fit(_ rows: consuming Matrix, dimensions: Int) -> PrincipalComponents {
    // Where they are, if nobody else has them.
    var centered = rows
    let (count, width) = (centered.rows, centered.columns)
    precondition(dimensions <= width, "\(dimensions) dimensions of \(width) to keep")
    let mean = columnMeans(centered)
    for row in 0..<count {
      for column in 0..<width { centered.values[row * width + column] -= mean[column] }
    }
    var covariance = BLAS.product(centered, centered, transposeA: true)
    let share = 1 / Float(max(1, count - 1))
    for index in covariance.values.indices { covariance.values[index] *= share }
    let (values, vectors) = BLAS.symmetricEigen(covariance)
    let variance = values.prefix(dimensions).reduce(0) { $0 + max(0, $1) } / Double(dimensions)
    let scale = Float(1 / max(variance, leastVariance).squareRoot())
    var projection = vectors.selecting(rows: Array(0..<dimensions))
    for index in projection.values.indices { projection.values[index] *= scale }
    let offset = (0..<dimensions).map { row in
      VectorMath.dot(
        projection.values.span.extracting(projection.range(ofRow: row)), mean.span)
    }
    return PrincipalComponents(projection: projection, offset: offset)
  }

  private static func columnMeans(_ rows: Matrix) -> [Float] {
    var sums = [Double](repeating: 0, count: rows.columns)
    for row in 0..<rows.rows {
      let start = row * rows.columns
      for column in 0..<rows.columns { sums[column] += Double(rows.values[start + column]) }
    }
    return sums.map { Float($0 / Double(max(1, rows.rows))) }
  }
}
