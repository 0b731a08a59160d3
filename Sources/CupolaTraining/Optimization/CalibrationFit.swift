#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import Cupola

/// Learns from held-out photos how far a classifier can be believed.
struct CalibrationFit {
  /// What the model's probabilities and promises rest on.
  let calibration: Calibration
  /// What a fit becomes in the model.
  let completion: FitCompletion

  /// Of the held-out photos of buildings, the share that may fall below those lines.
  static let falseRejectionBudget = 0.05

  /// - Parameters:
  ///   - logits: held-out photos x labels.
  ///   - truth: the label of each photo.
  ///   - unknown: the same of photos of buildings that no fit had seen, if there are any.
  ///   - usualTemperature: where no photos of buildings were held out.
  init(
    logits: Matrix, truth: [Int], names: Labels, unknown: Matrix? = nil,
    usualTemperature: Double = 1
  ) {
    let isBuilding = truth.map(names.buildings.contains)
    let fits = Self.rows(of: logits)
    let shift = Self.backgroundShift(fits, isBuilding, names)
    var completion = FitCompletion(trained: names, backgroundShift: shift)
    // Pictures of no buildings alone say nothing about how sure to be of buildings.
    let temperature =
      isBuilding.contains(true)
      ? TemperatureScaling.temperature(
        logits: Self.matrix(fits.map(completion.completed), names), labels: truth)
      : usualTemperature
    if let unknown, unknown.rows > 0, names.unfamiliar == nil {
      let known = zip(fits, isBuilding).filter(\.1).map { completion.completed($0.0) }
      completion.unfamiliar = Self.unfamiliarLogit(known, names, temperature)
    }
    self.completion = completion
    calibration = Self.calibration(
      fits.map(completion.completed), truth, completion.names, temperature,
      unknown: unknown.map { Self.rows(of: $0).map(completion.completed) })
  }

  /// What the calibrated model makes of the logits of a fit.
  func probabilities(_ logits: [Float]) -> [Double] {
    Softmax.probabilities(
      completion.completed(logits), temperature: calibration.temperature)
  }

  // MARK: - Promises

  private static func calibration(
    _ logits: [[Float]], _ truth: [Int], _ names: Labels, _ temperature: Double,
    unknown: [[Float]]?
  ) -> Calibration {
    let shares = logits.map { Softmax.probabilities($0, temperature: temperature) }
    var calibration = Calibration(temperature: temperature)
    // Drawn pictures are refused more easily than what people photograph.
    let others = zip(shares, truth)
      .filter { !names.buildings.contains($1) && !DrawnPhotos.labels.contains(names.names[$1]) }
      .compactMap { Decision.odds($0.0, names) }
    if !others.isEmpty {
      calibration.notBuildings = ErrorCurve(photos: others.count, wrong: others)
    }
    // As many as a curve keeps, so that it has all their scores.
    if let unknown = unknown?.sampled(to: ErrorCurve.mostScores), !unknown.isEmpty {
      let odds = unknown.compactMap {
        Decision.odds(Softmax.probabilities($0, temperature: temperature), names)
      }
      calibration.unknownBuildings = ErrorCurve(photos: unknown.count, wrong: odds)
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

  private static func rows(of logits: Matrix) -> [[Float]] {
    (0..<logits.rows).map(logits.row)
  }

  private static func matrix(_ rows: [[Float]], _ names: Labels) -> Matrix {
    Matrix(rows: rows.count, columns: names.names.count, values: rows.flatMap(\.self))
  }
}

// MARK: - Where the lines are

extension CalibrationFit {
  /// Puts the line halfway between what keeps out enough of what is no building and what lets in
  /// enough of the buildings: tomorrow's light lowers the odds of buildings, and other things than
  /// those at hand raise the odds of the rest.
  private static func backgroundShift(
    _ logits: [[Float]], _ isBuilding: [Bool], _ names: Labels
  ) -> Float {
    var (known, others): ([Double], [Double]) = ([], [])
    for (row, values) in logits.enumerated() {
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
