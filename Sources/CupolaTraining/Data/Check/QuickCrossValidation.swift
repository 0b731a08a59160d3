internal import Cupola

/// How well a quick classifier names photos that it has not seen, divided in two ways, and which
/// labels it does not believe.
public struct QuickCrossValidation: Sendable {
  /// Photos of buildings that were held out, with groups kept together.
  public let photos: Int
  /// Share named right with groups kept together: what to expect of photos of another day.
  public let grouped: Double
  /// Share named right when photos are dealt at random: what leaks would make of it.
  public let random: Double
  /// Photos whose label the classifier does not believe, the surest first.
  let suspects: [Suspect]

  struct Suspect: Sendable {
    let photo: Int
    /// What the classifier takes it for, and how sure it is.
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

  /// - Parameters:
  ///   - examples: a row a photo.
  ///   - groups: photos that are never parted.
  ///   - numbers: of the photos, by which suspects are named.
  ///   - copies: copies of one another, which must not vouch for each other's label.
  /// - Returns: `nil` when no photos can be held out.
  init?(
    of examples: Coordinates, labels known: [String], numbers: [Int], groups: [Int], copies: [Int],
    threads: Int
  ) async {
    let names = Labels(Set(known).sorted())
    guard names.names.count > 1, !names.buildings.isEmpty else { return nil }
    let index = Dictionary(uniqueKeysWithValues: names.names.enumerated().map { ($1, $0) })
    let labels = known.compactMap { index[$0] }
    let labeled = LabeledExamples(
      source: examples,
      views: PhotoViews(counts: labels.map { _ in 1 }, testView: 0),
      labels: labels, names: names)
    let scale = TrainingScale(photos: labels.count)
    func validate(_ groups: [Int], asksAll: Bool = false) async -> (
      validation: CrossValidation, trial: CrossValidation.Trial
    )? {
      var generator = SplitMix64(seed: 0)
      var folds = Folds(labels: labels, groups: groups, maximum: Self.folds, using: &generator)
      if scale == .bounded, !asksAll {
        folds = folds.first(
          holding: TrainingScale.enoughHeldOut, least: 1,
          where: { names.buildings.contains(labels[$0]) })
      }
      let validation = await CrossValidation(
        labeled, folds: folds, settings: [scale.quickSettings], threads: threads)
      return validation.trials.first.map { (validation, $0) }
    }
    // Of many photos some tell how many are named right; each label is looked at.
    guard let grouped = await validate(groups), let dealt = await validate(copies, asksAll: true),
      let random = await validate(Array(labels.indices))
    else { return nil }
    photos = grouped.validation.photos.count { names.buildings.contains(labels[$0]) }
    self.grouped = grouped.trial.accuracy
    self.random = random.trial.accuracy
    suspects =
      dealt.trial.accuracy < Self.leastAccuracy
      ? []
      : Self.suspects(
        dealt.trial, of: dealt.validation, labels: labels, names: names, numbers: numbers)
  }

  private static func suspects(
    _ trial: CrossValidation.Trial, of validation: CrossValidation, labels: [Int],
    names: Labels, numbers: [Int]
  ) -> [Suspect] {
    let temperature = TemperatureScaling.temperature(
      logits: trial.logits, labels: validation.photos.map { labels[$0] }, trimmed: mostWrong)
    let suspects = validation.photos.enumerated().compactMap { row, photo -> Suspect? in
      let logits = trial.logits.row(row)
      let probabilities = Softmax.probabilities(logits, temperature: temperature)
      guard let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] }),
        probabilities[best] > sure, probabilities[labels[photo]] < leastBelief
      else { return nil }
      return Suspect(
        photo: numbers[photo], label: names.names[best], probability: probabilities[best])
    }
    return suspects.sorted { ($1.probability, $0.photo) < ($0.probability, $1.photo) }
  }
}

extension TrainingScale {
  /// What names photos well enough to doubt labels by: of many photos what does not cost more with every label.
  fileprivate var quickSettings: ClassifierSettings {
    self == .full
      ? ClassifierSettings(whitening: 0.3, regularization: 10) : .retrieval(colorWeight: nil)
  }
}
