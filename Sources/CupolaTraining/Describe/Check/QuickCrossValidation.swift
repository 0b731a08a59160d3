internal import Cupola

// 1. `FeatureSketch` shortens feature vectors so that all photos fit into memory.
// 2. Three cross-validations keep sessions, copies, or nothing together.
// 3. Photos whose label a classifier rejects are suspects.

/// How well a quick classifier names photos that it has not seen, divided in two ways, and which
/// labels it does not believe.
package struct QuickCrossValidation: Sendable {
  package let photos: Int
  /// Share named right with groups kept together, 0...1: what to expect of photos of another day.
  package let grouped: Double
  /// Share named right when photos are dealt at random: what leaks would make of it.
  package let random: Double
  let suspects: [Suspect]

  struct Suspect: Sendable {
    let photo: Int
    let label: String
    let probability: Double
  }

  private static let folds = 5
  /// A label is not believed when the classifier gives it less and another one more.
  ///
  /// Of 96 wrong labels planted among real photos 83 % were so, of right ones fewer than 1 %.
  private static let leastBelief = 0.002
  private static let sure = 0.99
  /// So many labels may be wrong without making the others less sure.
  private static let mostWrong = 0.05
  /// A classifier that names fewer of them right says nothing about labels.
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
    // Of many photos some tell how many are named right, and with which temperature; each label is looked at.
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
      // In as many folds, so that both learn from as many photos, and of the same photos.
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
          trimmed: Self.mostWrong))
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
      // In blocks, because logits of all photos would grow with the square of their number.
      for start in stride(from: 0, to: all.count, by: block) {
        let part = Array(all[start..<min(start + block, all.count)])
        let logits = classifier.logits(ofRows: photos.tests(of: part))
        for (row, photo) in part.enumerated() {
          let probabilities = Softmax.probabilities(logits.row(row), temperature: temperature)
          guard let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] }),
            probabilities[best] > sure, probabilities[labels[photo]] < leastBelief
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
  /// What names photos well enough to doubt labels by: of many photos what does not cost more with every label.
  fileprivate var quickSettings: ClassifierSettings {
    self == .full
      ? ClassifierSettings(whitening: 0.3, regularization: 10) : .retrieval(colorWeight: nil)
  }
}

/// Makes long feature vectors short, keeping their inner products about as they are (count sketch,
/// Charikar et al. 2002): each value is added to or taken from one of the sums. Few photos keep all values.
struct FeatureSketch: Sendable {
  let size: Int
  private let place: [Int32]
  private let sign: [Float]

  /// All sketches of a data set together have about so many values, so that memory is bounded;
  private static let room = 10_000_000
  /// but each at least so many, or it tells too little.
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
