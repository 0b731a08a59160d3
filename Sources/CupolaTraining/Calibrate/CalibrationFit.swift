internal import Cupola

// 1. Score buildings with fits that exclude them (`LeaveBuildingsOut`).
// 2. Fit temperature and thresholds (`ProbabilityFit`).
// 3. Estimate error rates with thresholds fitted to the other folds.

struct CalibrationFit {
  let calibration: Calibration
  /// The answers to the photos from which the error rates were estimated.
  let heldOut: HeldOutAnswers
  private let fit: ProbabilityFit
  private let novelty: NoveltyScores?

  var completion: FitCompletion { fit.completion }

  /// Out-of-fold logits of a nested cross-validation, in which settings are chosen on the other folds.
  struct Nested {
    let logits: Matrix
    let folds: [Int]
  }

  /// - Parameters:
  ///   - logits: Out-of-fold logits, photos x labels.
  ///   - nested: Logits for the error estimates, which use a temperature and thresholds fitted to the other folds; if
  ///     `nil`, the estimates use `logits` and thresholds fitted to the same photos.
  ///   - sessions: The session of each photo; `nil` if each photo is its own session.
  ///   - unknown: The logits of unknown buildings; `nil` omits the threshold against unknown buildings.
  ///   - unknownSessions: The session of each row of `unknown`; `nil` if each photo is its own session.
  ///   - novelty: The novelty scores of the rows of `logits` and `unknown`.
  ///   - usualTemperature: The temperature to use if there are no held-out building photos.
  init(
    logits: Matrix, truth: [Int], names: Labels, sessions: [Int]? = nil, nested: Nested? = nil,
    unknown: Matrix? = nil, unknownSessions: [Int]? = nil, novelty: NoveltyScores? = nil,
    usualTemperature: Double = 1
  ) {
    let rows = (0..<logits.rows).map(logits.row)
    let isGated = unknown != nil
    let fit = ProbabilityFit(
      rows, truth: truth, names: names, isGated: isGated, usualTemperature: usualTemperature,
      novelty: novelty)
    var calibration = Calibration(temperature: fit.temperature)
    let asked = unknown.map { Array(0..<$0.rows).sampled(to: ErrorCurve.mostScores) } ?? []
    if let unknown, !asked.isEmpty {
      let odds = asked.map {
        DecisionRule.odds(
          fit.probabilities(unknown.row($0), score: novelty?.unknown[$0]), fit.names)
      }
      calibration.unknownBuildings = ErrorCurve(
        wrong: odds, sessions: asked.map { unknownSessions?[$0] ?? $0 })
    }
    let scored =
      nested.map { nested in
        Self.scored(nested, truth, novelty) { rows, truth, novelty in
          ProbabilityFit(
            rows, truth: truth, names: names, isGated: isGated, usualTemperature: usualTemperature,
            novelty: novelty)
        }
      } ?? rows.enumerated().map { Scored(fit, $1, novelty?.heldOut[$0]) }
    let known = scored.indices.filter { names.buildings.contains(truth[$0]) }
    Self.estimateErrors(
      scored, truth, names, known, sessions ?? Array(rows.indices), in: &calibration)
    heldOut = HeldOutAnswers(known.map { (scored[$0], truth[$0]) }, calibration)
    calibration.falseRejectionRate =
      Share(
        right: heldOut.known.rejected, of: heldOut.known.photos
      ).accuracy
    calibration.unknownVisits = fit.completion.novelty == nil ? nil : novelty?.unknownVisits
    self.calibration = calibration
    self.fit = fit
    self.novelty = novelty
  }

  /// - Parameter row: The row of the out-of-fold logits.
  func probabilities(_ logits: [Float], row: Int) -> [Double] {
    fit.probabilities(logits, score: novelty?.heldOut[row])
  }

  struct Scored {
    let probabilities: [Double]
    let names: Labels

    init(_ fit: ProbabilityFit, _ logits: [Float], _ score: Double?) {
      (probabilities, names) = (fit.probabilities(logits, score: score), fit.names)
    }
  }

  /// The probabilities of each photo, with temperature and thresholds fitted to the other folds.
  private static func scored(
    _ nested: Nested, _ truth: [Int], _ novelty: NoveltyScores?,
    fit: ([[Float]], [Int], NoveltyScores?) -> ProbabilityFit
  ) -> [Scored] {
    let fits = Dictionary(
      uniqueKeysWithValues: Set(nested.folds).map { fold in
        let others = nested.folds.indices.filter { nested.folds[$0] != fold }
        return (
          fold,
          fit(
            others.map(nested.logits.row), others.map { truth[$0] },
            novelty?.selecting(heldOut: others))
        )
      })
    return nested.folds.enumerated().compactMap { row, fold in
      fits[fold].map { Scored($0, nested.logits.row(row), novelty?.heldOut[row]) }
    }
  }

  private static func estimateErrors(
    _ scored: [Scored], _ truth: [Int], _ names: Labels, _ known: [Int], _ sessions: [Int],
    in calibration: inout Calibration
  ) {
    let buildings = Set(names.buildings)
    // Drawn images are easier to reject than real photos and would make the estimate too optimistic.
    let others = scored.indices.filter {
      !buildings.contains(truth[$0]) && !DrawnPhotos.labels.contains(names.names[truth[$0]])
    }
    if !others.isEmpty {
      calibration.notBuildings = ErrorCurve(
        wrong: others.map { DecisionRule.odds(scored[$0].probabilities, scored[$0].names) },
        sessions: others.map { sessions[$0] })
    }
    guard !known.isEmpty else { return }
    calibration.wrongNames = ErrorCurve(
      wrong: known.map { row in
        let probabilities = scored[row].probabilities
        let best = names.buildings.max { probabilities[$0] < probabilities[$1] }
        return best == truth[row]
          ? nil : best.map { DecisionRule.share(of: $0, probabilities, names) }
      }, sessions: known.map { sessions[$0] })
  }
}

/// Counts the answers to held-out photos of the model's buildings.
package struct HeldOutAnswers: Sendable {
  /// The answers at the default error rate.
  package let known: Evaluation.VerdictCounts
  /// The same at each error rate of ``strictRates``, which then also covers photos of unknown buildings.
  package let strict: [Evaluation.VerdictCounts]
  /// The same as ``known`` for each building.
  package var byBuilding: [String: Evaluation.VerdictCounts] = [:]
  /// The photos that get no name only because of ``Thresholds/leastShare``, at the default error rate, and the number
  /// of them whose first guess is right.
  package var belowShare = (photos: 0, right: 0)

  /// The error rates that `cupola train` suggests.
  package static let strictRates = [0.05, 0.1, 0.2]
}

extension HeldOutAnswers {
  init(_ photos: [(CalibrationFit.Scored, truth: Int)], _ calibration: Calibration) {
    typealias Outcome = (reason: Recognition.Reason, isRight: Bool)
    func outcomes(_ point: Thresholds) -> [Outcome] {
      photos.map { photo, truth in
        let outcome = DecisionRule(labels: photo.names, point: point).outcome(photo.probabilities)
        return (outcome.reason, outcome.ranked.first == truth)
      }
    }
    func counts(_ outcomes: [Outcome]) -> Evaluation.VerdictCounts {
      Evaluation.VerdictCounts(outcomes.map { ($0.reason.verdict, $0.isRight) })
    }
    let usual = outcomes(Thresholds(calibration))
    known = counts(usual)
    byBuilding = Dictionary(grouping: zip(photos, usual)) { $0.0.0.names.names[$0.0.truth] }
      .mapValues { pairs in counts(pairs.map { $0.1 }) }
    let below = usual.filter { outcome in
      switch outcome.reason {
      case .tooClose, .unfamiliar: true
      default: false
      }
    }
    belowShare = (below.count, below.count(where: \.isRight))
    strict = Self.strictRates.map { counts(outcomes(Thresholds(calibration, maximumError: $0))) }
  }
}

extension CalibrationFit {
  init?(_ search: SettingsSearch, _ input: SettingsSearch.Input, seed: UInt64) async {
    guard let trial = search.chosen else { return nil }
    var generator = SplitMix64(seed: seed)
    let unknown =
      LeaveBuildingsOut.isWanted(in: input)
      ? await LeaveBuildingsOut(
        input, search.span.coordinates, search.settings, using: &generator) : nil
    let novelty = await NoveltyScores(
      search, input,
      excluding: unknown?.parts ?? LeaveBuildingsOut.parts(input, input.names.buildings))
    self.init(
      logits: trial.logits, truth: search.photos.map { input.labels[$0] },
      names: input.names, sessions: input.sessions(of: search.photos), nested: search.nested,
      unknown: unknown?.logits, unknownSessions: unknown.flatMap { input.sessions(of: $0.photos) },
      novelty: novelty,
      usualTemperature: type(of: input.features.trainable).usualTemperature)
  }
}

/// The logits of building photos from fits that exclude their building, like those of unknown buildings.
struct LeaveBuildingsOut: Sendable {
  let logits: Matrix
  let photos: [Int]
  /// The buildings that each fit excludes, in the order of the rows.
  let parts: [Set<Int>]

  /// The maximum number of fits; if there are more buildings, each fit excludes several.
  static let mostFits = 5
  private static let absent: Float = -1e9

  init(
    _ input: SettingsSearch.Input, _ coordinates: Coordinates, _ settings: ClassifierSettings,
    using generator: inout SplitMix64
  ) async {
    let parts = Self.parts(input, generator.shuffled(input.names.buildings))
    self.parts = parts
    let atOnce = CrossValidation.fitsAtOnce(coordinates, [settings], threads: input.threads)
    photos = parts.flatMap { Self.photos(of: $0, in: input) }
    let found = await parallelMap(parts, threads: atOnce) { out in
      Self.logits(leaving: out, input, coordinates, settings)
    }
    logits = Matrix(
      rows: found.reduce(0) { $0 + $1.rows }, columns: input.names.names.count,
      values: found.flatMap(\.values))
  }

  /// Whether to fit a threshold against unknown buildings, even if no fit can exclude a building.
  static func isWanted(in input: SettingsSearch.Input) -> Bool {
    input.canChoose && type(of: input.features.trainable).areLearned
      && !input.names.buildings.isEmpty && input.names.names.count > 2
  }

  static func units(of input: SettingsSearch.Input) -> Int {
    guard isWanted(in: input) else { return 0 }
    return parts(input, input.names.buildings).count * input.scale.unitsOfFit
  }

  /// The buildings that each fit excludes; at least one building always remains.
  static func parts(
    _ input: SettingsSearch.Input, _ buildings: [Int]
  ) -> [Set<Int>] {
    let count = min(buildings.count, mostFits)
    let parts = (0..<count).map { part in
      Set(buildings.indices.filter { $0 % count == part }.map { buildings[$0] })
    }.filter { input.names.names.count - $0.count > 1 && $0.count < buildings.count }
    guard input.scale == .bounded else { return parts }
    var kept: [Set<Int>] = []
    var photos = 0
    for part in parts where photos < TrainingScale.enoughHeldOut {
      kept.append(part)
      photos += input.labels.count(where: part.contains)
    }
    return kept
  }

  private static func photos(of buildings: Set<Int>, in input: SettingsSearch.Input) -> [Int] {
    input.labels.indices.filter { buildings.contains(input.labels[$0]) }
  }

  private static func logits(
    leaving out: Set<Int>, _ input: SettingsSearch.Input, _ coordinates: Coordinates,
    _ settings: ClassifierSettings
  ) -> Matrix {
    // Remove the labels: fitting a label without examples would raise all other logits.
    let kept = input.names.names.indices.filter { !out.contains($0) }
    let place = kept.indexByElement
    let examples = LabeledExamples(
      source: coordinates, views: input.views, labels: input.labels.map { place[$0] ?? 0 },
      names: Labels(kept.map { input.names.names[$0] }), scale: input.scale,
      memory: input.memory)
    let photos = input.labels.indices
    let fit = examples.fits(
      [settings], to: photos.filter { !out.contains(input.labels[$0]) },
      isDone: input.isDone)[0]
    let found = fit.classifier.logits(
      ofRows: examples.tests(of: Self.photos(of: out, in: input)))
    var logits = Matrix(
      rows: found.rows, columns: input.names.names.count,
      values: [Float](repeating: absent, count: found.rows * input.names.names.count))
    for row in 0..<found.rows {
      for (column, label) in kept.enumerated() { logits[row, label] = found[row, column] }
    }
    return logits
  }
}
