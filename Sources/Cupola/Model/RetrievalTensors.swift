/// A retrieval classifier as tensors of a model file.
enum RetrievalTensors {
  /// What of it stands in the file's metadata.
  struct Shape: Codable, Equatable {
    /// How much nearer views count.
    let concentration: Float
    /// Remembered photos of each label.
    let photos: [Int]
    /// Views of each photo.
    let views: Int
  }

  private static let projection = "retrieval.projection"
  private static let offset = "retrieval.offset"
  private static let centroids = "retrieval.centroids"
  private static let codes = "retrieval.codes"
  private static let biases = "retrieval.bias"

  static func shape(of classifier: RetrievalClassifier) -> Shape {
    Shape(
      concentration: classifier.concentration,
      photos: classifier.biases.indices.map {
        classifier.views(of: $0).count / classifier.viewsPerPhoto
      }, views: classifier.viewsPerPhoto)
  }

  static func tensors(of classifier: RetrievalClassifier) -> [String: SafeTensors.Tensor] {
    let (weights, quantizer) = (classifier.projection.weights, classifier.quantizer)
    return [
      projection: .init(halves: weights.values, shape: [weights.rows, weights.columns]),
      offset: .init(floats: classifier.projection.biases, shape: [weights.rows]),
      centroids: .init(
        floats: quantizer.values.values,
        shape: [quantizer.parts, quantizer.centroids, quantizer.values.columns]),
      codes: .init(
        type: "U8", shape: [classifier.views, quantizer.parts], bytes: classifier.codes),
      biases: .init(floats: classifier.biases, shape: [classifier.biases.count]),
    ]
  }

  /// - Throws: ``CupolaError/badModel(_:)`` when a tensor is missing, or does not fit the others.
  static func classifier(
    in file: SafeTensors, _ shape: Shape, labels: Int, features: Int
  ) throws -> RetrievalClassifier {
    let quantizer = try quantizer(in: file)
    let dimensions = quantizer.dimensions
    guard shape.photos.count == labels, shape.views > 0,
      shape.photos.allSatisfy({ (0...mostPhotos).contains($0) }), shape.views <= mostViews,
      shape.concentration > 0, shape.concentration <= mostConcentration
    else { throw CupolaError.badModel(.inconsistent("its photos do not fit its labels")) }
    var starts = [0]
    for photos in shape.photos { starts.append(starts[starts.count - 1] + photos * shape.views) }
    let weights = try ModelFile.floats(
      projection, in: file, shape: [dimensions, features], types: ["F16"])
    let codes = try ModelFile.tensor(
      codes, in: file, shape: [starts[labels], quantizer.parts], types: ["U8"])
    guard codes.bytes.allSatisfy({ $0 < quantizer.centroids }) else {
      throw CupolaError.badModel(.inconsistent("its codes name centroids that it does not have"))
    }
    return RetrievalClassifier(
      projection: LinearClassifier(
        weights: Matrix(rows: dimensions, columns: features, values: weights),
        biases: try ModelFile.floats(offset, in: file, shape: [dimensions])),
      quantizer: quantizer, codes: codes.bytes, starts: starts, viewsPerPhoto: shape.views,
      concentration: shape.concentration,
      biases: try ModelFile.floats(biases, in: file, shape: [labels]))
  }

  /// No model has as many: products of them stay numbers.
  private static let mostPhotos = 1 << 24
  private static let mostViews = 64
  /// Of codes: a picture takes a kilobyte for each, which in a file may be a few bytes.
  private static let mostParts = 4096
  private static let mostConcentration: Float = 10_000
  /// Centroids are means of parts of vectors of length 1.
  private static let mostCentroid: Float = 4

  private static func quantizer(in file: SafeTensors) throws -> ProductQuantizer {
    guard let tensor = file.tensors[centroids] else {
      throw CupolaError.badModel(.missing("tensor \(centroids)"))
    }
    guard tensor.shape.count == 3, tensor.shape.allSatisfy({ $0 > 0 }),
      tensor.shape[0] <= mostParts, tensor.shape[1] <= ProductQuantizer.mostCentroids
    else { throw CupolaError.badModel(.badShape(tensor: centroids)) }
    let values = try ModelFile.floats(
      centroids, in: file, shape: tensor.shape, within: mostCentroid)
    return ProductQuantizer(
      parts: tensor.shape[0],
      values: Matrix(
        rows: tensor.shape[0] * tensor.shape[1], columns: tensor.shape[2], values: values))
  }
}
