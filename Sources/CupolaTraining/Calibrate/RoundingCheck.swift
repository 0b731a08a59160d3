internal import Cupola

/// Finds what rounding the weights changes, on photos that the fits did not see.
struct RoundingCheck: Sendable {
  let span: ExampleSpan
  /// The features themselves, one row a photo and view.
  let examples: ExampleRows
  let problem: SettingsSearch.Problem
  /// Of each fold, fitted to all others, over the span's coordinates.
  let fits: [LinearClassifier]
  /// What makes a fit what the model has.
  let completion: FitCompletion

  /// The formats that round.
  static let formats = WeightFormat.allCases.filter { $0 != .float32 }

  /// So many photos at a time.
  private static let blockPhotos = 128

  /// Asks exact and rounded classifiers about the photos of the fold that they have not seen.
  ///
  /// - Parameter model: how logits become answers.
  /// - Returns: counts by format; empty when no photo can be held out.
  func changes(of model: Model) async -> [WeightFormat: Provenance.Rounding] {
    guard !fits.isEmpty else { return [:] }
    let classifiers = overFeatures()
    let parts = await parallelMap(Array(fits.indices), threads: problem.threads) { fold in
      let exact = completion.completed(classifiers[fold])
      return Self.formats.map { compare(exact, exact.rounded(to: $0), fold: fold, of: model) }
    }
    var changes: [WeightFormat: Provenance.Rounding] = [:]
    for (index, format) in Self.formats.enumerated() {
      changes[format] = parts.map { $0[index] }.reduce(
        Provenance.Rounding(asked: 0, changed: 0, ofBuildings: 0, rightBefore: 0, rightAfter: 0),
        +)
    }
    return changes
  }

  /// All photos that were held out; of many so many as tell enough.
  private var asked: [Int] {
    let all = problem.folds.tested
    return problem.scale == .full ? all : all.sampled(to: TrainingScale.enoughRounded)
  }

  /// The fits as classifiers of features, all found at once: what it takes is large.
  private func overFeatures() -> [LinearClassifier] {
    let labels = problem.names.names.count
    let weights = Matrix(
      rows: fits.count * labels, columns: fits[0].weights.columns,
      values: fits.flatMap(\.weights.values))
    let all = span.classifier(
      from: LinearClassifier(weights: weights, biases: fits.flatMap(\.biases)), over: examples)
    return fits.indices.map { fold in
      let rows = Array(fold * labels..<(fold + 1) * labels)
      return LinearClassifier(
        weights: all.weights.selecting(rows: rows), biases: rows.map { all.biases[$0] })
    }
  }

  private func compare(
    _ exact: LinearClassifier, _ rounded: LinearClassifier, fold: Int, of model: Model
  ) -> Provenance.Rounding {
    let buildings = problem.names.buildings
    func best(_ logits: [Float]) -> Int? { buildings.max { logits[$0] < logits[$1] } }
    let heldOut = asked.filter { problem.folds.assignment[$0] == fold }
    let answers = stride(from: 0, to: heldOut.count, by: Self.blockPhotos).flatMap { start in
      let photos = Array(heldOut[start..<min(start + Self.blockPhotos, heldOut.count)])
      let features = Matrix(
        rows: photos.count, columns: examples.columns,
        values: photos.flatMap { examples.row(problem.views.testRow(of: $0)) })
      let (before, after) = (exact.logits(ofRows: features), rounded.logits(ofRows: features))
      return photos.enumerated().map { row, photo in
        (before.row(row), after.row(row), truth: problem.labels[photo])
      }
    }
    let known = answers.filter { buildings.contains($0.truth) }
    return Provenance.Rounding(
      asked: heldOut.count,
      changed: answers.count { model.building(logits: $0.0) != model.building(logits: $0.1) },
      ofBuildings: known.count, rightBefore: known.count { best($0.0) == $0.truth },
      rightAfter: known.count { best($0.1) == $0.truth })
  }
}

extension Provenance.Rounding {
  fileprivate static func + (a: Self, b: Self) -> Self {
    Self(
      asked: a.asked + b.asked, changed: a.changed + b.changed,
      ofBuildings: a.ofBuildings + b.ofBuildings, rightBefore: a.rightBefore + b.rightBefore,
      rightAfter: a.rightAfter + b.rightAfter)
  }
}

extension Trainer {
  /// Where the model comes from.
  func provenance(
    _ table: FeatureTable, _ settings: ClassifierSettings, _ recall: [String: Provenance.Recall]
  ) -> Provenance {
    var hash = SHA256()
    for row in table.rows {
      hash.update(Array("\(row.photo.label)\n\(row.digest)\n".utf8))
    }
    let source = Provenance.Source(dataDigest: hash.hexadecimal(), seed: seed)
    let digests = Dictionary(grouping: table.rows, by: \.photo.label)
      .mapValues { $0.map(\.digest) }
    let thumbnails = Dictionary(grouping: table.rows, by: \.photo.label)
      .mapValues { $0.compactMap(\.thumbnail) }
    let hashes = thumbnails.mapValues { PhotoHashes($0.map { PerceptualHash($0).hexadecimal }) }
    let middles = thumbnails.mapValues {
      PhotoHashes($0.compactMap { CropSearch.middle(of: $0)?.hexadecimal })
    }
    return Provenance(
      version: cupolaVersion, dataDigest: source.dataDigest, photos: digests.mapValues(\.count),
      photoDigests: digests.mapValues(PhotoDigests.init), photoHashes: hashes,
      photoMiddles: middles, captureDays: table.captureDays, seed: seed,
      regularization: settings.regularization, isRegularizationGiven: regularization != nil,
      whitening: settings.whitening, kernel: BLAS.kernel,
      featuresSource: featuresSource(besides: source), recall: recall)
  }

  private func featuresSource(besides own: Provenance.Source) -> Provenance.Source? {
    guard type(of: recipe.features.trainable).areLearned, let before = base?.provenance else {
      return nil
    }
    let source =
      before.featuresSource
      ?? Provenance.Source(dataDigest: before.dataDigest, seed: before.seed)
    return source == own ? nil : source
  }
}

extension FeatureTable {
  /// Of each building whose photos tell.
  var captureDays: [String: Int] {
    let photos = rows.filter { !Labels.isBackground($0.photo.label) }
    return Dictionary(grouping: photos, by: \.photo.label).compactMapValues { rows in
      CaptureTime.days(rows.map(\.metadata.capture))
    }
  }

  /// Photos whose EXIF block is damaged; they were used all the same.
  var faults: [String] {
    rows.filter { !$0.metadata.faults.isEmpty }.map(\.photo.name)
  }
}
