internal import Cupola

/// Fits every fold's complement for several settings, and keeps what the held-out photos got.
struct CrossValidation: Sendable {
  /// What one setting gives on photos that the fits did not see.
  struct Trial: Equatable, Sendable {
    let settings: ClassifierSettings
    /// Held-out photos x labels.
    let logits: Matrix
    /// Of each fold, fitted to the photos of all others; over the examples as they were given.
    let classifiers: [Classifier]
    /// Whether the most probable building of each held-out photo is its own; `nil` where there is none.
    let isRight: [Bool?]
    /// Mean negative log-likelihood at the temperature at which it is least.
    let loss: Double

    /// Of buildings, by the most probable building.
    var accuracy: Double { Share(isRight).accuracy ?? 0 }
  }

  /// In the order of the settings given; none when no photo can be held out.
  let trials: [Trial]
  /// Which photos were held out, in the order of the rows of logits.
  let photos: [Int]

  /// - Parameters:
  ///   - trainedViews: how many of the views train, the first ones; `nil` is all.
  ///   - isDone: told how much more is done, as of ``LabeledExamples/fits(_:to:firstViews:isDone:)``.
  init(
    _ examples: LabeledExamples, trainedViews: Int? = nil, folds: Folds,
    settings: [ClassifierSettings], threads: Int, isDone: (@Sendable (Int) -> Void)? = nil
  ) async {
    let (labels, names) = (examples.labels, examples.names)
    let photos = folds.tested
    self.photos = photos
    guard !photos.isEmpty else {
      trials = []
      return
    }
    let atOnce = Self.fitsAtOnce(examples.source, settings, threads: threads)
    let alike = Self.alike(settings)
    let tasks = (0..<folds.count).flatMap { fold in alike.map { (fold: fold, settings: $0) } }
    let done = await parallelMap(tasks, threads: atOnce) { task in
      let tests = examples.tests(of: photos.filter { folds.assignment[$0] == task.fold })
      let training = labels.indices.filter { folds.assignment[$0] != task.fold }
      return examples.fits(
        task.settings, to: training, firstViews: trainedViews, isDone: isDone
      ).map { (classifier: $0.classifier, logits: $0.classifier.logits(ofRows: tests)) }
    }
    let byFold = (0..<folds.count).map { fold in
      done[fold * alike.count..<(fold + 1) * alike.count].flatMap(\.self)
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
      return Trial(
        setting, logits: logits, classifiers: byFold.map { $0[index].classifier }, truth: truth,
        names: names)
    }
  }

  /// Settings one after the other that whiten alike, and so share that work and their solutions.
  private static func alike(_ settings: [ClassifierSettings]) -> [[ClassifierSettings]] {
    settings.reduce(into: []) { groups, setting in
      if let last = groups.last?.last, last.whitening == setting.whitening {
        groups[groups.count - 1].append(setting)
      } else {
        groups.append([setting])
      }
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
    best(of: trials.map(\.isRight)).map { trials[$0] }
  }

  /// The same of what each setting named right: which it is.
  static func best(of isRight: [[Bool?]]) -> Int? {
    let shares = isRight.map { answers -> (accuracy: Double, error: Double) in
      let share = Share(answers)
      let accuracy = share.accuracy ?? 0
      return (accuracy, (accuracy * (1 - accuracy) / Double(max(1, share.photos))).squareRoot())
    }
    guard let top = shares.max(by: { $0.accuracy < $1.accuracy }) else { return nil }
    return shares.firstIndex { $0.accuracy >= top.accuracy - top.error }
  }
}

extension CrossValidation.Trial {
  /// - Parameter truth: the label of each row of logits.
  fileprivate init(
    _ settings: ClassifierSettings, logits: Matrix, classifiers: [Classifier], truth: [Int],
    names: Labels
  ) {
    let isRight = truth.enumerated().map { row, label -> Bool? in
      guard names.buildings.contains(label) else { return nil }
      return names.buildings.max { logits[row, $0] < logits[row, $1] } == label
    }
    let temperature = TemperatureScaling.temperature(logits: logits, labels: truth)
    self.init(
      settings: settings, logits: logits, classifiers: classifiers, isRight: isRight,
      loss: truth.isEmpty ? 0 : TemperatureScaling.loss(logits, truth, temperature))
  }
}
