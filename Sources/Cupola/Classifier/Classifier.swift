// From a feature vector to logits:
// 1. `Labels` are the names of the classes, in order.
// 2. `LinearClassifier` has one row of weights for each label.
// 3. `Classifier` is a linear one or one that remembers photos (`RetrievalClassifier`).

package enum Classifier: Equatable, Sendable {
  /// A row of weights a label.
  case softmax(LinearClassifier)
  /// The photos that it remembers of each label.
  case retrieval(RetrievalClassifier)

  package var kind: ClassifierKind {
    switch self {
    case .softmax: .softmax
    case .retrieval: .retrieval
    }
  }

  package var linear: LinearClassifier? {
    if case .softmax(let linear) = self { linear } else { nil }
  }

  package var biases: [Float] {
    switch self {
    case .softmax(let linear): linear.biases
    case .retrieval(let retrieval): retrieval.biases
    }
  }

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

/// A linear classifier: `logits = weights * features + biases`, one row a label.
package struct LinearClassifier: Equatable, Sendable {
  /// Labels x features.
  package let weights: Matrix
  /// One a label.
  package let biases: [Float]

  package init(weights: Matrix, biases: [Float]) {
    precondition(
      weights.rows == biases.count, "\(weights.rows) weight rows, \(biases.count) biases")
    self.weights = weights
    self.biases = biases
  }

  package func logits(_ features: [Float]) -> [Float] {
    var logits: [Float] = []
    write(logits: &logits, of: features)
    return logits
  }

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

  package func logits(ofRows features: Matrix) -> Matrix {
    var logits = BLAS.product(features, weights, transposeB: true)
    for row in 0..<logits.rows {
      for label in biases.indices { logits[row, label] += biases[label] }
    }
    return logits
  }

  func selecting(labels: [Int]) -> LinearClassifier {
    LinearClassifier(
      weights: weights.selecting(rows: labels), biases: labels.map { biases[$0] })
  }
}

/// The names of the classes, in the order of the classifier's rows.
///
/// Names that begin with `_` are background: things that are no building of the campus.
public struct Labels: Equatable, Sendable {
  /// All names, each once.
  public let names: [String]
  package let buildings: [Int]
  package let backgrounds: [Int]
  /// Where ``unfamiliar`` stands in `names`, if it does.
  package let unfamiliar: Int?

  package init(_ names: [String]) {
    self.names = names
    buildings = names.indices.filter { !Labels.isBackground(names[$0]) }
    backgrounds = names.indices.filter { Labels.isBackground(names[$0]) }
    unfamiliar = names.firstIndex(of: Labels.unfamiliar)
  }

  /// The backgrounds but for ``unfamiliar``: what trained.
  package var trainedBackgrounds: [Int] { backgrounds.filter { $0 != unfamiliar } }

  /// How probable it is that a picture shows anything but what is ``unfamiliar``.
  ///
  /// The sum of all else: what is left of 1 would be rounding where hardly anything is.
  func familiarity(of probabilities: [Double]) -> Double {
    guard let unfamiliar else { return 1 }
    return probabilities.indices.reduce(0) { $1 == unfamiliar ? $0 : $0 + probabilities[$1] }
  }

  /// How probable each label is in a picture of anything familiar: held-out photos of what trained tell
  /// that, and no photo of anything else is among them. What is ``unfamiliar`` keeps its own.
  func amongFamiliar(_ probabilities: [Double]) -> [Double] {
    let familiar = familiarity(of: probabilities)
    return probabilities.indices.map {
      if $0 == unfamiliar { return probabilities[$0] }
      return familiar > 0 ? probabilities[$0] / familiar : 0
    }
  }

  /// The label of what looks like none of the buildings: it has no photos, and the same logit for
  /// every picture, so that the best building must be that much like itself.
  package static let unfamiliar = "_unfamiliar"

  package static func isBackground(_ name: String) -> Bool { name.hasPrefix("_") }
}

extension Labels {
  /// Whether a label can be the name of a folder of photos: 1 to 100 letters, digits, blanks and `_-.'()`, no dot
  /// first. So it leads out of no folder.
  package static func isFolderName(_ label: String) -> Bool {
    let scalars = label.unicodeScalars
    return (1...100).contains(scalars.count) && !label.hasPrefix(".")
      && scalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "_- .'()".unicodeScalars.contains(scalar)
      }
  }
}
