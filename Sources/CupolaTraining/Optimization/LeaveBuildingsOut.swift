internal import Cupola

/// What photos get from fits that never saw their building: how a campus' other buildings, those
/// without photos, will look to the model.
struct LeaveBuildingsOut: Sendable {
  /// Photos x labels; those of buildings that were left out with a photo's own are far below all.
  let logits: Matrix

  /// At most so many fits; with more buildings several are left out of one.
  static let mostFits = 5
  /// No logit of a fit is as low.
  private static let absent: Float = -1e9

  /// - Parameters:
  ///   - coordinates: a row a photo and view.
  ///   - settings: what the model is fitted with.
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

  /// How much that is, as it is told to ``SettingsSearch/Problem/isDone``; 0 where it is not done.
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
