internal import Cupola

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
