internal import Cupola

/// A classifier over examples, and how it came about.
struct ClassifierFit {
  let classifier: Classifier
  /// Steps of the solver; 0 where there is none.
  let iterations: Int
  let converged: Bool
}

/// Examples and what they are of: all that a classifier is fitted to.
struct LabeledExamples: Sendable {
  let source: any ExampleSource
  let views: PhotoViews
  /// One a photo.
  let labels: [Int]
  let names: Labels
  /// How many of them there are.
  var scale = TrainingScale.full
  /// Where fits are kept.
  var memory: FitMemory?

  /// Fits to views of some photos, one a setting.
  ///
  /// - Parameters:
  ///   - most: how many views of each photo, the first ones; `nil` is all.
  ///   - isDone: told how much more is done, ``TrainingScale/unitsOfFit`` for each setting.
  func fits(
    _ settings: [ClassifierSettings], to photos: [Int], firstViews most: Int? = nil,
    isDone: ((Int) -> Void)? = nil
  ) -> [ClassifierFit] {
    guard settings.first?.classifier != .retrieval else {
      defer { isDone?(settings.count * scale.unitsOfFit) }
      return settings.map { _ in remembering(photos) }
    }
    return regressions(settings, to: photos, firstViews: most, isDone: isDone).map {
      ClassifierFit(
        classifier: .softmax($0.classifier), iterations: $0.iterations, converged: $0.converged)
    }
  }

  /// What remembers the photos in the order given, every geometry once.
  private func remembering(_ photos: [Int]) -> ClassifierFit {
    let rows = photos.map(views.rowsOnce)
    let fit = RetrievalFit(
      source.selecting(rows: rows.flatMap(\.self)),
      labels: zip(photos, rows).flatMap { [Int](repeating: labels[$0], count: $1.count) },
      names: names, viewsPerPhoto: views.viewsOnce)
    return ClassifierFit(
      classifier: .retrieval(fit.classifier), iterations: 0, converged: true)
  }

  private func regressions(
    _ settings: [ClassifierSettings], to photos: [Int], firstViews most: Int?,
    isDone: ((Int) -> Void)?
  ) -> [SoftmaxRegression.Fit] {
    // Those of many photos take long enough to tell of their steps.
    var steps = 0
    let isStepDone = {
      guard scale == .bounded else { return }
      steps += 1
      isDone?(1)
    }
    defer { isDone?(settings.count * scale.unitsOfFit - steps) }
    func make() -> [SoftmaxRegression.Fit] {
      let rows = photos.map { views.rows(of: $0, first: most) }
      return ClassifierSettings.fits(
        settings, source.selecting(rows: rows.flatMap(\.self)),
        labels: zip(photos, rows).flatMap { [Int](repeating: labels[$0], count: $1.count) },
        names: names, scale: scale, isStepDone: isStepDone)
    }
    guard let memory else { return make() }
    var hash = SHA256()
    for photo in photos { hash.update(Array("\(photo) \(names.names[labels[photo]])\n".utf8)) }
    let name = settings.map { "\($0)" } + ["\(most ?? 0)", "\(scale)", hash.hexadecimal()]
    return memory.fits(
      name + names.names, count: settings.count, shape: [names.names.count, source.columns],
      make: make)
  }

  /// The views by which photos are judged, a row each.
  func tests(of photos: [Int]) -> Matrix {
    source.selecting(rows: photos.map(views.testRow))
  }
}
