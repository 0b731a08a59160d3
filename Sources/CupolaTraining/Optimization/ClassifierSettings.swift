public import Cupola

/// How the classifier is fitted.
public struct ClassifierSettings: Equatable, Sendable {
  /// Shrinkage of the within-class covariance that examples are whitened with, 0.1...1; `nil` does not
  /// whiten.
  public var whitening: Double?
  /// The inverse strength of regularization, 1e-12...1e12.
  public var regularization: Double
  /// The weight of the color part of the features; `nil` where they have none.
  public var colorWeight: Float?
  /// The share of label smoothing, 0 to less than 1.
  public var smoothing: Double
  /// What is fitted; regularization and smoothing are of softmax.
  public var classifier = ClassifierKind.softmax

  /// Settings for one fit.
  public init(
    whitening: Double?, regularization: Double, colorWeight: Float? = nil, smoothing: Double = 0
  ) {
    self.whitening = whitening
    self.regularization = regularization
    self.colorWeight = colorWeight
    self.smoothing = smoothing
  }

  /// Those of a retrieval classifier, of which there is nothing to choose.
  static func retrieval(colorWeight: Float?) -> ClassifierSettings {
    var settings = ClassifierSettings(
      whitening: RetrievalFit.shrinkage, regularization: 1, colorWeight: colorWeight)
    settings.classifier = .retrieval
    return settings
  }

  /// Where fits of photos stop: further steps only fit the training photos closer, and cost accuracy
  /// on photos of other days.
  static let solver = LBFGS(gradientTolerance: 1e-4)

  /// Of many photos: as good after so many steps, see ``TrainingScale``.
  private static var bounded: LBFGS {
    var solver = solver
    solver.maximumIterations = TrainingScale.mostSteps
    return solver
  }

  /// Fits a classifier over the examples for each of some settings.
  ///
  /// Fits of the same whitening start from each other's solution.
  static func fits(
    _ settings: [ClassifierSettings], _ examples: Matrix, labels: [Int], names: Labels,
    scale: TrainingScale = .full, isStepDone: (() -> Void)? = nil
  ) -> [SoftmaxRegression.Fit] {
    let classes = labels.map { names.buildings.contains($0) ? $0 : nil }
    var whitening:
      (shrinkage: Double?, transform: Whitening?, examples: Matrix, last: LinearClassifier?)?
    return settings.map { setting in
      if whitening == nil || whitening?.shrinkage != setting.whitening {
        let transform = setting.whitening.map {
          Whitening(examples: examples, classes: classes, shrinkage: $0)
        }
        whitening = (
          setting.whitening, transform, transform?.examples ?? examples, nil
        )
      }
      let fit = SoftmaxRegression(
        regularization: setting.regularization, smoothing: setting.smoothing,
        solver: scale == .bounded ? bounded : solver, findsFirstStep: scale == .bounded
      ).fit(
        whitening?.examples ?? examples, labels: labels, labelCount: names.names.count,
        from: whitening?.last, isStepDone: isStepDone)
      whitening?.last = fit.classifier
      let classifier = whitening?.transform?.classifier(from: fit.classifier) ?? fit.classifier
      return SoftmaxRegression.Fit(
        classifier: classifier, iterations: fit.iterations,
        // Of many photos that many steps are all that was meant.
        converged: fit.converged || scale == .bounded)
    }
  }
}
