import CupolaTestSupport

@testable import Cupola

/// Random retrieval classifiers, and a handmade model that gives the sample model's answers.
enum SampleRetrieval {
  static func classifier(
    features: Int = 20, parts: Int = 3, photos: [Int]
  ) -> RetrievalClassifier {
    let (centroids, width, views) = (7, 4, 2)
    var generator = SplitMix64(seed: 1)
    func matrix(_ rows: Int, _ columns: Int) -> Matrix {
      SampleFisher.matrix(rows, columns, in: -1...1, seed: generator.next())
    }
    let dimensions = parts * width
    let starts = photos.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1 * views) }
    return RetrievalClassifier(
      projection: LinearClassifier(
        weights: matrix(dimensions, features), biases: matrix(1, dimensions).values),
      quantizer: ProductQuantizer(parts: parts, values: matrix(parts * centroids, width)),
      codes: (0..<parts * (starts.last ?? 0)).map { _ in UInt8(generator.below(centroids)) },
      starts: starts, viewsPerPhoto: views, concentration: 24,
      biases: matrix(1, photos.count).values)
  }

  /// The sample model as a retrieval model with one photo per label.
  static func model(campus: [UInt8]? = GeoJSONText.lima) throws -> Model {
    var model = try SampleModel.model(campus: campus, leastShare: 0.5)
    let subjects: [SampleModel.Subject] = [.hall, .tower, .slanting]
    let features = try subjects.map {
      try model.extractor.features(
        of: model.recipe.prepare(SampleModel.picture($0), geometry: model.recipe.geometry))
    }
    // Each photo has its own direction.
    let weights = Matrix(
      rows: 4, columns: model.recipe.featureCount,
      values: features.flatMap(\.self)
        + [Float](repeating: 0, count: model.recipe.featureCount))
    let projection = LinearClassifier(weights: weights.halved, biases: [0, 0, 0, 0])
    let vectors = features.map { VectorMath.unit(projection.logits($0)) }
    model.classifier = .retrieval(
      RetrievalClassifier(
        projection: projection,
        quantizer: ProductQuantizer(
          parts: 1, values: Matrix(rows: 3, columns: 4, values: vectors.flatMap(\.self))),
        codes: [0, 1, 2], starts: [0, 1, 2, 3], viewsPerPhoto: 1, concentration: 24,
        biases: [0, 0, 0]))
    model.weightFormat = .ofRetrieval
    model.provenance.photos = ["hall": 1, "tower": 1, "_slanting": 1]
    model.provenance.photoDigests = [
      "hall": PhotoDigests(sha256: [String(repeating: "a", count: 64)]),
      "tower": PhotoDigests(sha256: [String(repeating: "b", count: 64)]),
      "_slanting": PhotoDigests(sha256: [String(repeating: "c", count: 64)]),
    ]
    return model
  }
}
