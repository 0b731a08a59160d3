// Turn a feature vector into logits:
// 1. `Labels` holds the class names in order.
// 2. `LinearClassifier` holds one row of weights per label.
// 3. `Classifier` is a linear classifier, or a `RetrievalClassifier` that stores vectors of training photos.

package enum Classifier: Equatable, Sendable {
  /// One row of weights per label.
  case softmax(LinearClassifier)
  /// Stored vectors of training photos.
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

  /// The linear part that is applied to the features first.
  package var front: LinearClassifier {
    switch self {
    case .softmax(let linear): linear
    case .retrieval(let retrieval): retrieval.projection
    }
  }

  /// Returns one logit per label for a feature vector.
  /// - Parameter among: One flag per label; labels whose flag is `false` get minus infinity. `nil` includes all labels.
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

  /// Returns the logits with minus infinity for excluded labels.
  static func masked(_ logits: [Float], among: [Bool]?) -> [Float] {
    var masked = logits
    mask(&masked, among: among)
    return masked
  }

  static func mask(_ logits: inout [Float], among: [Bool]?) {
    guard let among else { return }
    for label in logits.indices where !among[label] { logits[label] = -.infinity }
  }

  /// Returns a copy whose first linear part is replaced, for example to accept other features.
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

  /// Returns a linear classifier with the same logits at `features` and similar logits nearby.
  func linear(at features: [Float], labels: [Int]) -> LinearClassifier {
    switch self {
    case .softmax(let linear): linear.selecting(labels: labels)
    case .retrieval(let retrieval): retrieval.linear(at: features, labels: labels)
    }
  }
}

package enum ClassifierKind: String, Codable, CaseIterable, Sendable {
  /// Multinomial logistic regression. Training time grows with the number of photos and labels.
  case softmax
  /// Comparison with stored training photos. Faster for thousands of buildings; buildings can be added later.
  case retrieval
}

/// A linear classifier: `logits = weights * features + biases`.
package struct LinearClassifier: Equatable, Sendable {
  /// One row per label, one column per feature.
  package let weights: Matrix
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
      "\(features.count) features, expected \(weights.columns)")
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

/// The class names, in the same order as the classifier's rows.
///
/// Names that begin with `_` are background classes.
package struct Labels: Equatable, Sendable {
  /// All names, without duplicates.
  package let names: [String]
  package let buildings: [Int]
  package let backgrounds: [Int]
  package let unfamiliar: Int?

  package init(_ names: [String]) {
    self.names = names
    buildings = names.indices.filter { !Labels.isBackground(names[$0]) }
    backgrounds = names.indices.filter { Labels.isBackground(names[$0]) }
    unfamiliar = names.firstIndex(of: Labels.unfamiliar)
  }

  package var trainedBackgrounds: [Int] { backgrounds.filter { $0 != unfamiliar } }

  /// Returns the total probability of all labels except ``unfamiliar``.
  /// Computed as a sum, because subtracting from 1 loses precision near 0.
  func familiarity(of probabilities: [Double]) -> Double {
    guard let unfamiliar else { return 1 }
    return probabilities.indices.reduce(0) { $1 == unfamiliar ? $0 : $0 + probabilities[$1] }
  }

  /// Returns each label's probability given that the image is familiar; ``unfamiliar`` keeps its value.
  /// Held-out photos measure this conditional probability, because none of them is unfamiliar.
  func amongFamiliar(_ probabilities: [Double]) -> [Double] {
    let familiar = familiarity(of: probabilities)
    return probabilities.indices.map {
      if $0 == unfamiliar { return probabilities[$0] }
      return familiar > 0 ? probabilities[$0] / familiar : 0
    }
  }

  /// The maximum length of a label in bytes.
  package static let longest = 1024

  /// The background label for images that do not resemble any building.
  /// It has no training photos. Its logit comes from a ``NoveltyDetector``, or it is constant and acts as a minimum score
  /// for the best building.
  package static let unfamiliar = "_unfamiliar"

  package static func isBackground(_ name: String) -> Bool { name.hasPrefix("_") }
}

extension Labels {
  /// Whether a label is a suitable name for a new folder.
  ///
  /// Such a name has 1 to 100 letters, digits, combining marks, spaces, or `_-.,&'\u{2019}()`. It does not begin with a
  /// dot or hyphen, and does not begin or end with a space.
  package static func isFolderName(_ label: String) -> Bool {
    let scalars = label.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return false }
    return scalars.count <= 100 && label.utf8.count <= longestFolderName
      && !" .-".unicodeScalars.contains(first) && last != " "
      && scalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || isMark(scalar) || "_- .,&'\u{2019}()".unicodeScalars.contains(scalar)
      }
  }

  /// Whether a folder can have the label as its name: no slash or control character, no leading dot, and at most 255
  /// bytes.
  package static func canBeFolder(_ label: String) -> Bool {
    !label.isEmpty && !label.hasPrefix(".") && label.utf8.count <= longestFolderName
      && label.unicodeScalars.allSatisfy {
        $0 != "/" && $0.properties.generalCategory != .control
      }
  }

  private static let longestFolderName = 255

  /// Vowel signs and accents. Without them, Devanagari, Thai and decomposed accents would be rejected.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
  }
}
