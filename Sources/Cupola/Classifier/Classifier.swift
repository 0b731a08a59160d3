/// From a feature vector to logits, one a label.
package enum Classifier: Equatable, Sendable {
  /// A row of weights a label.
  case softmax(LinearClassifier)
  /// The photos that it remembers of each label.
  case retrieval(RetrievalClassifier)

  /// Which of them it is.
  package var kind: ClassifierKind {
    switch self {
    case .softmax: .softmax
    case .retrieval: .retrieval
    }
  }

  /// The row of weights a label, if there is nothing else.
  package var linear: LinearClassifier? {
    if case .softmax(let linear) = self { linear } else { nil }
  }

  /// What is added to what the picture says, one a label.
  package var biases: [Float] {
    switch self {
    case .softmax(let linear): linear.biases
    case .retrieval(let retrieval): retrieval.biases
    }
  }

  /// Values of a feature vector.
  var featureCount: Int { front.weights.columns }

  /// The rows of weights that features are multiplied with first.
  package var front: LinearClassifier {
    switch self {
    case .softmax(let linear): linear
    case .retrieval(let retrieval): retrieval.projection
    }
  }

  /// One logit a label, for one feature vector.
  ///
  /// - Parameter among: the labels that compete, one a label; the others get minus infinity. `nil` is all.
  package func logits(_ features: [Float], among: [Bool]? = nil) -> [Float] {
    var (workspace, logits) = (RetrievalClassifier.Workspace(), [Float]())
    write(logits: &logits, of: features, among: among, in: &workspace)
    return logits
  }

  /// The same, written over what was there.
  func write(
    logits: inout [Float], of features: [Float], among: [Bool]?,
    in workspace: inout RetrievalClassifier.Workspace
  ) {
    switch self {
    case .softmax(let linear):
      linear.write(logits: &logits, of: features)
      Self.mask(&logits, among: among)
    case .retrieval(let retrieval):
      retrieval.write(logits: &logits, of: features, among: among, in: &workspace)
    }
  }

  /// Logits of many feature vectors, one a row.
  package func logits(ofRows features: Matrix) -> Matrix {
    switch self {
    case .softmax(let linear): linear.logits(ofRows: features)
    case .retrieval(let retrieval): retrieval.logits(ofRows: features)
    }
  }

  /// Logits with those of labels that do not compete at minus infinity.
  static func masked(_ logits: [Float], among: [Bool]?) -> [Float] {
    var masked = logits
    mask(&masked, among: among)
    return masked
  }

  private static func mask(_ logits: inout [Float], among: [Bool]?) {
    guard let among else { return }
    for label in logits.indices where !among[label] { logits[label] = -.infinity }
  }

  /// The same with another front, such as one that takes other features.
  package func replacingFront(_ change: (LinearClassifier) -> LinearClassifier) -> Classifier {
    switch self {
    case .softmax(let linear): .softmax(change(linear))
    case .retrieval(let retrieval):
      .retrieval(retrieval.projecting(by: change(retrieval.projection)))
    }
  }

  /// Some of its labels, in the order given.
  package func selecting(labels: [Int]) -> Classifier {
    switch self {
    case .softmax(let linear):
      .softmax(linear.selecting(labels: labels))
    case .retrieval(let retrieval): .retrieval(retrieval.selecting(labels: labels))
    }
  }

  /// The linear classifier that gives a feature vector the same logits, and those near it nearly so.
  ///
  /// - Parameter labels: the only ones that are asked for, in order.
  func linear(at features: [Float], labels: [Int]) -> LinearClassifier {
    switch self {
    case .softmax(let linear): linear.selecting(labels: labels)
    case .retrieval(let retrieval): retrieval.linear(at: features, labels: labels)
    }
  }
}

/// How feature vectors become logits.
public enum ClassifierKind: String, Codable, CaseIterable, Sendable {
  /// Multinomial logistic regression: its cost grows with photos and labels.
  case softmax
  /// The nearest of the remembered training photos: of thousands of buildings it is cheaper, and buildings can be
  /// added to it.
  case retrieval
}
