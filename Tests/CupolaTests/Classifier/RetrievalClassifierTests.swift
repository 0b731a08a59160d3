import Foundation
import Testing

@testable import Cupola

@Suite("Retrieval classifier") struct RetrievalClassifierTests {
  /// The logits in double precision, computed from decoded vectors.
  private static func naive(_ classifier: RetrievalClassifier, _ features: [Float]) -> [Double] {
    let projection = classifier.projection
    let projected = (0..<projection.biases.count).map { row -> Double in
      zip(projection.weights.row(row), features).reduce(Double(projection.biases[row])) {
        $0 + Double($1.0) * Double($1.1)
      }
    }
    let length = projected.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return classifier.biases.indices.map { label in
      let views = classifier.views(of: label)
      guard !views.isEmpty else { return Double(classifier.biases[label]) }
      let powers = views.map { view -> Double in
        let cosine = zip(classifier.vector(of: view), projected).reduce(0) {
          $0 + Double($1.0) * $1.1
        }
        return exp(Double(classifier.concentration) * cosine / length)
      }
      return log(powers.reduce(0, +) / Double(powers.count)) + Double(classifier.biases[label])
    }
  }

  @Test("Logits match the formula for single and batched features")
  func logits() {
    let classifier = SampleRetrieval.classifier(photos: [4, 0, 1, 30])
    let features = SampleFisher.matrix(6, 20, in: -1...1, seed: 9)
    let rows = classifier.logits(ofRows: features)
    for row in 0..<6 {
      let found = classifier.logits(features.row(row))
      let wanted = Self.naive(classifier, features.row(row))
      for label in 0..<4 {
        #expect(abs(Double(found[label]) - wanted[label]) < 1e-4)
        #expect(abs(rows[row, label] - found[label]) < 1e-4)
      }
      #expect(found[1] == classifier.biases[1])
    }
  }

  @Test("Logits match SciPy on vectors decoded by faiss")
  func golden() throws {
    let file = try Fixtures.tensors("retrieval.safetensors")
    let centroids = try #require(file.tensors["centroids"])
    let labels = try file.integers("labels")
    let count = (labels.max() ?? 0) + 1
    let starts = (0..<count).map { label in labels.count { $0 < label } } + [labels.count]
    var unit = Matrix(rows: 32, columns: 32)
    for index in 0..<32 { unit[index, index] = 1 }
    let classifier = RetrievalClassifier(
      projection: LinearClassifier(weights: unit, biases: [Float](repeating: 0, count: 32)),
      quantizer: ProductQuantizer(
        parts: centroids.shape[0],
        values: Matrix(
          rows: centroids.shape[0] * centroids.shape[1], columns: centroids.shape[2],
          values: try #require(centroids.floats))),
      codes: try #require(file.tensors["codes"]).bytes, starts: starts, viewsPerPhoto: 1,
      concentration: 24, biases: [Float](repeating: 0, count: count))
    let found = classifier.logits(ofRows: try file.matrix("queries"))
    #expect(largestDifference(found.values, try file.matrix("logits").values) < 1e-3)
  }

  @Test("The projection matches NumPy")
  func projection() throws {
    let file = try Fixtures.tensors("retrieval.safetensors")
    let weights = try #require(file.tensors["projection.weights"])
    let base = SampleRetrieval.classifier(features: weights.shape[1], parts: 8, photos: [1, 1])
    let classifier = base.projecting(
      by: LinearClassifier(
        weights: Matrix(
          rows: weights.shape[0], columns: weights.shape[1],
          values: try #require(weights.halves)),
        biases: try #require(file.tensors["projection.offset"]?.floats)))
    let features = try file.matrix("features")
    let wanted = try file.matrix("projected")
    for row in 0..<features.rows {
      let found = classifier.query(features.row(row))
      #expect(largestDifference(found, wanted.row(row)) < 1e-5)
    }
  }

  @Test("Excluded labels have no logit and do not affect the others")
  func excludedLabels() {
    let classifier = SampleRetrieval.classifier(photos: [4, 0, 1, 30])
    let features = SampleFisher.matrix(1, 20, in: -1...1, seed: 3).values
    let all = classifier.logits(features)
    let among = [true, false, false, true]
    let some = classifier.logits(features, among: among)
    #expect(some == Classifier.masked(all, among: among))
    #expect(some[0] == all[0] && some[1] == -.infinity && some[2] == -.infinity)
    #expect(Classifier.retrieval(classifier).logits(features, among: among) == some)
  }

  @Test("Selected labels keep their logits")
  func selected() {
    let classifier = SampleRetrieval.classifier(photos: [4, 0, 1, 30])
    let features = SampleFisher.matrix(1, 20, in: -1...1, seed: 3).values
    let all = classifier.logits(features)
    let selected = Classifier.retrieval(classifier).selecting(labels: [3, 1, 0])
    #expect(selected.logits(features) == [all[3], all[1], all[0]])
  }

  @Test("Additional biases create labels without photos")
  func biased() {
    let classifier = SampleRetrieval.classifier(photos: [2, 3])
    let features = SampleFisher.matrix(1, 20, in: -1...1, seed: 3).values
    let logits = classifier.logits(features)
    let more = classifier.biased(by: [classifier.biases[0] + 1, classifier.biases[1], 0.25])
    let found = more.logits(features)
    #expect(abs(found[0] - logits[0] - 1) < 1e-5 && found[1] == logits[1] && found[2] == 0.25)
  }

  @Test("The nearest view has the highest cosine")
  func nearest() throws {
    let classifier = SampleRetrieval.classifier(photos: [4, 0, 30])
    let features = SampleFisher.matrix(1, 20, in: -1...1, seed: 5).values
    let query = classifier.query(features)
    for label in [0, 2] {
      let cosines = classifier.views(of: label).map { view in
        zip(classifier.vector(of: view), query).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      }
      let found = try #require(classifier.nearest(to: features, of: label))
      #expect(abs(found.cosine - (cosines.max() ?? 0)) < 1e-5)
      #expect(
        abs(cosines[found.view - classifier.views(of: label).lowerBound] - found.cosine) < 1e-5)
    }
    #expect(classifier.nearest(to: features, of: 1) == nil)
  }

  @Test("The linear approximation at a photo yields its logits")
  func linear() {
    let classifier = SampleRetrieval.classifier(photos: [4, 0, 30])
    let features = SampleFisher.matrix(1, 20, in: -1...1, seed: 5).values
    let linear = classifier.linear(at: features, labels: [2, 1, 0])
    let logits = classifier.logits(features)
    let found = linear.logits(features)
    for (row, label) in [2, 1, 0].enumerated() { #expect(abs(found[row] - logits[label]) < 1e-3) }
    #expect(linear.weights.row(1).allSatisfy { $0 == 0 })
  }

  @Test("Rounding to half precision is idempotent and keeps the logits")
  func halves() {
    for factor in [Float(1e-6), 1, 3e5] {
      let base = SampleRetrieval.classifier(photos: [4, 9])
      let scaled = base.projecting(
        by: LinearClassifier(
          weights: Matrix(
            rows: base.projection.weights.rows, columns: 20,
            values: base.projection.weights.values.map { $0 * factor }),
          biases: base.projection.biases.map { $0 * factor }))
      let once = Classifier.retrieval(scaled).rounded(to: .float32)
      #expect(once.rounded(to: .int8) == once && once != .retrieval(scaled))
      #expect(once.front.weights.halved == once.front.weights)
      let features = SampleFisher.matrix(1, 20, in: -1...1, seed: 5).values
      for (a, b) in zip(once.logits(features), base.logits(features)) { #expect(abs(a - b) < 0.05) }
    }
  }
}

@Suite("Product quantizer") struct ProductQuantizerTests {
  private static func golden() throws -> SafeTensors {
    try Fixtures.tensors("retrieval.safetensors")
  }

  private static func quantizer(_ file: SafeTensors) throws -> ProductQuantizer {
    let tensor = try #require(file.tensors["centroids"])
    return ProductQuantizer(
      parts: tensor.shape[0],
      values: Matrix(
        rows: tensor.shape[0] * tensor.shape[1], columns: tensor.shape[2],
        values: try #require(tensor.floats)))
  }

  @Test("Codes and decoded vectors match faiss")
  func codes() throws {
    let file = try Self.golden()
    let quantizer = try Self.quantizer(file)
    let vectors = try file.matrix("vectors")
    let codes = try #require(file.tensors["codes"]).bytes
    let decoded = try file.matrix("decoded")
    for row in 0..<vectors.rows {
      let wanted = codes[row * quantizer.parts..<(row + 1) * quantizer.parts]
      #expect(quantizer.code(of: vectors.row(row)) == Array(wanted))
      #expect(quantizer.vector(of: wanted) == decoded.row(row))
    }
  }

  @Test("The nearest neighbors and their order match faiss")
  func neighbors() throws {
    let file = try Self.golden()
    let quantizer = try Self.quantizer(file)
    let codes = try #require(file.tensors["codes"]).bytes
    let queries = try file.matrix("queries")
    let similarities = try file.matrix("similarities")
    let wanted = try file.integers("neighbors")
    for query in 0..<queries.rows {
      var sums: [Float] = []
      ProductQuantizer.append(
        sumsOf: codes.span, parts: quantizer.parts,
        over: quantizer.products(with: queries.row(query)).span, to: &sums)
      let count = similarities.columns
      let found = sums.indices.sorted { sums[$0] > sums[$1] }.prefix(count)
      #expect(Array(found) == Array(wanted[query * count..<(query + 1) * count]))
      for (place, code) in found.enumerated() {
        #expect(abs(sums[code] - similarities[query, place]) < 1e-5)
      }
    }
  }

  @Test("Table sums equal inner products with decoded vectors", arguments: [1, 2, 3, 8])
  func sums(parts: Int) {
    var generator = SplitMix64(seed: UInt64(parts))
    for (centroids, width) in [(1, 1), (5, 3), (256, 4)] {
      let quantizer = ProductQuantizer(
        parts: parts,
        values: SampleFisher.matrix(parts * centroids, width, in: -1...1, seed: generator.next()))
      let query = SampleFisher.matrix(1, parts * width, in: -1...1, seed: generator.next()).values
      let codes = (0..<parts * 9).map { _ in UInt8(generator.below(centroids)) }
      var sums: [Float] = [-7]
      ProductQuantizer.append(
        sumsOf: codes.span, parts: parts, over: quantizer.products(with: query, times: 2.5).span,
        to: &sums)
      #expect(sums.count == 10 && sums[0] == -7)
      for code in 0..<9 {
        let vector = quantizer.vector(of: codes[code * parts..<(code + 1) * parts])
        let wanted = zip(query, vector).reduce(0.0) { $0 + 2.5 * Double($1.0) * Double($1.1) }
        #expect(abs(Double(sums[code + 1]) - wanted) < 1e-5)
      }
    }
  }

  @Test("The first of equally near centroids is used")
  func ties() {
    let quantizer = ProductQuantizer(
      parts: 1, values: Matrix(rows: 3, columns: 1, values: [1, -1, 1]))
    #expect(quantizer.code(of: [0]) == [0])
    #expect(quantizer.code(of: [-0.5]) == [1])
  }
}
