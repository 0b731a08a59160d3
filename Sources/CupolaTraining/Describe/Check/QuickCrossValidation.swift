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
  /// Buildings whose photos cannot be held out, because they are too few or stay together; sorted.
  let notHeldOut: [String]

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
    func folds(_ groups: [Int], most: Int = Self.folds, seed: UInt64 = 0) -> Folds {
      var generator = SplitMix64(seed: seed)
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
    // Divide the photos twice, because the errors of one division depend on chance.
    var margins: [LabelMargins] = []
    var least = 1.0
    for seed: UInt64 in [0, 1] {
      let apart = folds(copies, seed: seed)
      let dealt = scale == .full ? apart : apart.testing(TrainingScale.enoughHeldOut)
      guard let trial = await validate(dealt)?.trial else { return nil }
      margins.append(LabelMargins(of: labeled, in: apart, by: trial.classifiers))
      least = min(least, trial.accuracy)
    }
    let heldOut = Set(together.tested.map { labels[$0] }).intersection(buildings)
    self.buildings = buildings.count
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
    suspects =
      least < Self.leastAccuracy
      ? []
      : WrongLabels.all(margins, of: examples, labels: labels, copies: copies).map {
        Suspect(
          photo: numbers[$0.photo], label: names.names[$0.label], nearest: numbers[$0.nearest])
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
