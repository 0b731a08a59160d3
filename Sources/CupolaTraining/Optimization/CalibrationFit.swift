internal import Cupola

/// Learns from held-out photos how far a classifier can be believed.
struct CalibrationFit {
  /// What the model's probabilities and promises rest on.
  let calibration: Calibration
  private let fit: ProbabilityFit

  /// What a fit becomes in the model.
  var completion: FitCompletion { fit.completion }

  /// What held-out photos got from fits with whose settings they had nothing to do.
  struct Nested {
    /// Held-out photos x labels.
    let logits: Matrix
    /// The fold of each photo.
    let folds: [Int]
  }

  /// - Parameters:
  ///   - logits: held-out photos x labels.
  ///   - truth: the label of each photo.
  ///   - nested: what promises rest on, with temperature and lines that the photos of the same fold had
  ///     no part in either; `nil` is `logits`, with those that they had a part in.
  ///   - unknown: the logits of photos of buildings that no fit had seen; `nil` where no line against such is wanted.
  ///   - usualTemperature: where no photos of buildings were held out.
  init(
    logits: Matrix, truth: [Int], names: Labels, nested: Nested? = nil, unknown: Matrix? = nil,
    usualTemperature: Double = 1
  ) {
    let rows = (0..<logits.rows).map(logits.row)
    let isGated = unknown != nil
    let fit = ProbabilityFit(
      rows, truth: truth, names: names, isGated: isGated, usualTemperature: usualTemperature)
    var calibration = Calibration(temperature: fit.temperature)
    // As many as a curve keeps, so that it has all their scores.
    let asked = unknown.map { Array(0..<$0.rows).sampled(to: ErrorCurve.mostScores) } ?? []
    if let unknown, !asked.isEmpty {
      let odds = asked.compactMap {
        Decision.odds(fit.probabilities(unknown.row($0)), fit.names)
      }
      calibration.unknownBuildings = ErrorCurve(photos: asked.count, wrong: odds)
    }
    let believed =
      nested.map { nested in
        Self.believed(nested, truth) { rows, truth in
          ProbabilityFit(
            rows, truth: truth, names: names, isGated: isGated, usualTemperature: usualTemperature)
        }
      } ?? rows.map { Believed(fit, $0) }
    Self.promise(believed, truth, names, in: &calibration)
    self.calibration = calibration
    self.fit = fit
  }

  /// What the calibrated model makes of the logits of a fit.
  func probabilities(_ logits: [Float]) -> [Double] { fit.probabilities(logits) }

  // MARK: - Promises

  /// The probabilities of a held-out photo.
  private struct Believed {
    let probabilities: [Double]
    /// One each.
    let names: Labels

    init(_ fit: ProbabilityFit, _ logits: [Float]) {
      (probabilities, names) = (fit.probabilities(logits), fit.names)
    }
  }

  /// Of each photo by what the other folds' photos say of temperature and lines.
  private static func believed(
    _ nested: Nested, _ truth: [Int], fit: ([[Float]], [Int]) -> ProbabilityFit
  ) -> [Believed] {
    let fits = Dictionary(
      uniqueKeysWithValues: Set(nested.folds).map { fold in
        let others = nested.folds.indices.filter { nested.folds[$0] != fold }
        return (fold, fit(others.map(nested.logits.row), others.map { truth[$0] }))
      })
    return nested.folds.enumerated().compactMap { row, fold in
      fits[fold].map { Believed($0, nested.logits.row(row)) }
    }
  }

  private static func promise(
    _ believed: [Believed], _ truth: [Int], _ names: Labels, in calibration: inout Calibration
  ) {
    // Drawn pictures are refused more easily than what people photograph.
    let others = zip(believed, truth)
      .filter { !names.buildings.contains($1) && !DrawnPhotos.labels.contains(names.names[$1]) }
      .compactMap { Decision.odds($0.0.probabilities, $0.0.names) }
    if !others.isEmpty {
      calibration.notBuildings = ErrorCurve(photos: others.count, wrong: others)
    }
    let known = zip(believed, truth).filter { names.buildings.contains($1) }
    guard !known.isEmpty else { return }
    calibration.wrongNames = ErrorCurve(
      photos: known.count,
      wrong: known.compactMap { photo, truth in
        let best = names.buildings.max { photo.probabilities[$0] < photo.probabilities[$1] }
        return best == truth
          ? nil : best.map { Decision.share(of: $0, photo.probabilities, names) }
      })
    let point = OperatingPoint(calibration)
    let refused = known.count { photo, _ in
      Decision(labels: photo.names, point: point).outcome(photo.probabilities).reason.verdict
        == .notACampusBuilding
    }
    calibration.falseRejectionRate = Double(refused) / Double(known.count)
  }
}
