internal import Crypto
internal import Cupola

/// The feature vectors of many photos, and what was learned about the photos on the way.
struct FeatureTable: Sendable {
  /// One a photo that could be used.
  struct Row: Sendable {
    let photo: LabelledPhoto
    /// SHA-256 of the file.
    let digest: String
    let metadata: PhotoMetadata
    /// One feature vector a training geometry, in the recipe's order.
    let features: [[Float]]
  }

  let rows: [Row]
  let skipped: [SkippedFile]

  /// Reads and describes all photos; what fails is listed and left out.
  init(
    _ photos: [LabelledPhoto], recipe: Recipe, extractor: FeatureExtractor, decoder: PhotoDecoder,
    threads: Int,
    progress: (@Sendable (Int) -> Void)?
  ) async {
    let results = await parallelMap(photos, threads: threads, progress: progress) { photo in
      FeatureTable.describe(photo, recipe, extractor, decoder)
    }
    rows = results.compactMap { try? $0.get() }
    skipped = zip(photos, results).compactMap { photo, result in
      guard case .failure(let error) = result else { return nil }
      return SkippedFile(name: photo.name, reason: .unusable(error))
    }
  }

  private static func describe(
    _ photo: LabelledPhoto, _ recipe: Recipe, _ extractor: FeatureExtractor,
    _ decoder: PhotoDecoder
  ) -> Result<Row, CupolaError> {
    do throws(CupolaError) {
      return .success(try row(of: photo, recipe, extractor, decoder))
    } catch {
      return .failure(error)
    }
  }

  private static func row(
    of photo: LabelledPhoto, _ recipe: Recipe, _ extractor: FeatureExtractor,
    _ decoder: PhotoDecoder
  ) throws(CupolaError) -> Row {
    let bytes = try FileAccess.read(photo.path, limit: decoder.limits.bytes)
    let metadata = try decoder.metadata(of: bytes)
    let image = try recipe.decode(bytes, with: decoder)
    var features: [[Float]] = []
    for geometry in recipe.trainingGeometries {
      let input = recipe.prepare(image, geometry: geometry)
      features.append(try extractor.features(of: input))
    }
    return Row(
      photo: photo, digest: SHA256.hash(data: bytes).hexadecimal, metadata: metadata,
      features: features)
  }
}
