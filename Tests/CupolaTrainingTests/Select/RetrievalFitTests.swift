import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Retrieval fit") struct RetrievalFitTests {
  private static let names = Labels(["_sky", "chapel", "hall", "tower"])

  private static func material(seed: UInt64 = 1) -> (examples: Matrix, labels: [Int]) {
    let columns = 40
    var middles = SplitMix64(seed: 99)
    let centers = middles.matrix(4, columns)
    var generator = SplitMix64(seed: seed)
    let labels = [0, 1, 2, 3].flatMap { [Int](repeating: $0, count: $0 == 2 ? 60 : 20) }
    var examples = generator.matrix(labels.count, columns)
    for (row, label) in labels.enumerated() {
      for column in 0..<columns {
        examples[row, column] = centers[label, column] + 0.5 * examples[row, column]
      }
    }
    return (examples, labels)
  }

  private static func share(_ classifier: RetrievalClassifier, seed: UInt64) -> Double {
    let (examples, labels) = material(seed: seed)
    let logits = classifier.logits(ofRows: examples)
    let right = labels.indices.count { row in
      (0..<4).max { logits[row, $0] < logits[row, $1] } == labels[row]
    }
    return Double(right) / Double(labels.count)
  }

  @Test("New examples are classified regardless of label size")
  func names() {
    let (examples, labels) = Self.material()
    let fit = RetrievalFit(examples, labels: labels, names: Self.names, viewsPerPhoto: 2)
    #expect(Self.share(fit.classifier, seed: 2) > 0.97)
    #expect(fit.classifier.viewsPerPhoto == 2)
    #expect((0..<4).map { fit.classifier.views(of: $0).count } == [20, 20, 60, 20])
  }

  @Test("Codes are grouped by label in example order")
  func order() {
    let (examples, labels) = Self.material()
    let shuffled = (0..<labels.count).sorted { ($0 * 37 % 120, $0) < ($1 * 37 % 120, $1) }
    let fit = RetrievalFit(
      examples.selecting(rows: shuffled), labels: shuffled.map { labels[$0] }, names: Self.names,
      viewsPerPhoto: 1)
    let classifier = fit.classifier
    for label in 0..<4 {
      let own = shuffled.filter { labels[$0] == label }
      for (place, row) in own.enumerated() {
        let code = classifier.quantizer.code(of: classifier.query(examples.row(row)))
        let view = classifier.views(of: label).lowerBound + place
        let parts = classifier.quantizer.parts
        let kept = classifier.codes[view * parts..<(view + 1) * parts]
        // The two calculations round differently.
        #expect(zip(code, kept).count { $0 == $1 } >= parts - 1)
      }
    }
  }

  @Test("A label without examples has finite logits")
  func missing() {
    let (examples, labels) = Self.material()
    let rows = labels.indices.filter { labels[$0] != 1 }
    let fit = RetrievalFit(
      examples.selecting(rows: rows), labels: rows.map { labels[$0] }, names: Self.names,
      viewsPerPhoto: 1)
    #expect(fit.classifier.views(of: 1).isEmpty)
    let logits = fit.classifier.logits(examples.row(0))
    #expect(logits.allSatisfy { $0.isFinite })
  }

  @Test("Very few or zero examples yield a classifier")
  func few() {
    for (rows, columns) in [(2, 3), (2, 40), (4, 1), (9, 5), (4, 0)] {
      var generator = SplitMix64(seed: 8)
      for examples in [generator.matrix(rows, columns), Matrix(rows: rows, columns: columns)] {
        let fit = RetrievalFit(
          examples, labels: (0..<rows).map { $0 % 2 }, names: Labels(["a", "b"]), viewsPerPhoto: 1)
        #expect(fit.classifier.quantizer.dimensions.isMultiple(of: 4))
        let logits = fit.classifier.logits(examples.row(0))
        #expect(logits.allSatisfy { $0.isFinite })
      }
    }
  }

  /// The settings that are chosen for clusters that are easy to distinguish.
  private static func chosen(triesRetrieval: Bool) async -> ClassifierKind {
    var generator = SplitMix64(seed: 5)
    let (labels, photos, columns) = (12, 8, 60)
    let centers = generator.matrix(labels, columns)
    var rows = generator.matrix(labels * photos, columns)
    for row in 0..<rows.rows {
      for column in 0..<columns {
        rows[row, column] = centers[row / photos, column] + 0.3 * rows[row, column]
      }
    }
    let targets = (0..<rows.rows).map { $0 / photos }
    var problem = SettingsSearch.Input(
      features: Recipe.hog.features,
      views: PhotoViews(counts: targets.map { _ in 1 }, testView: 0), labels: targets,
      names: Labels((0..<labels).map { "b\($0 + 10)" }),
      folds: Folds(
        labels: targets, groups: Array(targets.indices), maximum: 5, using: &generator),
      groups: Array(targets.indices), threads: 1)
    problem.scale = .bounded
    problem.triesRetrieval = triesRetrieval
    return await SettingsSearch.find(
      ExampleRows(
        targets.indices.map { SafeTensors.Tensor(floats: rows.row($0), shape: [1, columns]) },
        columns: columns), problem, regularization: nil, seed: 1
    ).settings.classifier
  }

  @Test("Retrieval is chosen if allowed and as accurate")
  func chosen() async {
    #expect(await Self.chosen(triesRetrieval: true) == .retrieval)
    #expect(await Self.chosen(triesRetrieval: false) == .softmax)
  }
}

@Suite("Product quantizer fit") struct ProductQuantizerFitTests {
  private static func error(_ quantizer: ProductQuantizer, _ vectors: Matrix) -> Double {
    (0..<vectors.rows).reduce(0) { sum, row in
      let own = vectors.row(row)
      let code = quantizer.code(of: own)
      return sum
        + zip(own, quantizer.vector(of: code[...])).reduce(0) {
          $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1)
        }
    }
  }

  @Test("Few vectors are quantized without error")
  func exact() {
    var generator = SplitMix64(seed: 1)
    for rows in [1, 7, 256] {
      let vectors = generator.matrix(rows, 8)
      let quantizer = ProductQuantizerFit().fit(vectors, using: &generator)
      #expect(quantizer.parts == 2 && quantizer.centroids == rows)
      #expect(Self.error(quantizer, vectors) == 0)
    }
  }

  @Test("More rounds reduce the error")
  func rounds() {
    var numbers = SplitMix64(seed: 2)
    let vectors = numbers.matrix(2_000, 8)
    let errors = [0, 1, 2, 4, 10].map { rounds -> Double in
      var generator = SplitMix64(seed: 3)
      var fit = ProductQuantizerFit()
      fit.rounds = rounds
      return Self.error(fit.fit(vectors, using: &generator), vectors)
    }
    for (before, after) in zip(errors, errors.dropFirst()) { #expect(after <= before) }
    #expect(errors[4] < 0.8 * errors[0])
  }

  @Test("Repeated vectors are quantized exactly")
  func repeated() {
    var generator = SplitMix64(seed: 4)
    let three = generator.matrix(3, 4)
    let vectors = three.selecting(rows: (0..<600).map { $0 % 3 })
    let quantizer = ProductQuantizerFit().fit(vectors, using: &generator)
    #expect(quantizer.centroids == 256)
    #expect(Self.error(quantizer, three) < 1e-10)
  }
}
