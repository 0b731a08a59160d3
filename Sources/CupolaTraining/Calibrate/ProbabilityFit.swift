internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Fit the temperature (`TemperatureScaling`).
// 2. Shift the background logits so that the threshold between backgrounds and buildings is at even odds.
// 3. Reject unfamiliar images, by a novelty score (`NoveltyRule`) or else by a constant logit.
// 4. Apply both changes to classifiers (`FitCompletion`).

/// Fits temperature and rejection thresholds to held-out photos.
struct ProbabilityFit {
  let completion: FitCompletion
  let names: Labels
  let temperature: Double

  static let falseRejectionBudget = 0.05
  /// The position of the background threshold within the gap between the score distributions.
  ///
  /// At 0, the threshold rejects 95% of backgrounds; at 1, it accepts 95% of buildings. Kinds of background missing
  /// from training score in between; 9% of them get a building's name, compared with 16% under an earlier rule.
  private static let thresholdInGap = 0.6

  /// - Parameters:
  ///   - isGated: Whether to reject unfamiliar images.
  ///   - novelty: The scores of these photos and of photos of unknown buildings.
  init(
    _ logits: [[Float]], truth: [Int], names: Labels, isGated: Bool, usualTemperature: Double,
    novelty: NoveltyScores? = nil
  ) {
    let buildings = Set(names.buildings)
    let isBuilding = truth.map(buildings.contains)
    let temperature = { (completion: FitCompletion) in
      // Background photos alone cannot calibrate the probabilities of buildings.
      isBuilding.contains(true)
        ? TemperatureScaling.temperature(
          logits: Matrix(
            rows: logits.count, columns: names.names.count,
            values: logits.flatMap(completion.completed)),
          labels: truth)
        : usualTemperature
    }
    // The combined odds of several backgrounds depend on the temperature, and the temperature depends on the
    // threshold, so first approximate the threshold at temperature 1.
    let coarse = FitCompletion(
      trained: names, backgroundShift: Self.backgroundShift(logits, isBuilding, names, at: 1))
    var completion = FitCompletion(
      trained: names,
      backgroundShift: Self.backgroundShift(
        logits, isBuilding, names, at: temperature(coarse)))
    self.temperature = temperature(completion)
    let completed = logits.map(completion.completed)
    if names.unfamiliar == nil, let rule = novelty?.rule {
      (completion.novelty, completion.unfamiliar) = (rule, FitCompletion.replaced)
    } else if isGated, names.unfamiliar == nil {
      let known = zip(completed, isBuilding).filter(\.1).map(\.0)
      completion.unfamiliar = Self.unfamiliarLogit(known, names, self.temperature)
    }
    self.completion = completion
    self.names = completion.names
  }

  /// - Parameter score: The photo's novelty score, if the fit uses one.
  func probabilities(_ logits: [Float], score: Double?) -> [Double] {
    var completed = completion.completed(logits)
    if let rule = completion.novelty, let score {
      let unfamiliar = completed.count - 1
      completed[unfamiliar] = NoveltyDetector.logit(
        logOdds: rule.logOdds(score), completed, except: unfamiliar, temperature: temperature)
    }
    return Softmax.probabilities(completed, temperature: temperature)
  }

  /// The shift of the background logits that puts the threshold between the scores of backgrounds and buildings.
  private static func backgroundShift(
    _ logits: [[Float]], _ isBuilding: [Bool], _ names: Labels, at temperature: Double
  ) -> Float {
    var (known, others): ([Double], [Double]) = ([], [])
    for (row, values) in logits.enumerated() {
      guard
        let odds = DecisionRule.odds(Softmax.probabilities(values, temperature: temperature), names)
      else {
        return 0
      }
      if isBuilding[row] { known.append(odds) } else { others.append(odds) }
    }
    guard !others.isEmpty else { return 0 }
    let curve = ErrorCurve(photos: others.count, wrong: others)
    let low = curve.threshold(error: Thresholds.defaultError) ?? curve.strictest
    // Without held-out buildings, use even odds as the upper end.
    let high =
      known.isEmpty ? 0 : known.sorted()[Int(falseRejectionBudget * Double(known.count))]
    // Use the midpoint if the distributions overlap or no building photo was held out.
    let place = known.isEmpty || high < low ? 0.5 : thresholdInGap
    return Float(temperature * (low + place * (high - low)))
  }

  /// The highest constant logit that rejects at most the allowed fraction of building photos.
  private static func unfamiliarLogit(
    _ known: [[Float]], _ names: Labels, _ temperature: Double
  ) -> Float? {
    let limits = known.map { logits -> Double in
      let best = names.buildings.map { Double(logits[$0]) }.max() ?? 0
      let rest = names.backgrounds.reduce(0) {
        $0 + exp((Double(logits[$1]) - best) / temperature)
      }
      // Solve 1 = rest + exp((u - best) / temperature) for the logit u.
      return rest < 1 ? best + temperature * log1p(-rest) : -.infinity
    }.sorted()
    guard !limits.isEmpty else { return nil }
    let limit = limits[Int(falseRejectionBudget * Double(limits.count))]
    return limit.isFinite ? Float(limit).nextDown : nil
  }
}

/// The rejection parameters of a model; they are stored as biases, so every export's softmax includes them.
struct FitCompletion: Equatable, Sendable {
  let trained: Labels
  /// The shift of all background logits that puts the rejection threshold at even odds with the buildings.
  ///
  /// Equivalent to changing the prior (Saerens, Latinne & Decaestecker, 2002).
  var backgroundShift: Float = 0
  /// The constant logit of ``Labels/unfamiliar``; `nil` omits that label.
  var unfamiliar: Float?
  /// The rule with which the model's detector replaces the logit of ``Labels/unfamiliar``; `nil` keeps the constant.
  var novelty: NoveltyRule?

  /// The logit of ``Labels/unfamiliar`` before the detector replaces it. It never wins.
  static let replaced: Float = -1000

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

/// Fits the temperature that calibrates the probabilities (Guo et al., ICML 2017).
enum TemperatureScaling {
  /// Returns the temperature in 0.05...20 with the lowest negative log-likelihood.
  ///
  /// Uses golden-section search, because the likelihood is unimodal in the logarithm of the temperature. Each step
  /// computes one loss and reuses another one, unless rounding errors could then change the result.
  /// - Parameter trimmed: The fraction of labels to ignore, 0..<1, starting with the least likely, for robustness to
  ///   wrong labels (maximum trimmed likelihood, Hadi & Luceño 1997).
  static func temperature(logits: Matrix, labels: [Int], trimmed: Double = 0) -> Double {
    precondition(trimmed >= 0 && trimmed < 1, "share \(trimmed) is not in 0..<1")
    guard !labels.isEmpty else { return 1 }
    let kept = labels.count - Int(trimmed * Double(labels.count))
    func loss(_ temperature: Double) -> Double {
      let losses = losses(logits, labels, temperature)
      return (kept < labels.count ? losses.sorted().prefix(kept) : losses[...]).reduce(0, +)
    }
    let golden = (5.0.squareRoot() - 1) / 2
    let magnitude = magnitude(logits, labels)
    var (low, high) = (log(0.05), log(20.0))
    var (leftLoss, rightLoss): (Double?, Double?) = (nil, nil)
    for _ in 0..<40 {
      let span = golden * (high - low)
      let (left, right) = (high - span, low + span)
      var losses = (leftLoss ?? loss(exp(left)), rightLoss ?? loss(exp(right)))
      // A reused loss is from the same position up to rounding, so compare exact losses if they are close.
      let error = 1e-12 * (losses.0 + losses.1 + Double(labels.count) + magnitude / exp(low))
      if !(abs(losses.0 - losses.1) > error) {
        if leftLoss != nil { losses.0 = loss(exp(left)) }
        if rightLoss != nil { losses.1 = loss(exp(right)) }
      }
      if losses.0 <= losses.1 {
        high = right
        (leftLoss, rightLoss) = (nil, losses.0)
      } else {
        low = left
        (leftLoss, rightLoss) = (losses.1, nil)
      }
    }
    return exp((low + high) / 2)
  }

  /// The sum of the magnitudes of the logits that determine the rounding errors of the losses.
  private static func magnitude(_ logits: Matrix, _ labels: [Int]) -> Double {
    labels.enumerated().reduce(0) { sum, photo in
      let largest = logits.values[logits.range(ofRow: photo.offset)].max() ?? 0
      return sum + Double(largest.magnitude + logits[photo.offset, photo.element].magnitude)
    }
  }

  static func loss(_ logits: Matrix, _ labels: [Int], _ temperature: Double) -> Double {
    losses(logits, labels, temperature).reduce(0, +) / Double(labels.count)
  }

  static func losses(
    _ logits: Matrix, _ labels: [Int], _ temperature: Double
  ) -> [Double] {
    labels.enumerated().map { row, label in
      let values = logits.values[logits.range(ofRow: row)].map { Double($0) / temperature }
      let largest = values.max() ?? 0
      return largest - values[label] + log(values.reduce(0) { $0 + exp($1 - largest) })
    }
  }
}
