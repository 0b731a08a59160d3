// Convert learned parameters to and from tensors, and check types, shapes, and bounds:
// 1. Linear classifiers.
// 2. Retrieval classifiers.
// 3. Novelty detectors.
// 4. Fisher features.

package enum ClassifierTensors {
  private static let weights = "classifier.weight"
  private static let biases = "classifier.bias"
  private static let scales = "classifier.scale"

  package static func tensors(
    of classifier: LinearClassifier, as format: WeightFormat
  ) -> [String: SafeTensors.Tensor] {
    let matrix = classifier.weights
    let shape = [matrix.rows, matrix.columns]
    var tensors = [
      biases: SafeTensors.Tensor(floats: classifier.biases, shape: [classifier.biases.count])
    ]
    switch format {
    case .float32: tensors[weights] = .init(floats: matrix.values, shape: shape)
    case .float16: tensors[weights] = .init(halves: matrix.halved.values, shape: shape)
    case .int8:
      let rounded = Int8Weights(matrix)
      tensors[weights] = .init(int8s: rounded.values, shape: shape)
      tensors[scales] = .init(floats: rounded.scales, shape: [matrix.rows])
    }
    return tensors
  }

  static func classifier(
    in file: SafeTensors, as format: WeightFormat, labels: Int, features: Int
  ) throws -> LinearClassifier {
    let classifier = try unbounded(in: file, as: format, labels: labels, features: features)
    try ModelBounds.check(classifier, weights)
    return classifier
  }

  private static func unbounded(
    in file: SafeTensors, as format: WeightFormat, labels: Int, features: Int
  ) throws -> LinearClassifier {
    let biases = try ModelFile.floats(biases, in: file, shape: [labels])
    let shape = [labels, features]
    switch format {
    case .float32, .float16:
      let types = [format == .float32 ? "F32" : "F16"]
      let values = try ModelFile.floats(weights, in: file, shape: shape, types: types)
      return LinearClassifier(
        weights: Matrix(rows: labels, columns: features, values: values), biases: biases)
    case .int8:
      let values = try ModelFile.tensor(weights, in: file, shape: shape, types: ["I8"])
      let scales = try ModelFile.positiveFloats(scales, in: file, shape: [labels])
      let rounded = Int8Weights(
        rows: labels, columns: features, values: values.int8s ?? [], scales: scales
      ).matrix
      return LinearClassifier(weights: rounded, biases: biases)
    }
  }
}

enum RetrievalTensors {
  struct Shape: Codable, Equatable {
    let concentration: Float
    let photos: [Int]
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

  static func classifier(
    in file: SafeTensors, _ shape: Shape, labels: Int, features: Int
  ) throws -> RetrievalClassifier {
    let quantizer = try quantizer(in: file)
    let dimensions = quantizer.dimensions
    guard shape.photos.count == labels, shape.views > 0,
      shape.photos.allSatisfy({ (0...mostPhotos).contains($0) }), shape.views <= mostViews,
      shape.concentration > 0, shape.concentration <= mostConcentration
    else { throw CupolaError.badModel(.inconsistent("photo counts do not match the labels")) }
    var starts = [0]
    for photos in shape.photos { starts.append(starts[starts.count - 1] + photos * shape.views) }
    let weights = try ModelFile.floats(
      projection, in: file, shape: [dimensions, features], types: ["F16"])
    let codes = try ModelFile.tensor(
      codes, in: file, shape: [starts[labels], quantizer.parts], types: ["U8"])
    guard codes.bytes.allSatisfy({ $0 < quantizer.centroids }) else {
      throw CupolaError.badModel(.inconsistent("codes refer to missing centroids"))
    }
    return RetrievalClassifier(
      projection: LinearClassifier(
        weights: Matrix(rows: dimensions, columns: features, values: weights),
        biases: try ModelFile.floats(offset, in: file, shape: [dimensions])),
      quantizer: quantizer, codes: codes.bytes, starts: starts, viewsPerPhoto: shape.views,
      concentration: shape.concentration,
      biases: try ModelFile.floats(biases, in: file, shape: [labels]))
  }

  /// Upper bounds that prevent products from overflowing.
  private static let mostPhotos = 1 << 24
  private static let mostViews = 64
  /// The maximum number of parts per code. Classification needs 1 KB of memory for each.
  private static let mostParts = 4096
  private static let mostConcentration: Float = 10_000
  /// The maximum centroid value. Centroids are means of parts of unit vectors.
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

enum NoveltyTensors {
  struct Shape: Codable, Equatable {
    let intercept: Double
    let slope: Double

    init(_ detector: NoveltyDetector) { (intercept, slope) = (detector.intercept, detector.slope) }
  }

  private static let directions = "novelty.weight"
  private static let scales = "novelty.scale"
  private static let mostFactor = 10_000.0

  static func tensors(of detector: NoveltyDetector) -> [String: SafeTensors.Tensor] {
    let rounded = Int8Weights(detector.directions)
    return [
      directions: .init(int8s: rounded.values, shape: [rounded.rows, rounded.columns]),
      scales: .init(floats: rounded.scales, shape: [rounded.rows]),
    ]
  }

  static func detector(
    in file: SafeTensors, _ shape: Shape, labels: Labels, features: Int
  ) throws -> NoveltyDetector {
    let count = labels.buildings.count
    guard labels.unfamiliar != nil, count > 0, abs(shape.intercept) <= mostFactor,
      abs(shape.slope) <= mostFactor
    else { throw CupolaError.badModel(.inconsistent("invalid metadata entry novelty")) }
    let codes = try ModelFile.tensor(directions, in: file, shape: [count, features], types: ["I8"])
    let weights = Int8Weights(
      rows: count, columns: features, values: codes.int8s ?? [],
      scales: try ModelFile.positiveFloats(scales, in: file, shape: [count]))
    return NoveltyDetector(
      directions: weights.matrix, intercept: shape.intercept, slope: shape.slope)
  }
}

extension FisherExtractor {
  package var tensors: [String: SafeTensors.Tensor] {
    Self.tensors(of: hog, "fisher.hog").merging(Self.tensors(of: color, "fisher.colour")) { $1 }
  }

  package init(settings: FisherSettings, tensors file: SafeTensors) throws {
    self.init(
      settings: settings,
      hog: try Self.encoder(
        "fisher.hog", in: file, components: settings.components, inputs: LocalHOG.count,
        kept: settings.hogDimensions),
      color: try Self.encoder(
        "fisher.colour", in: file, components: settings.components, inputs: LocalColor.count,
        kept: settings.colorDimensions))
  }

  private static func tensors(
    of encoder: Encoder, _ name: String
  ) -> [String: SafeTensors.Tensor] {
    let mixture = encoder.mixture
    let shape = [mixture.count, mixture.dimensions]
    let projection = encoder.components.projection
    func compact(_ floats: [Float], _ shape: [Int]) -> SafeTensors.Tensor {
      SafeTensors.Tensor(compact: floats, shape: shape)
    }
    return [
      name + ".projection": compact(projection.values, [projection.rows, projection.columns]),
      name + ".offset": compact(encoder.components.offset, [projection.rows]),
      name + ".mixture.weights": compact(mixture.weights, [mixture.count]),
      name + ".mixture.means": compact(mixture.means.values, shape),
      name + ".mixture.variances": compact(mixture.variances.values, shape),
    ]
  }

  /// The bound for projections, offsets, and means, which keeps their squares finite.
  private static let mostValue: Float = 10_000
  /// The lower bound for variances and weights, which keeps quotients finite.
  private static let leastVariance: Float = 1e-9

  private static func encoder(
    _ name: String, in file: SafeTensors, components: Int, inputs: Int, kept: Int
  ) throws -> Encoder {
    let types = ["F32", "F16"]
    func floats(_ tensor: String, _ shape: [Int]) throws -> [Float] {
      try ModelFile.floats(
        name + tensor, in: file, shape: shape, types: types, within: mostValue)
    }
    func matrix(_ tensor: String, _ rows: Int, _ columns: Int) throws -> Matrix {
      Matrix(rows: rows, columns: columns, values: try floats(tensor, [rows, columns]))
    }
    func positive(_ tensor: String, _ shape: [Int]) throws -> [Float] {
      try ModelFile.positiveFloats(
        name + tensor, in: file, shape: shape, types: types, atLeast: leastVariance,
        within: mostValue)
    }
    return Encoder(
      components: PrincipalComponents(
        projection: try matrix(".projection", kept, inputs), offset: try floats(".offset", [kept])),
      mixture: GaussianMixture(
        weights: try positive(".mixture.weights", [components]),
        means: try matrix(".mixture.means", components, kept + 2),
        variances: Matrix(
          rows: components, columns: kept + 2,
          values: try positive(".mixture.variances", [components, kept + 2]))))
  }
}

extension ModelFile {
  static func tensor(
    _ name: String, in file: SafeTensors, shape: [Int], types: [String]
  ) throws -> SafeTensors.Tensor {
    guard let tensor = file.tensors[name] else {
      throw CupolaError.badModel(.missing("tensor \(name)"))
    }
    guard tensor.shape == shape, types.contains(tensor.type) else {
      let needed = types.joined(separator: " or ")
      throw CupolaError.badModel(
        .inconsistent(
          "tensor \(name) is \(tensor.type) \(tensor.shape), expected \(needed) \(shape)")
      )
    }
    return tensor
  }

  /// Returns the values of an `F32` or `F16` tensor. They must be finite and within the bound.
  static func floats(
    _ name: String, in file: SafeTensors, shape: [Int], types: [String] = ["F32"],
    within bound: Float = ModelBounds.logit
  ) throws -> [Float] {
    let tensor = try tensor(name, in: file, shape: shape, types: types)
    guard let floats = tensor.floats ?? tensor.halves, floats.allSatisfy(\.isFinite) else {
      throw CupolaError.badModel(.notFinite(tensor: name))
    }
    try ModelBounds.require(
      floats.allSatisfy { $0.magnitude <= bound },
      "tensor \(name) has values above \(Int(bound))")
    return floats
  }

  static func positiveFloats(
    _ name: String, in file: SafeTensors, shape: [Int], types: [String] = ["F32"],
    atLeast least: Float = .leastNonzeroMagnitude, within bound: Float = ModelBounds.logit
  ) throws -> [Float] {
    let floats = try floats(name, in: file, shape: shape, types: types, within: bound)
    try ModelBounds.require(
      floats.allSatisfy { $0 > 0 }, "tensor \(name) has values that are not positive")
    try ModelBounds.require(
      floats.allSatisfy { $0 >= least }, "tensor \(name) has values below \(least)")
    return floats
  }
}
