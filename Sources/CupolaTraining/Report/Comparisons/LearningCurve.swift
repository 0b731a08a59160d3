internal import Cupola

// Accuracy by the number of training photos, and by the way they are divided.
// 1. Features of the training photos, as the model makes them.
// 2. Fits to 1, 2, 3, ... photos of each building; a photo is asked of a fit without its session.
// 3. The same photos by random folds: what a random split would flatter (SplitComparison).

package struct LearningCurve: Sendable {
  package struct Point: Equatable, Sendable {
    package let photosPerBuilding: Int
    package let named: Share

    static let columns: [Column<Point>] =
      [.count("photos_per_building", "photos per building") { $0.photosPerBuilding }]
      + Share.columns.map { $0.of { $0.named } }
  }

  /// From few photos to all; none when no photo can be held out, or no fit can be made as the model's was, or without
  /// OpenBLAS on Linux.
  package let points: [Point]
  /// The same photos by random folds; `nil` when no photo can be held out.
  package let splits: SplitComparison?

  /// More photos than this are thinned out, building by building, so that time and memory are bounded.
  static let mostPhotos = 400
  private static let sizes = [1, 2, 3, 5, 8, 12, 20, 32, 50, 80, 120, 200]

  init(of model: Model, photos: [LabeledPhoto], by refits: ReportRefits) async {
    guard let problem = await Problem(of: model, photos: photos, by: refits) else {
      (points, splits) = ([], nil)
      return
    }
    var points: [Point] = []
    for size in problem.sizes(from: Self.sizes) {
      let asked = await problem.answers(size: size, threads: refits.threads)
      let named = Share(right: asked.count { $0.isRight }, of: asked.count)
      points.append(Point(photosPerBuilding: size, named: named))
    }
    self.points = points
    splits = await SplitComparison(of: problem, threads: refits.threads)
  }

  /// Whether the recipe and the settings that a model's file tells are those of a training.
  fileprivate static func canFit(as model: Model) -> Bool {
    let whitening = model.provenance.whitening ?? 1
    return model.recipe.canTrain && whitening > 0 && whitening <= 1
  }
}

extension LearningCurve {
  /// Held-out photos, and what may be learned from for each.
  struct Problem: Sendable {
    let examples: LabeledExamples
    var targets: [Int] { examples.labels }
    var folds: Folds
    let settings: ClassifierSettings
    let seed: UInt64

    init?(of model: Model, photos: [LabeledPhoto], by refits: ReportRefits) async {
      let progress = refits.progress("learning curve", photos.count)
      guard canFit(as: model), (try? BLAS.load()) != nil else { return nil }
      let names = model.labels.buildings.map { model.labels.names[$0] }
      let index = names.indexByElement
      let chosen = photos.filter { index[$0.label] != nil }.thinned(byLabelTo: mostPhotos)
      // As the training keeps features: with the usual weight of color.
      let extractor = model.extractor.weighing(color: model.recipe.features.usualWeight)
      var usual = model.recipe
      usual.features = extractor.settings
      let source = FeatureSource(
        recipe: usual, extractor: extractor, decoder: refits.decoder, cache: refits.cache)
      let table = await FeatureTable(
        chosen, source: source, threads: refits.threads, progress: progress)
      let targets = table.rows.compactMap { index[$0.photo.label] }
      seed = model.provenance.seed
      var generator = SplitMix64(seed: seed)
      let groups = await Grouping.groups(of: table.rows.map(\.traits), threads: refits.threads)
      folds = Folds(labels: targets, groups: groups, maximum: 5, using: &generator)
      guard names.count > 1, folds.count > 0 else { return nil }
      let recipe = model.recipe
      var settings = ClassifierSettings(
        whitening: model.provenance.whitening, regularization: model.provenance.regularization,
        colorWeight: recipe.colorWeight,
        smoothing: type(of: recipe.features.trainable).labelSmoothing)
      settings.classifier = model.classifierKind
      self.settings = settings
      var rows = table.examples(recipe)
      if let usual = recipe.features.usualWeight, let weight = recipe.colorWeight {
        rows = recipe.features.trainable.reweighted(rows, from: usual, to: weight)
      }
      examples = LabeledExamples(
        source: await ExampleSpan(of: rows, threads: refits.threads).coordinates,
        views: table.views(recipe), labels: targets, names: Labels(names))
    }

    /// Those below the number of photos that the building with the most learns from, and that number.
    func sizes(from sizes: [Int]) -> [Int] {
      let counts = (0..<folds.count).flatMap { fold in
        Dictionary(grouping: learned(for: fold), by: { targets[$0] }).values.map(\.count)
      }
      let most = counts.max() ?? 0
      // One near the last would say the same, and its number stand in the way.
      return sizes.filter { 5 * $0 < 4 * most } + [most]
    }

    private func learned(for fold: Int) -> [Int] {
      targets.indices.filter { folds.assignment[$0] != fold }
    }

    /// The photos that are held out once, and whether each is named right by so many of each building.
    func answers(size: Int, threads: Int) async -> [(photo: Int, isRight: Bool)] {
      await parallelMap(Array(0..<folds.count), threads: threads) { answers(in: $0, size: size) }
        .flatMap(\.self)
    }

    private func answers(in fold: Int, size: Int) -> [(photo: Int, isRight: Bool)] {
      let heldOut = targets.indices.filter { folds.assignment[$0] == fold }
      var generator = SplitMix64(seed: seed &+ UInt64(fold))
      let byLabel = Dictionary(grouping: learned(for: fold), by: { targets[$0] })
      // Drawn anew in the same order for each size: a larger size has all that a smaller one had.
      let drawn = byLabel.keys.sorted().flatMap { label in
        generator.shuffled(byLabel[label] ?? []).prefix(size)
      }
      let fit = examples.fits([settings], to: drawn)[0]
      let logits = fit.classifier.logits(ofRows: examples.tests(of: heldOut))
      let buildings = examples.names.buildings
      return heldOut.enumerated().map { row, photo in
        (photo, buildings.max { logits[row, $0] < logits[row, $1] } == targets[photo])
      }
    }
  }
}

/// How much better a model would seem on a random split: the same classifier fitted out of fold twice,
/// once with photos of a session, burst, viewpoint and all copies kept together, once dealt at random.
package struct SplitComparison: Equatable, Sendable {
  package let photos: Int
  /// With groups kept together: what to expect of photos of another day.
  package let grouped: Share
  /// Dealt at random: what leaks would make of it.
  package let random: Share
  /// By how much the random split flatters: its share less the other, -1...1.
  package let difference: Double
  /// Whether that is more than chance: photos that only the random split's fits name right come first.
  package let mcnemar: McNemar

  init?(of problem: LearningCurve.Problem, threads: Int) async {
    var dealt = problem
    var generator = SplitMix64(seed: problem.seed)
    // As many, so that both learn from as many photos.
    dealt.folds = Folds(
      labels: problem.targets, groups: Array(problem.targets.indices),
      maximum: max(2, problem.folds.count), using: &generator)
    // By all that a fold may learn from.
    func answers(_ problem: LearningCurve.Problem) async -> [Int: Bool] {
      let answers = await problem.answers(size: Int.max, threads: threads)
      return Dictionary(answers.map { ($0.photo, $0.isRight) }) { first, _ in first }
    }
    let (grouped, random) = (await answers(problem), await answers(dealt))
    let both = grouped.keys.filter { random[$0] != nil }
    guard !both.isEmpty else { return nil }
    func count(_ isCounted: (_ grouped: Bool, _ random: Bool) -> Bool) -> Int {
      both.count { isCounted(grouped[$0] ?? false, random[$0] ?? false) }
    }
    photos = both.count
    self.grouped = Share(right: count { grouped, _ in grouped }, of: photos)
    self.random = Share(right: count { _, random in random }, of: photos)
    difference = (self.random.accuracy ?? 0) - (self.grouped.accuracy ?? 0)
    mcnemar = McNemar(
      onlyFirst: count { grouped, random in random && !grouped },
      onlySecond: count { grouped, random in grouped && !random })
  }

  var json: JSONObject {
    func json(_ share: Share) -> JSONObject? {
      Table([share], Share.columns).without("photos").json[0]
    }
    return [
      "photos": photos, "grouped": json(grouped), "random": json(random), "difference": difference,
      "mcnemar": mcnemar.json,
    ]
  }

  package var sentence: String {
    let (own, other) = (FigureText.percent(grouped.accuracy), FigureText.percent(random.accuracy))
    return
      "Of \(FigureText.count(photos, "training photo")), fits that saw none of their session name \(own) "
      + "right; on a random split it would be \(other), \(FigureText.points(difference)) points "
      + (difference < 0 ? "less." : "more.")
  }
}
