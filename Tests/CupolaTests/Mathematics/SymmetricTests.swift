import Testing

@testable import Cupola

@Suite("Symmetric matrices") struct SymmetricTests {
  /// Positive definite but for missing rank.
  static func matrix(_ size: Int, rank: Int, ridge: Float = 0) -> Matrix {
    let half = SampleFisher.matrix(size, rank, in: -1...1, seed: UInt64(size * 31 + rank))
    var result = BLAS.product(half, half, transposeB: true)
    for row in 0..<size { result[row, row] += ridge }
    return result
  }

  @Test(
    "Eigenvalues and vectors give the matrix back", arguments: [(1, 1), (2, 2), (5, 3), (40, 40)])
  func eigen(size: Int, rank: Int) throws {
    let matrix = Self.matrix(size, rank: rank)
    let (values, vectors) = BLAS.symmetricEigen(matrix)
    try #require(values.count == size && vectors.rows == size && vectors.columns == size)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(values.dropFirst(rank).allSatisfy { abs($0) < 1e-5 })
    var scaled = vectors
    for row in 0..<size {
      for column in 0..<size { scaled[row, column] *= Float(values[row]) }
    }
    let back = BLAS.product(vectors, scaled, transposeA: true)
    #expect(largestDifference(back.values, matrix.values) < 1e-5 * max(1, values[0]))
    var one = Matrix(rows: size, columns: size)
    for row in 0..<size { one[row, row] = 1 }
    let products = BLAS.product(vectors, vectors, transposeB: true)
    #expect(largestDifference(products.values, one.values) < 1e-5)
    for row in 0..<size {
      let vector = vectors.values[vectors.range(ofRow: row)]
      #expect((vector.max { abs($0) < abs($1) } ?? 0) > 0)
    }
  }

  @Test("Eigenvalues of a known matrix, one negative")
  func known() {
    let (values, vectors) = BLAS.symmetricEigen(Matrix(rows: 2, columns: 2, values: [1, 2, 2, 1]))
    #expect(abs(values[0] - 3) < 1e-12 && abs(values[1] + 1) < 1e-12)
    #expect(abs(vectors[0, 0] - vectors[0, 1]) < 1e-6 && abs(vectors[1, 0] + vectors[1, 1]) < 1e-6)
  }

  @Test("A Cholesky factor gives the matrix back and is triangular", arguments: [1, 2, 7, 50])
  func cholesky(size: Int) {
    let matrix = Self.matrix(size, rank: size, ridge: 0.5)
    let lower = BLAS.cholesky(matrix)
    let back = BLAS.product(lower, lower, transposeB: true)
    #expect(largestDifference(back.values, matrix.values) < 1e-4)
    for row in 0..<size {
      #expect(lower[row, row] > 0)
      for column in row + 1..<max(row + 1, size) { #expect(lower[row, column] == 0) }
    }
  }

  @Test("A matrix that is not positive definite is the programmer's fault")
  func indefinite() async {
    await #expect(processExitsWith: .failure) {
      _ = BLAS.cholesky(Matrix(rows: 2, columns: 2, values: [1, 2, 2, 1]))
    }
  }
}
