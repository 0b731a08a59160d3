#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A mixture of Gaussians with diagonal covariances.
package struct GaussianMixture: Equatable, Sendable {
  /// One a component, summing to 1.
  package let weights: [Float]
  /// Components x dimensions.
  package let means: Matrix
  /// Components x dimensions, positive.
  package let variances: Matrix

  /// Components x (2 dimensions): what `[z, z^2]` is multiplied with to give log densities.
  private let factors: PackedMatrix
  /// Added to that: the logarithm of weight and normalization, one a component.
  package let constants: [Float]

  package init(weights: [Float], means: Matrix, variances: Matrix) {
    self.weights = weights
    self.means = means
    self.variances = variances
    let dimensions = means.columns
    var factors = Matrix(rows: means.rows, columns: 2 * dimensions)
    var constants: [Float] = []
    for component in 0..<means.rows {
      var constant = log(Double(max(weights[component], 1e-12)))
      for dimension in 0..<dimensions {
        let mean = Double(means[component, dimension])
        let variance = Double(variances[component, dimension])
        factors[component, dimension] = Float(mean / variance)
        factors[component, dimensions + dimension] = Float(-0.5 / variance)
        constant -= 0.5 * (mean * mean / variance + log(2 * Double.pi * variance))
      }
      constants.append(Float(constant))
    }
    self.factors = PackedMatrix(factors)
    self.constants = constants
  }

  package var count: Int { weights.count }
  package var dimensions: Int { means.columns }

  /// Rows of `[z, z^2]` for rows of `z`.
  package static func augmented(_ rows: Matrix) -> Matrix {
    var result = Matrix(rows: rows.rows, columns: 2 * rows.columns)
    WideRows.augment(rows, into: &result)
    return result
  }

  /// The probability of each component for each row, and the mean log-likelihood of the rows.
  ///
  /// - Parameter augmented: rows of `[z, z^2]`.
  package func posteriors(_ augmented: Matrix) -> (probabilities: Matrix, logLikelihood: Double) {
    var result = Matrix(rows: augmented.rows, columns: count)
    let total = posteriors(augmented, into: &result)
    return (result, total / Double(max(1, augmented.rows)))
  }

  /// Writes log densities of rows of `[z, z^2]` for each component, without ``constants``.
  func writeScores(of augmented: Matrix, into result: inout Matrix) {
    factors.multiply(augmented, into: &result)
  }

  /// The same in memory that is there; returns the sum of the log-likelihoods.
  @discardableResult
  func posteriors(_ augmented: Matrix, into result: inout Matrix) -> Double {
    writeScores(of: augmented, into: &result)
    var total = 0.0
    let constants = constants.span
    var all = result.values.mutableSpan
    for row in 0..<augmented.rows {
      var scores = all._mutatingExtracting(row * count..<(row + 1) * count)
      total += Double(FastMath.softmax(&scores, adding: constants))
    }
    return total
  }
}
