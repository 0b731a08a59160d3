internal import Cupola

/// Learns from held-out photos how far a classifier can be believed.
struct CalibrationFit {
  /// What the model's probabilities and promises rest on.
  let calibration: Calibration
  /// What to add to the logits of all backgrounds, so that a building as probable as they are is
  /// where to draw the line; a change of prior (Saerens, Latinne & Decaestecker, 2002).
  let backgroundShift: Float

  /// Of the held-out photos of buildings, the share that may fall below that line.
  static let falseRejectionBudget = 0.05

  /// - Parameters:
  ///   - logits: held-out photos x labels.
  ///   - truth: the label of each photo.
  init(logits: Matrix, truth: [Int], names: Labels) {
    let isBuilding = truth.map(names.buildings.contains)
    let shift = Self.backgroundShift(logits, isBuilding, names)
    var shifted = logits
    for row in 0..<logits.rows {
      for label in names.backgrounds { shifted[row, label] += shift }
    }
    // Pictures of no buildings alone say nothing about how sure to be of buildings.
    let temperature =
      isBuilding.contains(true)
      ? TemperatureScaling.temperature(logits: shifted, labels: truth) : 1
    backgroundShift = shift
    calibration = Self.calibration(shifted, truth, names, temperature)
  }

  /// What the calibrated model makes of logits, one a label, as they were given.
  func probabilities(_ logits: [Float], _ names: Labels) -> [Double] {
    var shifted = logits
    for label in names.backgrounds { shifted[label] += backgroundShift }
    return Softmax.probabilities(shifted, temperature: calibration.temperature)
  }

  private static func calibration(
    _ logits: Matrix, _ truth: [Int], _ names: Labels, _ temperature: Double
  ) -> Calibration {
    let shares = (0..<logits.rows).map { row in
      Softmax.probabilities(
        Array(logits.values[logits.range(ofRow: row)]), temperature: temperature)
    }
    var calibration = Calibration(temperature: temperature)
    // Drawn pictures are refused more easily than what people photograph.
    let others = zip(shares, truth)
      .filter { !names.buildings.contains($1) && names.names[$1] != DrawnPhotos.label }
      .compactMap { Decision.odds($0.0, names) }
    if !others.isEmpty {
      calibration.notBuildings = ErrorCurve(photos: others.count, wrong: others)
    }
    let known = zip(shares, truth).filter { names.buildings.contains($1) }
    guard !known.isEmpty else { return calibration }
    calibration.wrongNames = ErrorCurve(
      photos: known.count,
      wrong: known.compactMap { shares, truth in
        let best = names.buildings.max { shares[$0] < shares[$1] }
        return best == truth ? nil : best.map { Decision.share(of: $0, shares, names) }
      })
    let decision = Decision(labels: names, point: OperatingPoint(calibration))
    let refused = known.count { decision.outcome($0.0).reason.verdict == .notACampusBuilding }
    calibration.falseRejectionRate = Double(refused) / Double(known.count)
    return calibration
  }

  /// Puts the line halfway between what keeps out enough of what is no building and what lets in
  /// enough of the buildings: tomorrow's light lowers the odds of buildings, and other things than
  /// those at hand raise the odds of the rest.
  private static func backgroundShift(
    _ logits: Matrix, _ isBuilding: [Bool], _ names: Labels
  ) -> Float {
    var (known, others): ([Double], [Double]) = ([], [])
    for row in isBuilding.indices {
      let values = Array(logits.values[logits.range(ofRow: row)])
      guard let odds = Decision.odds(Softmax.probabilities(values, temperature: 1), names) else {
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
    return Float((low + high) / 2)
  }
}

extension LinearClassifier {
  /// The same with something added to the logits of all backgrounds.
  func shiftingBackgrounds(of names: Labels, by shift: Float) -> LinearClassifier {
    var biases = biases
    for label in names.backgrounds { biases[label] += shift }
    return LinearClassifier(weights: weights, biases: biases)
  }
}
