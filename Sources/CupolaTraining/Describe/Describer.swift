package import Cupola
internal import DrawnPictures

/// Photos and what their features are.
struct DescribedPhotos: Sendable {
  let table: FeatureTable
  /// With the usual weight of color.
  let extractor: FeatureExtractor
  let scale: TrainingScale
  /// All that the features depend on but the photos.
  let identity: [String]
}

extension Trainer {
  /// Learns what the features need, and describes all photos.
  func described(
    _ photos: [LabeledPhoto], _ steps: StepProgress
  ) async throws -> DescribedPhotos {
    let all = photos + (usesDrawnNegatives ? try DrawnPhotos.all() : [])
    // Before any photo is read: nothing can be learned from one label.
    _ = try Self.labels(all.map(\.label))
    try recipe.checkTraining()
    let scale = scale(for: photos.count)
    // Whatever weight was chosen before or is asked for: the search starts from the usual one, and the
    // cache serves all.
    let isLearned = steps.begin(.learningFeatures, of: 1)
    let extractor = try await extractor(for: photos)
      .weighing(color: recipe.features.usualWeight)
    isLearned(1)
    let source = FeatureSource(
      recipe: recipe(of: extractor), extractor: extractor, decoder: decoder, cache: cache,
      views: scale.views)
    let isDescribed = steps.begin(.describingPhotos, of: all.count)
    let table = await FeatureTable(
      all, source: source, keepsInFiles: scale == .bounded, threads: threads,
      progress: { _ in isDescribed(1) })
    // Drawn ones can always be used.
    guard table.rows.contains(where: { !DrawnPhotos.labels.contains($0.photo.label) }) else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    cache?.trim(sparing: all.count)
    return DescribedPhotos(
      table: table, extractor: extractor, scale: scale, identity: source.identity)
  }

  /// - Parameter photos: how many are given.
  func scale(for photos: Int) -> TrainingScale {
    scale ?? TrainingScale(photos: photos + drawnNegatives)
  }

  func extractor(for photos: [LabeledPhoto]) async throws -> FeatureExtractor {
    if let base { return base.extractor }
    let sample = TrainingSample(
      photos: photos, recipe: recipe, decoder: decoder, seed: seed, threads: threads, cache: cache)
    guard let learned = await recipe.features.extractor(for: sample) else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    return learned
  }
}

/// Pictures of things that are no buildings, drawn by Cupola for those who have few or none.
///
/// They make two background labels of their own. With them, a model trained without any other background
/// refuses most of what is no building, and one trained with few kinds of it refuses other kinds.
package enum DrawnPhotos {
  /// The label of those of things on a campus: lawns, paths, cars, people, desks.
  package static let label = "_drawn"
  /// The label of those of landscapes: mountains, sea, forest, meadows, ice, clouds.
  package static let landscapeLabel = "_drawn_landscape"
  /// Both.
  package static let labels: Set = [label, landscapeLabel]
  /// How many there are.
  package static let count = DrawnPictures.photoCount

  /// All of them: always the same.
  static func all() throws -> [LabeledPhoto] {
    try DrawnPictures.photos().enumerated().map { index, bytes in
      let label = index < DrawnPictures.thingCount ? label : landscapeLabel
      let name = label + "/\(index + 1)"
      return LabeledPhoto(
        path: name, name: name, label: label, split: .train, group: nil, contents: bytes)
    }
  }
}

extension Labels {
  /// Whether photos of no buildings trained, not only drawn ones.
  package var knowPhotosOfNoBuildings: Bool {
    trainedBackgrounds.contains { !DrawnPhotos.labels.contains(names[$0]) }
  }
}
