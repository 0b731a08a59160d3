/// A linear classifier: `logits = weights * features + biases`, one row a label.
package struct LinearClassifier: Equatable, Sendable {
  /// Labels x features.
  package let weights: Matrix
  /// One a label.
  package let biases: [Float]

  /// Joins weights and biases of the same number of labels.
  package init(weights: Matrix, biases: [Float]) {
    precondition(
      weights.rows == biases.count, "\(weights.rows) weight rows, \(biases.count) biases")
    self.weights = weights
    self.biases = biases
  }

  /// One logit a label, for one feature vector.
  package func logits(_ features: [Float]) -> [Float] {
    precondition(
      features.count == weights.columns,
      "\(features.count) features given, \(weights.columns) needed")
    return biases.indices.map { label in
      let row = weights.values.span.extracting(weights.range(ofRow: label))
      return VectorMath.dot(row, features.span) + biases[label]
    }
  }

  /// Logits of many feature vectors, one a row.
  package func logits(ofRows features: Matrix) -> Matrix {
    var logits = BLAS.product(features, weights, transposeB: true)
    for row in 0..<logits.rows {
      for label in biases.indices { logits[row, label] += biases[label] }
    }
    return logits
  }

  /// The rows of some labels, in the order given.
  package func selecting(labels: [Int]) -> LinearClassifier {
    LinearClassifier(
      weights: weights.selecting(rows: labels), biases: labels.map { biases[$0] })
  }
}
