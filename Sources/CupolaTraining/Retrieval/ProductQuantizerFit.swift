internal import Cupola

/// Finds the centroids of a ``ProductQuantizer`` by k-means (Lloyd, IEEE Trans. Inf. Theory 1982).
struct ProductQuantizerFit {
  /// Values of a vector that become one byte.
  var width = 4
  var rounds = 10
  /// Centroids are found from so many vectors.
  var mostSampled = 6_144

  /// - Parameter vectors: one a row; their length is a multiple of `width`.
  func fit(_ vectors: Matrix, using generator: inout SplitMix64) -> ProductQuantizer {
    precondition(
      vectors.columns.isMultiple(of: width), "\(vectors.columns) values in parts of \(width)")
    let chosen = generator.shuffled(0..<vectors.rows).prefix(mostSampled)
    let sample = vectors.selecting(rows: Array(chosen))
    let parts = vectors.columns / width
    let values = (0..<parts).flatMap { part in
      centroids(of: sample.selecting(columns: part * width..<(part + 1) * width)).values
    }
    return ProductQuantizer(
      parts: parts, values: Matrix(rows: values.count / width, columns: width, values: values))
  }

  /// - Parameter points: in random order, the first of which are where it begins.
  private func centroids(of points: Matrix) -> Matrix {
    let count = min(points.rows, ProductQuantizer.mostCentroids)
    var centroids = points.selecting(rows: Array(0..<count))
    for _ in 0..<rounds {
      var sums = Matrix(rows: count, columns: width)
      var members = [Float](repeating: 0, count: count)
      for (row, nearest) in Self.nearest(of: centroids, to: points).enumerated() {
        members[nearest] += 1
        for column in 0..<width { sums[nearest, column] += points[row, column] }
      }
      // One that is nearest to nothing stays where it is.
      for row in 0..<count where members[row] > 0 {
        for column in 0..<width { centroids[row, column] = sums[row, column] / members[row] }
      }
    }
    return centroids
  }

  /// Which centroid is nearest to each point: by `|c|^2 - 2 c p`, of which all are had in one product.
  private static func nearest(of centroids: Matrix, to points: Matrix) -> [Int] {
    let squares = (0..<centroids.rows).map { row in
      centroids.row(row).reduce(0) { $0 + $1 * $1 } / 2
    }
    let products = BLAS.product(points, centroids, transposeB: true)
    let count = centroids.rows
    return (0..<points.rows).map { row in
      let own = products.values.span.extracting(products.range(ofRow: row))
      var (best, least) = (0, Float.infinity)
      for index in 0..<count where squares[index] - own[index] < least {
        (best, least) = (index, squares[index] - own[index])
      }
      return best
    }
  }
}

extension Matrix {
  /// Some columns of all rows.
  fileprivate func selecting(columns chosen: Range<Int>) -> Matrix {
    Matrix(
      rows: rows, columns: chosen.count,
      values: (0..<rows).flatMap { row in
        let start = range(ofRow: row).lowerBound
        return values[start + chosen.lowerBound..<start + chosen.upperBound]
      })
  }
}
