internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Compute a direction for each building from the views of its photos (`NoveltyFit`).
// 2. Score held-out photos with directions that exclude them (`NoveltyScores`).
// 3. Fit the logistic function of the score (`NoveltyRule`).

enum NoveltyFit {
  /// With fewer buildings, their mean is too near to each of them, so backgrounds count as another building.
  private static let leastBuildings = 3
  private static let blockRows = 256

  /// Returns one unit vector per building that has photos, in the order of the labels.
  ///
  /// - Parameters:
  ///   - photos: The training photos.
  ///   - examples: Returns the examples in the given rows.
  static func directions(
    of photos: [Int], _ input: SettingsSearch.Input, columns: Int, examples: ([Int]) -> Matrix
  ) -> Matrix {
    let byLabel = Dictionary(grouping: photos) { input.labels[$0] }
    func mean(_ labels: [Int]) -> [Float]? {
      let rows = labels.flatMap { byLabel[$0] ?? [] }.flatMap(input.views.rows)
      return rows.isEmpty ? nil : Self.mean(of: rows, columns: columns, examples: examples)
    }
    let means = input.names.buildings.compactMap { mean([$0]) }
    let background = means.count < leastBuildings ? mean(input.names.backgrounds) : nil
    let centers = means + [background].compactMap(\.self)
    var center = [Float](repeating: 0, count: columns)
    for own in centers { VectorMath.add(own, times: 1 / Float(centers.count), to: &center) }
    var directions = Matrix(rows: means.count, columns: columns)
    for (row, own) in means.enumerated() {
      var direction = own
      VectorMath.add(center, times: -1, to: &direction)
      directions.values.replaceSubrange(
        directions.range(ofRow: row), with: VectorMath.unit(direction))
    }
    return directions
  }

  private static func mean(
    of rows: [Int], columns: Int, examples: ([Int]) -> Matrix
  ) -> [Float] {
    var mean = [Float](repeating: 0, count: columns)
    for start in stride(from: 0, to: rows.count, by: blockRows) {
      let block = examples(Array(rows[start..<min(start + blockRows, rows.count)]))
      for row in 0..<block.rows {
        VectorMath.add(block.row(row), times: 1 / Float(rows.count), to: &mean)
      }
    }
    return mean
  }

  /// Returns the scores of held-out photos from directions in the space of the search's coordinates.
  static func scores(
    of tested: [Int], training photos: [Int], _ input: SettingsSearch.Input,
    _ coordinates: Coordinates
  ) -> [Double] {
    let directions = directions(
      of: photos, input, columns: coordinates.columns, examples: coordinates.selecting(rows:))
    guard directions.rows > 0 else { return tested.map { _ in 0 } }
    let products = BLAS.product(
      coordinates.selecting(rows: tested.map(input.views.testRow)), directions, transposeB: true)
    return (0..<products.rows).map { Double(products.row($0).max() ?? 0) }
  }

  /// Fits the detector of a model to all training photos; `nil` if the photos do not differ.
  static func detector(
    _ input: SettingsSearch.Input, _ examples: ExampleRows, rule: NoveltyRule
  ) -> NoveltyDetector? {
    let directions = directions(
      of: Array(input.labels.indices), input, columns: examples.columns
    ) { examples.selecting(rows: $0).all }
    guard rule.isFinite, directions.values.allSatisfy(\.isFinite),
      directions.values.contains(where: { $0 != 0 })
    else { return nil }
    return NoveltyDetector(
      directions: directions, intercept: rule.intercept, slope: rule.slope)
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
      // Without backgrounds, a single building has no direction.
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
    let scores = await parallelMap(tasks.flatMap(\.self), threads: input.threads) { task in
      NoveltyFit.scores(of: task.tested, training: task.training, input, coordinates)
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
  /// The fraction of unknown photos that the threshold accepts if as many visits are to known as to unknown buildings.
  ///
  /// The threshold depends on unknown photos, because their scores differ less between training and test: known photos
  /// of visitors score 0.66 (koe) to 1.13 times (poznan) as high as held-out ones.
  private static let accepted = 0.1
  private static let leastThreshold = 0.04
  /// The threshold without photos of unknown buildings.
  private static let usualThreshold = 0.07
  private static let usualSlope = 50.0
  private static let slopes = 20.0...150

  var isFinite: Bool { intercept.isFinite && slope.isFinite }

  func logOdds(_ score: Double) -> Double { intercept + slope * score }

  /// Fits the function to held-out photos. It is 0 at the score that only a small fraction of unknown photos exceeds.
  ///
  /// - Parameters:
  ///   - known: Scores of photos whose building was trained.
  ///   - unknown: Scores of photos whose building was excluded from training.
  ///   - unknownVisits: The fraction of visits to unknown buildings.
  init?(known: [Double], unknown: [Double], unknownVisits: Double) {
    guard !known.isEmpty else { return nil }
    let limit = known.sorted()[Int(Self.budget * Double(known.count))].nextDown
    guard !unknown.isEmpty else {
      slope = Self.usualSlope
      intercept = -slope * max(min(Self.usualThreshold, limit), Self.leastThreshold)
      return
    }
    let odds = (1 - unknownVisits) / max(unknownVisits, .leastNormalMagnitude)
    let passing = Int(min(Self.accepted * odds, 1) * Double(unknown.count))
    let wanted = unknown.sorted()[max(unknown.count - 1 - passing, 0)]
    let threshold = max(min(wanted, limit), Self.leastThreshold)
    slope = Self.slope(
      known.map { ($0, true, (1 - unknownVisits) / Double(known.count)) }
        + unknown.map { ($0, false, unknownVisits / Double(unknown.count)) })
    intercept = -slope * threshold
  }

  /// The slope of a weighted logistic regression with one variable, by Newton's method.
  private static func slope(
    _ samples: [(score: Double, isKnown: Bool, weight: Double)]
  ) -> Double {
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
    return min(max(slope, slopes.lowerBound), slopes.upperBound)
  }
}
