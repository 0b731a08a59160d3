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
    var logits: [Float] = []
    write(logits: &logits, of: features)
    return logits
  }

  /// The same, written over what was there.
  func write(logits: inout [Float], of features: [Float]) {
    precondition(
      features.count == weights.columns,
      "\(features.count) features given, \(weights.columns) needed")
    logits.resize(to: biases.count, filledWith: 0)
    for first in stride(from: 0, to: biases.count, by: 4) {
      let labels = first..<min(first + 4, biases.count)
      let sums = WideRows.products(labels, of: weights, features)
      for label in labels { logits[label] = sums[label - first] + biases[label] }
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
  func selecting(labels: [Int]) -> LinearClassifier {
    LinearClassifier(
      weights: weights.selecting(rows: labels), biases: labels.map { biases[$0] })
  }
}
