internal import Cupola

/// What a fit becomes in the model: its backgrounds moved, and what is like no building beside them.
///
/// Both are biases, so that every export has them in its softmax: nothing else is computed on a phone.
struct FitCompletion: Equatable, Sendable {
  /// The labels that trained.
  let trained: Labels
  /// What to add to the logits of all backgrounds, so that a building as probable as they are is
  /// where to draw the line; a change of prior (Saerens, Latinne & Decaestecker, 2002).
  var backgroundShift: Float = 0
  /// The logit of ``Labels/unfamiliar``, whatever the picture; `nil` leaves that label out.
  var unfamiliar: Float?

  /// The model's labels.
  var names: Labels {
    unfamiliar == nil ? trained : Labels(trained.names + [Labels.unfamiliar])
  }

  /// Logits of a fit, one a label that trained, as the model has them.
  func completed(_ logits: [Float]) -> [Float] {
    var logits = logits
    for label in trained.backgrounds { logits[label] += backgroundShift }
    if let unfamiliar { logits.append(unfamiliar) }
    return logits
  }

  /// A fit as the model has it.
  func completed(_ classifier: Classifier) -> Classifier {
    switch classifier {
    case .softmax(let linear): .softmax(completed(linear))
    case .retrieval(let retrieval):
      .retrieval(retrieval.biased(by: completed(retrieval.biases)))
    }
  }

  /// A fit as the model has it.
  func completed(_ classifier: LinearClassifier) -> LinearClassifier {
    let weights = classifier.weights
    let added = unfamiliar == nil ? 0 : 1
    return LinearClassifier(
      weights: Matrix(
        rows: weights.rows + added, columns: weights.columns,
        values: weights.values + [Float](repeating: 0, count: added * weights.columns)),
      biases: completed(classifier.biases))
  }
}
