import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Fit of product quantizers") struct ProductQuantizerFitTests {
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

  @Test("With no more vectors than centroids nothing is lost")
  func exact() {
    var generator = SplitMix64(seed: 1)
    for rows in [1, 7, 256] {
      let vectors = generator.matrix(rows, 8)
      let quantizer = ProductQuantizerFit().fit(vectors, using: &generator)
      #expect(quantizer.parts == 2 && quantizer.centroids == rows)
      #expect(Self.error(quantizer, vectors) == 0)
    }
  }

  @Test("Every round lowers the error, and many are far below the first")
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

  @Test("Points that repeat leave centroids where they were, and all are met exactly")
  func repeated() {
    var generator = SplitMix64(seed: 4)
    let three = generator.matrix(3, 4)
    let vectors = three.selecting(rows: (0..<600).map { $0 % 3 })
    let quantizer = ProductQuantizerFit().fit(vectors, using: &generator)
    #expect(quantizer.centroids == 256)
    #expect(Self.error(quantizer, three) < 1e-10)
  }
}
