internal import Cupola

// 1. Shorten feature vectors, so that all photos fit in memory (`FeatureSketch`).
// 2. Cross-validate: twice keeping copies together, then keeping sessions together, and with random folds.
// 3. Report photos whose label is probably wrong (`WrongLabels`).

/// The accuracy of a quick classifier with grouped and random folds, and suspect labels.
package struct QuickCrossValidation: Sendable {
  /// `nil` if training could not hold out photos of enough buildings either.
  package let accuracy: Accuracy?
  let suspects: [Suspect]
  let buildings: Int
  /// The number of photos of buildings.
  let photos: Int
  /// Buildings whose photos cannot be held out, because they are too few or stay together; sorted.
  let notHeldOut: [String]
  /// Those of several visits that similar photos or shared viewpoints join.
  var linked: [AutomaticSplit.Scarce] = []

  package struct Accuracy: Sendable {
    /// The first guesses with grouped folds; an estimate for photos from other sessions and viewpoints.
    package let grouped: Share
    /// The same with random folds; inflated because similar photos are in different folds.
    package let random: Share
  }

  /// A photo whose label may be wrong.
  struct Suspect: Sendable {
    let photo: Int
    let label: String
    /// The nearest photo of `label`.
    let nearest: Int
  }

  private static let folds = 5
  private static let leastAccuracy = 0.7

  init?(
    of examples: Coordinates, labels known: [String], numbers: [Int], groups: [Int], copies: [Int],
    threads: Int
  ) async {
    let names = Labels(Set(known).sorted())
    guard names.names.count > 1, !names.buildings.isEmpty else { return nil }
    let index = names.names.indexByElement
    let buildings = Set(names.buildings)
    let labels = known.compactMap { index[$0] }
    let labeled = LabeledExamples(
      source: examples,
      views: PhotoViews(counts: labels.map { _ in 1 }, testView: 0),
      labels: labels, names: names)
    let scale = TrainingScale(photos: labels.count)
    func folds(_ groups: [Int], most: Int = Self.folds) -> Folds {
      var generator = SplitMix64(seed: 0)
      return Folds(labels: labels, groups: groups, maximum: most, using: &generator)
    }
    func validate(_ folds: Folds) async -> (validation: CrossValidation, trial: Trial)? {
      let validation = await CrossValidation(
        labeled, folds: folds, settings: [scale.quickSettings], threads: threads)
      return validation.trials.first.map { (validation, $0) }
    }
    // In large sets, compute accuracy and temperature on a sample, but check every label.
    func few(_ folds: Folds) -> Folds {
      guard scale == .bounded else { return folds }
      return folds.first(
        holding: TrainingScale.enoughHeldOut, least: 1,
        where: { buildings.contains(labels[$0]) })
    }
    let together = folds(groups).representative(of: names.buildings, labels: labels)
    let heldOut = Set(together.tested.map { labels[$0] }).intersection(buildings)
    self.buildings = buildings.count
    photos = labels.count { buildings.contains($0) }
    notHeldOut = buildings.subtracting(heldOut).map { names.names[$0] }.sorted()
    let grouped = heldOut.isEmpty ? nil : await validate(few(together))
    // Use the same number of folds and the same photos, to make both accuracies comparable.
    let random =
      if let grouped {
        await validate(
          folds(Array(labels.indices), most: max(2, together.count))
            .testing(only: grouped.validation.photos))
      } else { nil as (validation: CrossValidation, trial: Trial)? }
    if let grouped, let random {
      self.accuracy = Accuracy(grouped: grouped.trial.share, random: random.trial.share)
    } else {
      self.accuracy = nil
    }
    suspects = await Self.suspects(
      of: examples, labels: known, numbers: numbers, copies: copies, threads: threads)
  }

  /// Compares only photos of buildings, so that the suspects are the same with and without non-building photos.
  private static func suspects(
    of examples: Coordinates, labels known: [String], numbers: [Int], copies: [Int], threads: Int
  ) async -> [Suspect] {
    let shown = known.indices.filter { !Labels.isBackground(known[$0]) }
    let names = Labels(Set(shown.map { known[$0] }).sorted())
    guard names.names.count > 1 else { return [] }
    let index = names.names.indexByElement
    let labels = shown.compactMap { index[known[$0]] }
    let labeled = LabeledExamples(
      source: Coordinates(examples.selecting(rows: shown)),
      views: PhotoViews(counts: labels.map { _ in 1 }, testView: 0), labels: labels, names: names)
    let scale = TrainingScale(photos: labels.count)
    // Divide the photos twice, because the errors of one division depend on chance.
    var margins: [LabelMargins] = []
    for seed: UInt64 in [0, 1] {
      var generator = SplitMix64(seed: seed)
      let apart = Folds(
        labels: labels, groups: shown.map { copies[$0] }, maximum: folds, using: &generator)
      let dealt = scale == .full ? apart : apart.testing(TrainingScale.enoughHeldOut)
      let validation = await CrossValidation(
        labeled, folds: dealt, settings: [scale.quickSettings], threads: threads)
      guard let trial = validation.trials.first, trial.accuracy >= leastAccuracy else { return [] }
      margins.append(LabelMargins(of: labeled, in: apart, by: trial.classifiers))
    }
    return WrongLabels.all(
      margins, of: labeled.source, labels: labels, copies: shown.map { copies[$0] }
    ).map { found in
      Suspect(
        photo: numbers[shown[found.photo]], label: names.names[found.label],
        nearest: numbers[shown[found.nearest]])
    }
  }

  private typealias Trial = CrossValidation.Trial
}

extension TrainingScale {
  /// The settings of a quick classifier; for large sets, its cost does not grow with the number of labels.
  fileprivate var quickSettings: ClassifierSettings {
    self == .full
      ? ClassifierSettings(whitening: 0.3, regularization: 10) : .retrieval(colorWeight: nil)
  }
}

/// Shortens feature vectors, approximately keeping inner products (count sketch, Charikar et al. 2002).
struct FeatureSketch: Sendable {
  let size: Int
  private let place: [Int32]
  private let sign: [Float]

  private static let room = 10_000_000
  private static let least = 768

  init(values: Int, photos: Int) {
    size = min(values, max(Self.least, Self.room / max(1, photos)))
    guard size < values else {
      (place, sign) = ([], [])
      return
    }
    var generator = SplitMix64(seed: 0x5EED)
    var (place, sign): ([Int32], [Float]) = ([], [])
    for _ in 0..<values {
      let bits = generator.next()
      place.append(Int32(bits % UInt64(size)))
      sign.append(bits >> 63 == 0 ? 1 : -1)
    }
    self.place = place
    self.sign = sign
  }

  func applied(to values: [Float]) -> [Float] {
    guard !place.isEmpty else { return values }
    precondition(values.count == place.count, "\(values.count) values, \(place.count) expected")
    var sums = [Float](repeating: 0, count: size)
    for index in values.indices { sums[Int(place[index])] += sign[index] * values[index] }
    return sums
  }
}
