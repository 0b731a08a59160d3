import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Example span")
struct ExampleSpanTests {
  @Test("Logits over coordinates and features are equal")
  func sameLogits() async {
    var generator = SplitMix64(seed: 3)
    let examples = generator.matrix(30, 100)
    let span = await ExampleSpan(of: ExampleRows(examples), threads: 2)
    let inner = LinearClassifier(
      weights: generator.matrix(4, span.coordinates.columns), biases: [1, -2, 3, 0.5])
    let outer = span.classifier(from: inner, over: ExampleRows(examples))
    #expect(outer.weights.columns == 100)
    let difference = outer.logits(ofRows: examples)
      .largestDifference(to: inner.logits(ofRows: span.coordinates.all))
    #expect(difference < 1e-3)
  }

  @Test("Inner products are preserved")
  func keepsInnerProducts() async {
    var generator = SplitMix64(seed: 4)
    let examples = generator.matrix(25, 60)
    let coordinates = await ExampleSpan(of: ExampleRows(examples), threads: 2).coordinates.all
    let before = BLAS.product(examples, examples, transposeB: true)
    let after = BLAS.product(coordinates, coordinates, transposeB: true)
    #expect(after.largestDifference(to: before) < 1e-4 * before.largest)
  }

  @Test("A fit over coordinates equals a fit over features")
  func sameFit() async {
    var generator = SplitMix64(seed: 5)
    let examples = generator.matrix(24, 80)
    let labels = (0..<24).map { $0 % 3 }
    let regression = SoftmaxRegression(regularization: 1)
    let span = await ExampleSpan(of: ExampleRows(examples), threads: 2)
    let inner = regression.fit(span.coordinates.all, labels: labels, labelCount: 3)
    let direct = regression.fit(examples, labels: labels, labelCount: 3)
    let others = generator.matrix(10, 80)
    for photos in [examples, others] {
      let found = span.classifier(from: inner.classifier, over: ExampleRows(examples)).logits(
        ofRows: photos)
      let wanted = direct.classifier.logits(ofRows: photos)
      #expect(found.largestDifference(to: wanted) < 1e-2 * wanted.largest)
    }
  }

  @Test("Repeated examples add no coordinates")
  func repeated() async {
    var generator = SplitMix64(seed: 6)
    let distinct = generator.matrix(9, 50)
    let rows = Array(0..<9) + [0, 3, 3, 8, 0]
    let examples = distinct.selecting(rows: rows)
    let span = await ExampleSpan(of: ExampleRows(examples), threads: 2)
    #expect(span.coordinates.rows == 14)
    #expect(span.coordinates.columns == 9)
    let inner = LinearClassifier(weights: generator.matrix(2, 9), biases: [0, 1])
    let logits = span.classifier(from: inner, over: ExampleRows(examples)).logits(ofRows: examples)
    #expect(logits.largestDifference(to: inner.logits(ofRows: span.coordinates.all)) < 1e-3)
    for (row, original) in rows.enumerated() {
      for label in 0..<2 { #expect(abs(logits[row, label] - logits[original, label]) < 1e-4) }
    }
  }

  @Test("As many examples as features keep the features", arguments: [10, 12])
  func wide(rows: Int) async {
    var generator = SplitMix64(seed: 7)
    let examples = generator.matrix(rows, 10)
    let span = await ExampleSpan(of: ExampleRows(examples), threads: 2)
    let classifier = LinearClassifier(weights: generator.matrix(2, 10), biases: [0, 1])
    #expect(span.coordinates.all == examples)
    #expect(span.classifier(from: classifier, over: ExampleRows(examples)) == classifier)
  }

  @Test("Zero examples have no coordinates, and only biases are fitted")
  func zero() async {
    let examples = Matrix(rows: 5, columns: 20)
    let span = await ExampleSpan(of: ExampleRows(examples), threads: 2)
    #expect(span.coordinates.columns == 0)
    let fit = SoftmaxRegression(regularization: 1, balanced: false)
      .fit(span.coordinates.all, labels: [0, 0, 0, 0, 1], labelCount: 2)
    let classifier = span.classifier(from: fit.classifier, over: ExampleRows(examples))
    #expect(classifier.weights == Matrix(rows: 2, columns: 20))
    let probabilities = Softmax.probabilities(classifier.biases)
    #expect(abs(probabilities[0] - 0.8) < 1e-3)
  }

  // Because of rounding, other pivots may be chosen, which result in another basis of the same span.
  @Test("Blocked inner products match a single product")
  func blocks() async {
    var generator = SplitMix64(seed: 8)
    let examples = generator.matrix(150, 70_000)
    let rows = ExampleRows(examples)
    #expect(rows.rowBlocks.count == 3 && rows.columnBlocks.count > 2)
    let span = await ExampleSpan(of: rows, threads: 2)
    let coordinates = span.coordinates.all
    let atOnce = BLAS.product(examples, examples, transposeB: true)
    let found = BLAS.product(coordinates, coordinates, transposeB: true)
    #expect(coordinates.columns == 150)
    #expect(found.largestDifference(to: atOnce) < 1e-5 * atOnce.largest)
    // Each pivot has one more coordinate than the preceding one.
    let lengths = (0..<150).map { row in
      (coordinates.row(row).lastIndex { $0 != 0 } ?? -1) + 1
    }
    #expect(lengths.sorted() == Array(1...150))
    let inner = LinearClassifier(
      weights: generator.matrix(3, span.coordinates.columns), biases: [0, 1, 2])
    let difference = span.classifier(from: inner, over: rows).logits(ofRows: examples)
      .largestDifference(to: inner.logits(ofRows: span.coordinates.all))
    #expect(difference < 1e-2)
  }
}

@Suite("Inner products") struct InnerProductsTests {
  private static let examples: Matrix = {
    var generator = SplitMix64(seed: 4)
    return generator.matrix(530, 40)
  }()

  private static func expectTriangle(_ found: Matrix, of examples: Matrix) {
    #expect(found.rows == examples.rows && found.columns == examples.rows)
    let wanted = BLAS.product(examples, examples, transposeB: true)
    var (rounding, largest): (Float, Float) = (0, 0)
    for row in 0..<found.rows {
      for column in 0...row {
        rounding = max(rounding, abs(found[row, column] - wanted[row, column]))
      }
      for column in row + 1..<max(row + 1, found.columns) {
        largest = max(largest, abs(found[row, column]))
      }
    }
    #expect(rounding <= 1e-5 * wanted.largest && largest == 0)
  }

  @Test("The result is the lower triangle with zeros above")
  func whole() async {
    let products = await InnerProducts(of: ExampleRows(Self.examples), threads: 2)
    Self.expectTriangle(products.matrix(weights: nil), of: Self.examples)
  }

  @Test(
    "Inner products are computed once for any weights", arguments: [0, 1, 17, 40, 50])
  func weights(split: Int) async {
    let rows = ExampleRows(Self.examples)
    let weighed = rows.multiplied(first: split, by: 3, rest: 0.5)
    let products = await InnerProducts(of: weighed, threads: 2)
    Self.expectTriangle(products.matrix(weights: nil), of: Self.examples)
    for (first, rest) in [(3, 0.5), (0.25, 2), (0, 1), (1, 0)] as [(Float, Float)] {
      let other = rows.multiplied(first: split, by: first, rest: rest)
      Self.expectTriangle(products.matrix(weights: other.weights), of: other.all)
    }
  }

  @Test("The thread count does not change a bit")
  func threads() async {
    let rows = ExampleRows(Self.examples)
    let one = await InnerProducts(of: rows, threads: 1).matrix(weights: nil)
    for threads in [2, 3, 7] {
      #expect(await InnerProducts(of: rows, threads: threads).matrix(weights: nil) == one)
    }
  }

  @Test("Empty examples have empty or zero products")
  func nothing() async {
    let none = await InnerProducts(of: ExampleRows([SafeTensors.Tensor](), columns: 3), threads: 2)
    #expect(none.matrix(weights: nil).rows == 0)
    let empty = await InnerProducts(of: ExampleRows(Matrix(rows: 2, columns: 0)), threads: 2)
    #expect(empty.matrix(weights: nil) == Matrix(rows: 2, columns: 2))
  }
}
