internal import Cupola

// 1. `LeaveBuildingsOut` asks fits about buildings that they have not seen.
// 2. `ProbabilityFit` finds temperature and thresholds.
// 3. The promises rest on photos whose fold had no part in their thresholds.

struct CalibrationFit {
  let calibration: Calibration
  private let fit: ProbabilityFit

  var completion: FitCompletion { fit.completion }

  /// What held-out photos got from fits with whose settings they had nothing to do.
  struct Nested {
    let logits: Matrix
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

  func probabilities(_ logits: [Float]) -> [Double] { fit.probabilities(logits) }

  private struct Believed {
    let probabilities: [Double]
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

extension CalibrationFit {
  /// From what was held out while settings were chosen; `nil` where no photo at all can be.
  init?(_ search: SettingsSearch, _ problem: SettingsSearch.Problem, seed: UInt64) async {
    guard let trial = search.chosen else { return nil }
    var generator = SplitMix64(seed: seed)
    let unknown =
      LeaveBuildingsOut.isWanted(in: problem)
      ? await LeaveBuildingsOut(
        problem, search.span.coordinates, search.settings, using: &generator) : nil
    self.init(
      logits: trial.logits, truth: search.photos.map { problem.labels[$0] },
      names: problem.names, nested: search.nested, unknown: unknown?.logits,
      usualTemperature: type(of: problem.features.trainable).usualTemperature)
  }
}

/// What photos get from fits that never saw their building: how a campus' other buildings, those
/// without photos, will look to the model.
struct LeaveBuildingsOut: Sendable {
  let logits: Matrix

  /// At most so many fits; with more buildings several are left out of one.
  static let mostFits = 5
  private static let absent: Float = -1e9

  init(
    _ problem: SettingsSearch.Problem, _ coordinates: Coordinates, _ settings: ClassifierSettings,
    using generator: inout SplitMix64
  ) async {
    let parts = Self.parts(problem, generator.shuffled(problem.names.buildings))
    let atOnce = CrossValidation.fitsAtOnce(coordinates, [settings], threads: problem.threads)
    let found = await parallelMap(parts, threads: atOnce) { out in
      Self.logits(leaving: out, problem, coordinates, settings)
    }
    logits = Matrix(
      rows: found.reduce(0) { $0 + $1.rows }, columns: problem.names.names.count,
      values: found.flatMap(\.values))
  }

  /// Whether there is to be a line against buildings that did not train, even where no photo can tell of such: of one
  /// building beside backgrounds none can be left out.
  static func isWanted(in problem: SettingsSearch.Problem) -> Bool {
    problem.canChoose && type(of: problem.features.trainable).areLearned
      && !problem.names.buildings.isEmpty && problem.names.names.count > 2
  }

  static func units(of problem: SettingsSearch.Problem) -> Int {
    guard isWanted(in: problem) else { return 0 }
    return parts(problem, problem.names.buildings).count * problem.scale.unitsOfFit
  }

  /// The buildings that each fit does without: never all, for then nothing could get a building's name.
  private static func parts(
    _ problem: SettingsSearch.Problem, _ buildings: [Int]
  ) -> [Set<Int>] {
    let count = min(buildings.count, mostFits)
    let parts = (0..<count).map { part in
      Set(buildings.indices.filter { $0 % count == part }.map { buildings[$0] })
    }.filter { problem.names.names.count - $0.count > 1 && $0.count < buildings.count }
    guard problem.scale == .bounded else { return parts }
    var kept: [Set<Int>] = []
    var photos = 0
    for part in parts where photos < TrainingScale.enoughHeldOut {
      kept.append(part)
      photos += problem.labels.count(where: part.contains)
    }
    return kept
  }

  private static func logits(
    leaving out: Set<Int>, _ problem: SettingsSearch.Problem, _ coordinates: Coordinates,
    _ settings: ClassifierSettings
  ) -> Matrix {
    // Without the labels that are left out: one without examples would push all others up.
    let kept = problem.names.names.indices.filter { !out.contains($0) }
    let place = kept.indexByElement
    let examples = LabeledExamples(
      source: coordinates, views: problem.views, labels: problem.labels.map { place[$0] ?? 0 },
      names: Labels(kept.map { problem.names.names[$0] }), scale: problem.scale,
      memory: problem.memory)
    let photos = problem.labels.indices
    let fit = examples.fits(
      [settings], to: photos.filter { !out.contains(problem.labels[$0]) },
      isDone: problem.isDone)[0]
    let found = fit.classifier.logits(
      ofRows: examples.tests(of: photos.filter { out.contains(problem.labels[$0]) }))
    var logits = Matrix(
      rows: found.rows, columns: problem.names.names.count,
      values: [Float](repeating: absent, count: found.rows * problem.names.names.count))
    for row in 0..<found.rows {
      for (column, label) in kept.enumerated() { logits[row, label] = found[row, column] }
    }
    return logits
  }
}
