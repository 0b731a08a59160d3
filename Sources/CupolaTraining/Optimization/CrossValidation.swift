internal import Cupola

/// Fits every fold's complement for several settings, and keeps what the held-out photos got.
struct CrossValidation: Sendable {
  /// What one setting gives on photos that the fits did not see.
  struct Trial: Equatable, Sendable {
    let settings: ClassifierSettings
    /// Held-out photos x labels.
    let logits: Matrix
    /// Of each fold, fitted to the photos of all others; over the examples as they were given.
    let classifiers: [LinearClassifier]
    /// Of buildings, by the most probable building.
    let accuracy: Double
    /// One standard error of the accuracy.
    let accuracyError: Double
    let temperature: Double
    /// Mean negative log-likelihood at that temperature.
    let loss: Double
  }

  /// In the order of the settings given; none when no photo can be held out.
  let trials: [Trial]
  /// Which photos were held out, in the order of the rows of logits.
  let photos: [Int]

  /// - Parameters:
  ///   - examples: one row a photo and training geometry; row `photo * views + view`.
  ///   - trainedViews: how many of the views train, the first ones; `nil` is all.
  ///   - testView: the view that held-out photos are judged by.
  init(
    examples: any ExampleSource, views: Int, trainedViews: Int? = nil, testView: Int, labels: [Int],
    names: Labels,
    folds: Folds, settings: [ClassifierSettings], threads: Int
  ) async {
    let photos = labels.indices.filter { folds.assignment[$0] != nil }
    self.photos = photos
    guard !photos.isEmpty else {
      trials = []
      return
    }
    let atOnce = Self.fitsAtOnce(examples, settings, threads: threads)
    let byFold = await parallelMap(Array(0..<folds.count), threads: atOnce) { fold in
      Self.heldOutFits(
        heldOut: photos.filter { folds.assignment[$0] == fold },
        training: labels.indices.filter { folds.assignment[$0] != fold },
        examples, views, trainedViews ?? views, testView, labels, names, settings)
    }
    let truth = photos.map { labels[$0] }
    trials = settings.enumerated().map { index, setting in
      var logits = Matrix(rows: photos.count, columns: names.names.count)
      var nextInFold = [Int](repeating: 0, count: folds.count)
      for (row, photo) in photos.enumerated() {
        guard let fold = folds.assignment[photo] else { continue }
        let part = byFold[fold][index].logits
        let source = part.values[part.range(ofRow: nextInFold[fold])]
        logits.values.replaceSubrange(logits.range(ofRow: row), with: source)
        nextInFold[fold] += 1
      }
      return Self.trial(setting, logits, byFold.map { $0[index].classifier }, truth, names)
    }
  }

  /// Fits at work together may copy so many bytes of examples.
  private static let fitBytes = 128 << 20

  /// How many fits of most of some examples may work together.
  static func fitsAtOnce(
    _ examples: any ExampleSource, _ settings: [ClassifierSettings], threads: Int
  ) -> Int {
    // Whitened examples are a second copy.
    let copies = settings.contains { $0.whitening != nil } ? 2 : 1
    let bytes = copies * MemoryLayout<Float>.size * examples.rows * examples.columns
    return max(1, min(threads, fitBytes / max(1, bytes)))
  }

  /// The first setting whose accuracy is within one standard error of the highest.
  ///
  /// Settings are given in order of preference. Held-out photos resemble the training photos more
  /// than tomorrow's will, by day and by camera, and so flatter settings that lean on likeness.
  static func best(_ trials: [Trial]) -> Trial? {
    guard let top = trials.max(by: { $0.accuracy < $1.accuracy }) else { return nil }
    return trials.first { $0.accuracy >= top.accuracy - top.accuracyError }
  }

  /// Fits to the first views of some photos, one a setting, and what the test views of others get by them.
  static func heldOutFits(
    heldOut: [Int], training: [Int], _ examples: any ExampleSource, _ views: Int, _ trained: Int,
    _ testView: Int, _ labels: [Int], _ names: Labels, _ settings: [ClassifierSettings]
  ) -> [(classifier: LinearClassifier, logits: Matrix)] {
    let rows = training.flatMap { photo in (0..<trained).map { photo * views + $0 } }
    let inputs = examples.selecting(rows: rows)
    let targets = training.flatMap { [Int](repeating: labels[$0], count: trained) }
    let fits = ClassifierSettings.fits(settings, inputs, labels: targets, names: names)
    let tests = examples.selecting(rows: heldOut.map { $0 * views + testView })
    return fits.map { ($0.classifier, $0.classifier.logits(ofRows: tests)) }
  }

  private static func trial(
    _ settings: ClassifierSettings, _ logits: Matrix, _ classifiers: [LinearClassifier],
    _ truth: [Int], _ names: Labels
  ) -> Trial {
    var (right, asked) = (0, 0)
    for (row, label) in truth.enumerated() where names.buildings.contains(label) {
      let best = names.buildings.max { logits[row, $0] < logits[row, $1] }
      asked += 1
      if best == label { right += 1 }
    }
    let temperature = TemperatureScaling.temperature(logits: logits, labels: truth)
    let accuracy = Double(right) / Double(max(1, asked))
    return Trial(
      settings: settings, logits: logits, classifiers: classifiers, accuracy: accuracy,
      accuracyError: (accuracy * (1 - accuracy) / Double(max(1, asked))).squareRoot(),
      temperature: temperature,
      loss: truth.isEmpty ? 0 : TemperatureScaling.loss(logits, truth, temperature))
  }
}
