internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Choose views of the training photos, evenly over labels (`NoveltyViews`).
// 2. Express some of them in their span, whiten them within labels, and project them randomly (`NoveltyFit`).
// 3. Score held-out photos with fits that exclude them (`NoveltyScores`).
// 4. Fit the logistic function of the score (`NoveltyRule`).

/// Fits the space of a ``NoveltyDetector``.
struct NoveltyFit {
  /// The shrinkage of the within-class covariance.
  static let shrinkage = 0.1
  /// On koe and notredame, 256 to 512 dimensions had an AUROC 0.01 to 0.04 below that of all dimensions. With 320, a
  /// model of 40 buildings is smaller than 10 MB.
  static let dimensions = 320
  private static let seed: UInt64 = 0x0DD_B0A7

  /// Projects the columns of the examples; one row per dimension.
  let projection: LinearClassifier

  /// - Parameter labels: The labels of the examples.
  init(_ examples: ExampleRows, labels: [Int], names: Labels, threads: Int) async {
    let span = await ExampleSpan(of: examples, threads: threads)
    let inner = span.coordinates.selecting(rows: Array(0..<examples.rows))
    let buildings = Set(names.buildings)
    // All backgrounds are one class, because they differ more within a class than buildings do.
    let whitening = Whitening(
      examples: inner, classes: labels.map { buildings.contains($0) ? $0 : names.names.count },
      shrinkage: Self.shrinkage)
    let random = Self.random(whitening.examples)
    projection = span.classifier(from: whitening.classifier(from: random), over: examples)
  }

  /// Returns the scores of photos; see ``NoveltyDetector/score(_:labels:)``.
  func scores(
    of features: Matrix, among views: ExampleRows, labels: [Int], names: Labels
  ) -> [Double] {
    let products = BLAS.product(
      Self.units(projection.logits(ofRows: features)), Self.directions(of: views, projection),
      transposeB: true)
    let buildings = Set(names.buildings)
    return (0..<products.rows).map { row in
      let own = products.values.span.extracting(products.range(ofRow: row))
      var (building, background): (Float?, Float?)
      for view in labels.indices {
        if buildings.contains(labels[view]) {
          building = max(building ?? own[view], own[view])
        } else {
          background = max(background ?? own[view], own[view])
        }
      }
      let score = Double((building ?? -1) - (background ?? 0))
      return score.isFinite ? score : 0
    }
  }

  /// Returns the detector for a projection over features; `nil` if the photos do not differ, so that nothing can be
  /// projected.
  ///
  /// - Parameters:
  ///   - views: The views to store, ordered by label.
  ///   - names: The labels of the model.
  func detector(
    _ rule: NoveltyRule, storing views: ExampleRows, labels: [Int], names: Labels
  ) -> NoveltyDetector? {
    guard projection.weights.values.allSatisfy(\.isFinite), rule.isFinite,
      projection.biases.allSatisfy(\.isFinite)
    else { return nil }
    let rounded = NibbleMatrix(projection.weights)
    let directions = Self.directions(
      of: views, LinearClassifier(weights: rounded.matrix, biases: projection.biases))
    var starts = [0]
    for label in names.names.indices {
      starts.append(starts[label] + labels.count { $0 == label })
    }
    return NoveltyDetector(
      projection: rounded, offsets: projection.biases, views: Int8Weights(directions).values,
      starts: starts, intercept: rule.intercept, slope: rule.slope)
  }

  /// Random signs (Achlioptas 2003), with the mean of the examples as the origin.
  private static func random(_ examples: Matrix) -> LinearClassifier {
    var generator = SplitMix64(seed: seed)
    let scale = 1 / Float(dimensions).squareRoot()
    let signs = Matrix(
      rows: dimensions, columns: examples.columns,
      values: (0..<dimensions * examples.columns).map { _ in
        generator.next() >> 63 == 0 ? scale : -scale
      })
    var mean = [Float](repeating: 0, count: examples.columns)
    for row in 0..<examples.rows {
      VectorMath.add(examples.row(row), times: 1 / Float(max(1, examples.rows)), to: &mean)
    }
    let offset = BLAS.product(
      Matrix(rows: 1, columns: mean.count, values: mean), signs, transposeB: true)
    return LinearClassifier(weights: signs, biases: offset.values.map { -$0 })
  }

  private static func directions(of views: ExampleRows, _ projection: LinearClassifier) -> Matrix {
    var all = Matrix(rows: 0, columns: projection.biases.count)
    for rows in views.rowBlocks {
      let part = units(projection.logits(ofRows: views.matrix(rows: rows)))
      all = Matrix(
        rows: all.rows + part.rows, columns: all.columns, values: all.values + part.values)
    }
    return all
  }

  private static func units(_ matrix: Matrix) -> Matrix {
    Matrix(
      rows: matrix.rows, columns: matrix.columns,
      values: (0..<matrix.rows).flatMap { VectorMath.unit(matrix.row($0)) })
  }
}

/// The views that a detector is fitted to and those that it stores.
struct NoveltyViews {
  /// On koe and notredame, 1,024 views were as accurate. The cost grows with their cube.
  private static let mostFitted = 1_536
  /// The limit for fits that only score held-out photos.
  private static let mostToScore = 1_024
  private static let mostStored = 2_048
  private static let mostBytes = 256 << 20
  let fitted: [Int]
  let fittedLabels: [Int]
  let stored: [Int]
  let storedLabels: [Int]

  /// - Parameter photos: The training photos.
  init(_ input: SettingsSearch.Input, photos: [Int], onlyScores: Bool) {
    (fitted, fittedLabels) = Self.chosen(
      onlyScores ? Self.mostToScore : Self.mostFitted, input, photos)
    (stored, storedLabels) = Self.chosen(Self.mostStored, input, photos)
  }

  /// The number of fits that can run at the same time within the memory limit.
  static func fitsAtOnce(columns: Int, threads: Int) -> Int {
    let bytes = MemoryLayout<Float>.size * columns * (2 * mostFitted + mostStored)
    return max(1, min(threads, mostBytes / max(1, bytes)))
  }

  /// Chooses rows, ordered by label: at most a third of them are backgrounds, the rest is shared evenly by the buildings.
  private static func chosen(
    _ most: Int, _ input: SettingsSearch.Input, _ photos: [Int]
  ) -> (rows: [Int], labels: [Int]) {
    let byLabel = Dictionary(grouping: photos) { input.labels[$0] }
    let names = input.names
    // Drawings are unlike photos of unknown buildings, so they only stand in for missing photos.
    let photographed = names.backgrounds.filter { !DrawnPhotos.labels.contains(names.names[$0]) }
    let backgrounds = (photographed.isEmpty ? names.backgrounds : photographed).filter {
      byLabel[$0] != nil
    }
    func count(_ labels: [Int]) -> Int {
      labels.reduce(0) { sum, label in
        sum + (byLabel[label] ?? []).reduce(0) { $0 + input.views.rows(of: $1).count }
      }
    }
    let others = min(count(backgrounds), most / 3)
    var chosen: [(label: Int, rows: [Int])] = []
    for (labels, budget) in [(names.buildings, most - others), (backgrounds, others)] {
      var (left, waiting) = (budget, labels.filter { byLabel[$0] != nil })
      waiting.sort { (count([$0]), $0) < (count([$1]), $1) }
      while let label = waiting.first {
        let rows = Self.rows(of: byLabel[label] ?? [], most: left / waiting.count, input.views)
        chosen.append((label, rows))
        left -= rows.count
        waiting.removeFirst()
      }
    }
    chosen.sort { $0.label < $1.label }
    return (
      chosen.flatMap(\.rows), chosen.flatMap { [Int](repeating: $0.label, count: $0.rows.count) }
    )
  }

  /// Chooses the test view of as many photos as possible first, and then further views.
  private static func rows(of photos: [Int], most: Int, _ views: PhotoViews) -> [Int] {
    guard photos.count < most else { return photos.sampled(to: most).map(views.testRow) }
    let first = photos.map(views.testRow)
    let kept = Set(first)
    let longest = photos.map { views.rows(of: $0).count }.max() ?? 0
    let others = (0..<longest).flatMap { view in
      photos.compactMap { photo in
        let rows = views.rows(of: photo)
        return view < rows.count ? rows.lowerBound + view : nil
      }
    }.filter { !kept.contains($0) }
    return Array((first + others).prefix(most))
  }
}

extension NoveltyFit {
  /// Returns the scores of held-out photos from a fit in the space of the search's coordinates.
  static func scores(
    of tested: [Int], training photos: [Int], _ input: SettingsSearch.Input,
    _ coordinates: Coordinates
  ) async -> [Double] {
    let views = NoveltyViews(input, photos: photos, onlyScores: true)
    func rows(_ chosen: [Int]) -> ExampleRows {
      let matrix = coordinates.selecting(rows: chosen)
      return ExampleRows(
        [SafeTensors.Tensor(floats: matrix.values, shape: [matrix.rows, matrix.columns])],
        columns: matrix.columns)
    }
    let fit = await NoveltyFit(
      rows(views.fitted), labels: views.fittedLabels, names: input.names, threads: 1)
    return fit.scores(
      of: coordinates.selecting(rows: tested.map(input.views.testRow)),
      among: rows(views.stored), labels: views.storedLabels, names: input.names)
  }

  /// Fits the detector of a model to all training photos.
  static func detector(
    _ input: SettingsSearch.Input, _ examples: ExampleRows, rule: NoveltyRule, names: Labels
  ) async -> NoveltyDetector? {
    let views = NoveltyViews(
      input, photos: Array(input.labels.indices), onlyScores: false)
    let fit = await NoveltyFit(
      examples.selecting(rows: views.fitted), labels: views.fittedLabels, names: input.names,
      threads: input.threads)
    return fit.detector(
      rule, storing: examples.selecting(rows: views.stored), labels: views.storedLabels,
      names: names)
  }
}

/// The novelty scores of held-out photos, from fits that exclude them.
struct NoveltyScores: Sendable {
  /// The scores of ``SettingsSearch/photos``, from fits that exclude their session.
  var heldOut: [Double]
  /// The scores of photos whose building was excluded.
  let unknown: [Double]
  /// The rule that separates known from unknown photos; `nil` if no photo of a building was held out.
  ///
  /// The known photos are scored by fits that exclude a fifth of each building's photos. Fits that exclude sessions would
  /// set the threshold too low, because a building often has only two or three of them, and the model is trained with
  /// all.
  let rule: NoveltyRule?
  let unknownVisits: Double

  func selecting(heldOut rows: [Int]) -> NoveltyScores {
    var selected = self
    selected.heldOut = rows.map { heldOut[$0] }
    return selected
  }
}

extension NoveltyScores {
  private static let knownFolds = 5

  private struct Task: Sendable {
    let training: [Int]
    let tested: [Int]
  }

  /// - Parameter parts: The buildings that each fit excludes.
  init?(
    _ search: SettingsSearch, _ input: SettingsSearch.Input, excluding parts: [Set<Int>]
  ) async {
    guard let visits = input.unknownVisits, search.settings.classifier == .softmax,
      // Without background views, there is nothing to compare buildings with.
      !input.names.backgrounds.isEmpty,
      type(of: input.features.trainable).areLearned
    else { return nil }
    let (labels, assignment) = (input.labels, input.folds.assignment)
    let folds = Set(search.photos.compactMap { assignment[$0] }).sorted()
    let sessions = folds.map { fold in
      Task(
        training: labels.indices.filter { assignment[$0] != fold },
        tested: search.photos.filter { assignment[$0] == fold })
    }
    let tasks = [
      sessions, Self.fifths(of: input),
      parts.map { out in
        Task(
          training: labels.indices.filter { !out.contains(labels[$0]) },
          tested: labels.indices.filter { out.contains(labels[$0]) })
      },
    ]
    let coordinates = search.span.coordinates
    let atOnce = NoveltyViews.fitsAtOnce(columns: coordinates.columns, threads: input.threads)
    let scores = await parallelMap(tasks.flatMap(\.self), threads: atOnce) { task in
      await NoveltyFit.scores(of: task.tested, training: task.training, input, coordinates)
    }
    var ofPhoto: [Int: Double] = [:]
    for (task, own) in zip(sessions, scores) {
      for (photo, score) in zip(task.tested, own) { ofPhoto[photo] = score }
    }
    let rest = scores.dropFirst(sessions.count)
    let unknown = rest.dropFirst(tasks[1].count).flatMap(\.self)
    self.init(
      heldOut: search.photos.map { ofPhoto[$0] ?? 0 }, unknown: unknown,
      rule: NoveltyRule(
        known: rest.prefix(tasks[1].count).flatMap(\.self), unknown: unknown,
        unknownVisits: visits), unknownVisits: visits)
  }

  /// Excludes every fifth photo of each building in turn; buildings with one photo are never excluded.
  private static func fifths(of input: SettingsSearch.Input) -> [Task] {
    let buildings = Set(input.names.buildings)
    var number: [Int: Int] = [:]
    let counts = Dictionary(grouping: input.labels) { $0 }.mapValues(\.count)
    let fold = input.labels.map { label -> Int? in
      guard buildings.contains(label), counts[label, default: 0] > 1 else { return nil }
      defer { number[label, default: 0] += 1 }
      return number[label, default: 0] % knownFolds
    }
    return (0..<knownFolds).compactMap { part in
      let tested = fold.indices.filter { fold[$0] == part }
      guard !tested.isEmpty else { return nil }
      return Task(training: fold.indices.filter { fold[$0] != part }, tested: tested)
    }
  }
}

/// The logistic function that turns a score into the log odds that the building is known.
struct NoveltyRule: Equatable, Sendable {
  let intercept: Double
  let slope: Double

  /// The fraction of known photos that the threshold may reject.
  private static let budget = 0.05
  /// The lowest threshold, and the one without photos of unknown buildings.
  ///
  /// With few sessions, the fit is uncertain, and visitors' photos are less like the training photos than held-out ones.
  private static let leastThreshold = 0.05
  private static let usualThreshold = 0.1
  private static let usualSlope = 20.0
  private static let slopes = 5.0...60

  var isFinite: Bool { intercept.isFinite && slope.isFinite }

  func logOdds(_ score: Double) -> Double { intercept + slope * score }

  /// Fits the function to held-out photos. It is 0 where rejecting costs as much as naming, within limits.
  ///
  /// - Parameters:
  ///   - known: Scores of photos whose building was trained.
  ///   - unknown: Scores of photos whose building was excluded from training.
  ///   - unknownVisits: The fraction of visits to unknown buildings.
  init?(known: [Double], unknown: [Double], unknownVisits: Double) {
    guard !known.isEmpty else { return nil }
    let limit = known.sorted()[Int(Self.budget * Double(known.count))].nextDown
    func threshold(_ fitted: Double) -> Double {
      max(min(fitted, limit), Self.leastThreshold)
    }
    guard !unknown.isEmpty else {
      slope = Self.usualSlope
      intercept = -slope * threshold(Self.usualThreshold)
      return
    }
    let (fitted, offset) = Self.logistic(
      known.map { ($0, true, (1 - unknownVisits) / Double(known.count)) }
        + unknown.map { ($0, false, unknownVisits / Double(unknown.count)) })
    (slope, intercept) = (fitted, -fitted * threshold(-offset / fitted))
  }

  /// Weighted logistic regression with one variable, by Newton's method.
  private static func logistic(
    _ samples: [(score: Double, isKnown: Bool, weight: Double)]
  ) -> (slope: Double, intercept: Double) {
    // A weak prior keeps the slope finite if the scores are separable.
    let (prior, center) = (1e-6, usualSlope)
    var (slope, intercept) = (center, 0.0)
    for _ in 0..<50 {
      var (g0, g1) = (0.0, prior * (slope - center))
      var (h00, h01, h11) = (1e-9, 0.0, prior)
      for sample in samples {
        let p = 1 / (1 + exp(-(intercept + slope * sample.score)))
        let error = sample.weight * (p - (sample.isKnown ? 1 : 0))
        let curvature = sample.weight * p * (1 - p)
        g0 += error
        g1 += error * sample.score
        h00 += curvature
        h01 += curvature * sample.score
        h11 += curvature * sample.score * sample.score
      }
      let determinant = h00 * h11 - h01 * h01
      guard determinant > 1e-18 else { break }
      let steps = ((h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant)
      let scale = min(1, 10 / max(abs(steps.1), 1e-9), 5 / max(abs(steps.0), 1e-9))
      intercept -= scale * steps.0
      slope -= scale * steps.1
      if abs(steps.0) + abs(steps.1) < 1e-9 { break }
    }
    let kept = min(max(slope, slopes.lowerBound), slopes.upperBound)
    // Keep the boundary if the slope is clamped.
    return (kept, slope > 0 ? intercept * kept / slope : intercept)
  }
}
