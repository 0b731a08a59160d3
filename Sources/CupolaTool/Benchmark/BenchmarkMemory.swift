import Cupola

/// A made-up retrieval model of all buildings of a ``BenchmarkCatalog``, to time answers of.
struct BenchmarkMemory {
  /// Views of each building that it remembers.
  static let views = 20
  private static let backgroundViews = 1_000
  private static let (parts, width) = (32, 4)

  let recognizer: Recognizer
  /// What the classifier multiplies features of the usual size with.
  let projection: LinearClassifier

  init(_ catalog: BenchmarkCatalog) {
    var generator = SplitMix64(seed: 2)
    func numbers(_ count: Int) -> [Float] {
      (0..<count).map { _ in Float(generator.below(2_001)) / 1_000 - 1 }
    }
    let labels = Labels(catalog.campus.buildings.map(\.label).sorted() + ["_street"])
    let dimensions = Self.parts * Self.width
    func projection(_ features: Int) -> LinearClassifier {
      LinearClassifier(
        weights: Matrix(
          rows: dimensions, columns: features, values: numbers(dimensions * features)),
        biases: numbers(dimensions))
    }
    let recipe = Recipe.hog
    let views = labels.names.map { Labels.isBackground($0) ? Self.backgroundViews : Self.views }
    let rows = Self.parts * ProductQuantizer.mostCentroids
    let classifier = RetrievalClassifier(
      projection: projection(recipe.featureCount),
      quantizer: ProductQuantizer(
        parts: Self.parts,
        values: Matrix(
          rows: rows, columns: Self.width, values: numbers(rows * Self.width).map { $0 / 8 })),
      codes: (0..<views.reduce(0, +) * Self.parts).map { _ in UInt8(generator.below(256)) },
      starts: views.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }, viewsPerPhoto: 2,
      concentration: 24, biases: [Float](repeating: 0, count: views.count))
    recognizer = Recognizer(
      model: Model(
        recipe: recipe, extractor: FeatureExtractor(hog: .standard), labels: labels,
        classifier: .retrieval(classifier), calibration: Calibration(temperature: 1),
        campus: catalog.campus, place: PlaceModel(),
        provenance: Provenance(
          version: cupolaVersion, dataDigest: "", photos: [:], seed: 0, regularization: 1,
          kernel: BLAS.kernel), weightFormat: .ofRetrieval))
    self.projection = projection(Recipe.balanced.featureCount)
  }
}
