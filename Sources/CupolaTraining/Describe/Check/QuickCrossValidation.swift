internal import Cupola

// 1. Shorten feature vectors, so that all photos fit in memory (`FeatureSketch`).
// 2. Cross-validate three times: keeping sessions together, keeping copies together, and with random folds.
// 3. Report photos whose label the classifier contradicts.

/// The accuracy of a quick classifier with grouped and random folds, and suspect labels.
package struct QuickCrossValidation: Sendable {
  package let photos: Int
  /// The accuracy with grouped folds, 0...1; an estimate for photos from another day.
  package let grouped: Double
  /// The accuracy with random folds, 0...1; inflated because similar photos are in different folds.
  package let random: Double
  let suspects: [Suspect]

  struct Suspect: Sendable {
    let photo: Int
    let label: String
    let probability: Double
  }

  private static let folds = 5
  /// A label is suspect if its probability is below this value and another label's is above `sure`.
  ///
  /// This found 83% of 96 planted wrong labels and reported less than 1% of the correct ones.
  private static let suspectProbability = 0.002
  private static let sure = 0.99
  /// The fraction of wrong labels that the temperature fit tolerates.
  private static let wrongLabelShare = 0.05
  private static let leastAccuracy = 0.7

  init?(
    of examples: Coordinates, labels known: [String], numbers: [Int], groups: [Int], copies: [Int],
    threads: Int
  ) async {
    let names = Labels(Set(known).sorted())
    guard names.names.count > 1, !names.buildings.isEmpty else { return nil }
    let index = names.names.indexByElement
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
        where: { names.buildings.contains(labels[$0]) })
    }
    let apart = folds(copies)
    let together = folds(groups)
    guard let grouped = await validate(few(together)),
      let dealt = await validate(
        scale == .full ? apart : apart.testing(TrainingScale.enoughHeldOut)),
      // Use the same number of folds and the same photos, so that both accuracies are comparable.
      let random = await validate(
        folds(Array(labels.indices), most: max(2, together.count))
          .testing(only: grouped.validation.photos))
    else { return nil }
    photos = grouped.validation.photos.count { names.buildings.contains(labels[$0]) }
    guard photos > 0 else { return nil }
    self.grouped = grouped.trial.accuracy
    self.random = random.trial.accuracy
    suspects =
      dealt.trial.accuracy < Self.leastAccuracy
      ? []
      : Self.suspects(
        among: labeled, in: apart, by: dealt.trial.classifiers, numbers: numbers,
        temperature: TemperatureScaling.temperature(
          logits: dealt.trial.logits, labels: dealt.validation.photos.map { labels[$0] },
          trimmed: Self.wrongLabelShare))
  }

  private typealias Trial = CrossValidation.Trial

  private static func suspects(
    among photos: LabeledExamples, in folds: Folds, by classifiers: [Classifier], numbers: [Int],
    temperature: Double
  ) -> [Suspect] {
    let labels = photos.labels
    var suspects: [Suspect] = []
    for (fold, classifier) in classifiers.enumerated() {
      let all = folds.photos(of: fold)
      // Process photos in blocks, because the memory for all logits grows with the square of the number of photos.
      for start in stride(from: 0, to: all.count, by: block) {
        let part = Array(all[start..<min(start + block, all.count)])
        let logits = classifier.logits(ofRows: photos.tests(of: part))
        for (row, photo) in part.enumerated() {
          let probabilities = Softmax.probabilities(logits.row(row), temperature: temperature)
          guard let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] }),
            probabilities[best] > sure, probabilities[labels[photo]] < suspectProbability
          else { continue }
          suspects.append(
            Suspect(
              photo: numbers[photo], label: photos.names.names[best],
              probability: probabilities[best]))
        }
      }
    }
    return suspects.sorted { ($1.probability, $0.photo) < ($0.probability, $1.photo) }
  }

  private static let block = 512
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
