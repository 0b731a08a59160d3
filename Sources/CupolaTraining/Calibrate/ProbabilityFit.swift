internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `TemperatureScaling` divides the logits so that probabilities are honest.
// 2. The backgrounds are shifted to the threshold between them and buildings.
// 3. A constant logit rejects what resembles no building.
// 4. `FitCompletion` applies both to classifiers.

/// Learns from held-out photos how logits become probabilities: the temperature, and where the lines
/// between buildings, backgrounds and what is like none of them are.
struct ProbabilityFit {
  let completion: FitCompletion
  let names: Labels
  let temperature: Double

  /// Of the held-out photos of buildings, the share that may fall below the lines.
  static let falseRejectionBudget = 0.05
  /// Where the line against backgrounds lies in the gap between what keeps out 95 % of them, 0, and what lets
  /// in 95 % of the buildings, 1: other things than those that trained have odds in between. Measured: of
  /// such things 9 % got a name instead of 16 %, as many buildings that did not train as before.
  private static let placeInGap = 0.6

  init(
    _ logits: [[Float]], truth: [Int], names: Labels, isGated: Bool, usualTemperature: Double
  ) {
    let isBuilding = truth.map(names.buildings.contains)
    let temperature = { (completion: FitCompletion) in
      // Pictures of no buildings alone say nothing about how sure to be of buildings.
      isBuilding.contains(true)
        ? TemperatureScaling.temperature(
          logits: Matrix(
            rows: logits.count, columns: names.names.count,
            values: logits.flatMap(completion.completed)),
          labels: truth)
        : usualTemperature
    }
    // Where the line is in the model's own odds: those of several backgrounds together depend on the
    // temperature, which moves little with the line.
    let coarse = FitCompletion(
      trained: names, backgroundShift: Self.backgroundShift(logits, isBuilding, names, at: 1))
    var completion = FitCompletion(
      trained: names,
      backgroundShift: Self.backgroundShift(
        logits, isBuilding, names, at: temperature(coarse)))
    self.temperature = temperature(completion)
    let completed = logits.map(completion.completed)
    if isGated, names.unfamiliar == nil {
      let known = zip(completed, isBuilding).filter(\.1).map(\.0)
      completion.unfamiliar = Self.unfamiliarLogit(known, names, self.temperature)
    }
    self.completion = completion
    self.names = completion.names
  }

  func probabilities(_ logits: [Float]) -> [Double] {
    Softmax.probabilities(completion.completed(logits), temperature: temperature)
  }

  /// Puts the line between what keeps out enough of what is no building and what lets in enough of the
  /// buildings: tomorrow's light lowers the odds of buildings, and other things than those at hand raise the
  /// odds of the rest.
  private static func backgroundShift(
    _ logits: [[Float]], _ isBuilding: [Bool], _ names: Labels, at temperature: Double
  ) -> Float {
    var (known, others): ([Double], [Double]) = ([], [])
    for (row, values) in logits.enumerated() {
      guard let odds = Decision.odds(Softmax.probabilities(values, temperature: temperature), names)
      else {
        return 0
      }
      if isBuilding[row] { known.append(odds) } else { others.append(odds) }
    }
    guard !others.isEmpty else { return 0 }
    let curve = ErrorCurve(photos: others.count, wrong: others)
    let low = curve.threshold(error: OperatingPoint.usualError) ?? curve.strictest
    // Without held-out buildings: where building and backgrounds are as probable.
    let high =
      known.isEmpty ? 0 : known.sorted()[Int(falseRejectionBudget * Double(known.count))]
    // Halfway, where they overlap, and where no photos of buildings were held out to tell of a gap.
    let place = known.isEmpty || high < low ? 0.5 : placeInGap
    return Float(temperature * (low + place * (high - low)))
  }

  /// The logit that, beside the backgrounds, refuses as many of the held-out photos of buildings as may
  /// be: the highest one is the strictest with buildings that did not train.
  ///
  /// The logit of the best building tells them apart: it is a scalar product, and has no other
  /// classes in it that would share out what is like none of them.
  private static func unfamiliarLogit(
    _ known: [[Float]], _ names: Labels, _ temperature: Double
  ) -> Float? {
    let limits = known.map { logits -> Double in
      let best = names.buildings.map { Double(logits[$0]) }.max() ?? 0
      let rest = names.backgrounds.reduce(0) {
        $0 + exp((Double(logits[$1]) - best) / temperature)
      }
      // The logit u at which 1 = rest + exp((u - best) / temperature).
      return rest < 1 ? best + temperature * log1p(-rest) : -.infinity
    }.sorted()
    guard !limits.isEmpty else { return nil }
    let limit = limits[Int(falseRejectionBudget * Double(limits.count))]
    return limit.isFinite ? Float(limit).nextDown : nil
  }
}

/// What a fit becomes in the model: its backgrounds moved, and what is like no building beside them.
///
/// Both are biases, so that every export has them in its softmax: nothing else is computed on a phone.
struct FitCompletion: Equatable, Sendable {
  let trained: Labels
  /// What to add to the logits of all backgrounds, so that a building as probable as they are is
  /// where to draw the line; a change of prior (Saerens, Latinne & Decaestecker, 2002).
  var backgroundShift: Float = 0
  /// The logit of ``Labels/unfamiliar``, whatever the picture; `nil` leaves that label out.
  var unfamiliar: Float?

  var names: Labels {
    unfamiliar == nil ? trained : Labels(trained.names + [Labels.unfamiliar])
  }

  func completed(_ logits: [Float]) -> [Float] {
    var logits = logits
    for label in trained.backgrounds { logits[label] += backgroundShift }
    if let unfamiliar { logits.append(unfamiliar) }
    return logits
  }

  func completed(_ classifier: Classifier) -> Classifier {
    switch classifier {
    case .softmax(let linear): .softmax(completed(linear))
    case .retrieval(let retrieval):
      .retrieval(retrieval.biased(by: completed(retrieval.biases)))
    }
  }

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

/// Finds the temperature that makes probabilities honest (Guo et al., ICML 2017).
enum TemperatureScaling {
  /// The temperature in 0.05...20 with the least negative log-likelihood.
  ///
  /// The likelihood is unimodal in the logarithm of the temperature, so a golden section finds it.
  ///
  /// - Parameter trimmed: the share, 0..<1, of the labels that count for nothing, those that each
  ///   temperature explains worst, lest a few wrong ones blunt it (maximum trimmed likelihood, Hadi &
  ///   Luceño 1997).
  static func temperature(logits: Matrix, labels: [Int], trimmed: Double = 0) -> Double {
    precondition(trimmed >= 0 && trimmed < 1, "a share of \(trimmed)")
    guard !labels.isEmpty else { return 1 }
    let kept = labels.count - Int(trimmed * Double(labels.count))
    func loss(_ temperature: Double) -> Double {
      let losses = losses(logits, labels, temperature)
      return (kept < labels.count ? losses.sorted().prefix(kept) : losses[...]).reduce(0, +)
    }
    let golden = (5.0.squareRoot() - 1) / 2
    var (low, high) = (log(0.05), log(20.0))
    for _ in 0..<40 {
      let span = golden * (high - low)
      let (left, right) = (high - span, low + span)
      if loss(exp(left)) <= loss(exp(right)) {
        high = right
      } else {
        low = left
      }
    }
    return exp((low + high) / 2)
  }

  static func loss(_ logits: Matrix, _ labels: [Int], _ temperature: Double) -> Double {
    losses(logits, labels, temperature).reduce(0, +) / Double(labels.count)
  }

  private static func losses(
    _ logits: Matrix, _ labels: [Int], _ temperature: Double
  ) -> [Double] {
    labels.enumerated().map { row, label in
      let values = logits.values[logits.range(ofRow: row)].map { Double($0) / temperature }
      let largest = values.max() ?? 0
      return largest - values[label] + log(values.reduce(0) { $0 + exp($1 - largest) })
    }
  }
}
