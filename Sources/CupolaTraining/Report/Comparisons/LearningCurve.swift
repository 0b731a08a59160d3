internal import Cupola

// Accuracy by number of training photos and by kind of split.
// 1. Compute the features of the training photos in the same way as the model.
// 2. Fit on 1, 2, 3, ... photos per building, and test on photos of held-out sessions.
// 3. Repeat with random folds to measure the effect of a random split (SplitComparison).

package struct LearningCurve: Sendable {
  package struct Point: Equatable, Sendable {
    package let photosPerBuilding: Int
    package let named: Share

    static let columns: [Column<Point>] =
      [.count("photos_per_building", "photos per building") { $0.photosPerBuilding }]
      + Share.columns.map { $0.of { $0.named } }
  }

  /// Empty if photos of too few buildings can be held out, if the settings cannot be fitted again, or if OpenBLAS is
  /// missing on Linux.
  package let points: [Point]
  package let splits: SplitComparison?

  /// Larger sets are reduced to this number of photos, evenly by building, to limit time and memory.
  static let mostPhotos = 400
  private static let sizes = [1, 2, 3, 5, 8, 12, 20, 32, 50, 80, 120, 200]

  init(of model: Model, photos: [LabeledPhoto], by refits: ReportRefits) async {
    guard let examples = await HeldOutExamples(of: model, photos: photos, by: refits) else {
      (points, splits) = ([], nil)
      return
    }
    var points: [Point] = []
    for size in examples.sizes(from: Self.sizes) {
      let asked = await examples.answers(size: size, threads: refits.threads)
      let named = Share(
        asked.map(\.isRight), sessions: asked.map { examples.sessions[$0.photo] })
      points.append(Point(photosPerBuilding: size, named: named))
    }
    self.points = points
    splits = await SplitComparison(of: examples, threads: refits.threads)
  }

  fileprivate static func canFit(as model: Model) -> Bool {
    let whitening = model.provenance.whitening ?? 1
    return model.recipe.canTrain && whitening > 0 && whitening <= 1
  }
}

extension LearningCurve {
  struct HeldOutExamples: Sendable {
    let examples: LabeledExamples
    var targets: [Int] { examples.labels }
    var folds: Folds
    let sessions: [Int]
    let settings: ClassifierSettings
    let seed: UInt64

    init?(of model: Model, photos: [LabeledPhoto], by refits: ReportRefits) async {
      let progress = refits.progress("learning curve", photos.count)
      guard canFit(as: model), (try? BLAS.load()) != nil else { return nil }
      let names = model.labels.buildings.map { model.labels.names[$0] }
      let index = names.indexByElement
      let chosen = photos.filter { index[$0.label] != nil }.thinned(byLabelTo: mostPhotos)
      // Extract features with the default color weight, as training does.
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
      sessions = groups
      folds = Folds(labels: targets, groups: groups, maximum: 5, using: &generator)
      let heldOut = Set(folds.tested.map { targets[$0] })
      guard names.count > 1, folds.count > 0,
        heldOut.count >= PhotoAmount.heldOutBuildings(of: names.count)
      else { return nil }
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

    /// The sizes below the largest number of photos that any building has in a fold, followed by that number.
    func sizes(from sizes: [Int]) -> [Int] {
      let counts = (0..<folds.count).flatMap { fold in
        Dictionary(grouping: learned(for: fold), by: { targets[$0] }).values.map(\.count)
      }
      let most = counts.max() ?? 0
      // Omit sizes close to the last one: they add no information, and their tick labels would overlap.
      return sizes.filter { 5 * $0 < 4 * most } + [most]
    }

    private func learned(for fold: Int) -> [Int] {
      targets.indices.filter { folds.assignment[$0] != fold }
    }

    /// Tests every held-out photo once, with fits on the given number of photos per building.
    func answers(size: Int, threads: Int) async -> [(photo: Int, isRight: Bool)] {
      await parallelMap(Array(0..<folds.count), threads: threads) { answers(in: $0, size: size) }
        .flatMap(\.self)
    }

    private func answers(in fold: Int, size: Int) -> [(photo: Int, isRight: Bool)] {
      let heldOut = targets.indices.filter { folds.assignment[$0] == fold }
      var generator = SplitMix64(seed: seed &+ UInt64(fold))
      let byLabel = Dictionary(grouping: learned(for: fold), by: { targets[$0] })
      // Use the same seed for each size, so that smaller samples are subsets of larger ones.
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

/// How much a random split overestimates accuracy: a classifier, cross-validated with grouped and with random folds.
///
/// Groups keep the photos of a session, burst or viewpoint, and all copies, together.
package struct SplitComparison: Equatable, Sendable {
  package let photos: Int
  /// The accuracy with grouped folds. Training measures another one, with its own folds and non-building photos.
  package let grouped: Share
  /// The accuracy with random folds, which leak similar photos into training.
  package let random: Share
  package let difference: Double
  package let mcnemar: McNemar

  init?(of examples: LearningCurve.HeldOutExamples, threads: Int) async {
    var dealt = examples
    var generator = SplitMix64(seed: examples.seed)
    // Use the same number of folds, so that both train on the same number of photos.
    dealt.folds = Folds(
      labels: examples.targets, groups: Array(examples.targets.indices),
      maximum: max(2, examples.folds.count), using: &generator)
    func answers(_ examples: LearningCurve.HeldOutExamples) async -> [Int: Bool] {
      let answers = await examples.answers(size: Int.max, threads: threads)
      return Dictionary(answers.map { ($0.photo, $0.isRight) }) { first, _ in first }
    }
    let (grouped, random) = (await answers(examples), await answers(dealt))
    // The order of the photos must not change the rounding errors.
    let both = grouped.keys.filter { random[$0] != nil }.sorted()
    guard !both.isEmpty else { return nil }
    let sessions = both.map { examples.sessions[$0] }
    let pairs = both.map { (first: random[$0] ?? false, second: grouped[$0] ?? false) }
    photos = both.count
    self.grouped = Share(pairs.map(\.second), sessions: sessions)
    self.random = Share(pairs.map(\.first), sessions: sessions)
    difference = (self.random.accuracy ?? 0) - (self.grouped.accuracy ?? 0)
    mcnemar = McNemar(pairs, sessions: sessions)
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

  /// States only the difference, because the accuracies are not those of the model.
  package var sentence: String { Self.sentence(difference, mcnemar) }

  static func sentence(_ difference: Double, _ test: McNemar) -> String {
    guard difference > 0 else {
      return "A random split of the training photos would not raise the accuracy."
    }
    let points = FigureText.decimal(100 * difference, digits: 1)
    return
      "A random split of the training photos would raise the accuracy by \(points) percentage points, "
      + (test.isClear
        ? "because training and test would share sessions."
        : "but this may be due to chance (\(test.equation)).")
  }
}
