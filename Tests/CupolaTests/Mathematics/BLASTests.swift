import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

#if os(Linux)
  import Glibc
#endif

@Suite("BLAS") struct BLASTests {
  static func matrix(_ rows: Int, _ columns: Int, seed: UInt64) -> Matrix {
    var generator = SplitMix64(seed: seed)
    let values = (0..<rows * columns).map { _ in Float(Int.random(in: -9...9, using: &generator)) }
    return Matrix(rows: rows, columns: columns, values: values)
  }

  static func naiveProduct(_ a: Matrix, _ b: Matrix) -> Matrix {
    var c = Matrix(rows: a.rows, columns: b.columns)
    for row in 0..<a.rows {
      for column in 0..<b.columns {
        for inner in 0..<a.columns { c[row, column] += a[row, inner] * b[inner, column] }
      }
    }
    return c
  }

  @Test("A product of selected rows equals the product of a copy")
  func someRows() {
    let (a, b) = (Self.matrix(9, 4, seed: 1), Self.matrix(4, 5, seed: 2))
    let chosen = a.selecting(rows: [3, 4, 5, 6])
    var c = Matrix(rows: 4, columns: 5)
    BLAS.multiply(a, b, rowsOfA: 3..<7, into: &c)
    #expect(c == Self.naiveProduct(chosen, b))
    var d = Matrix(rows: 5, columns: 4)
    BLAS.multiply(b, a, rowsOfB: 3..<7, transposeA: true, into: &d)
    #expect(d == Self.naiveProduct(b.transposed, chosen))
    var e = c
    BLAS.multiply(a, b, rowsOfA: 3..<7, beta: 1, into: &e)
    #expect(e.values == c.values.map { 2 * $0 })
  }

  @Test(
    "A product matches three loops, transposed or not",
    arguments: [(1, 1, 1), (3, 4, 5), (7, 1, 2), (1, 9, 1), (16, 33, 8)])
  func product(m: Int, k: Int, n: Int) {
    let (a, b) = (Self.matrix(m, k, seed: 1), Self.matrix(k, n, seed: 2))
    let expected = Self.naiveProduct(a, b)
    #expect(BLAS.product(a, b) == expected)
    #expect(BLAS.product(a.transposed, b, transposeA: true) == expected)
    #expect(BLAS.product(a, b.transposed, transposeB: true) == expected)
    let both = BLAS.product(a.transposed, b.transposed, transposeA: true, transposeB: true)
    #expect(both == expected)
  }

  @Test("Beta scales the existing values before the product is added")
  func factor() {
    let (a, b) = (Self.matrix(3, 4, seed: 1), Self.matrix(4, 2, seed: 2))
    let before = Self.matrix(3, 2, seed: 3)
    var c = before
    BLAS.multiply(a, b, beta: -3, into: &c)
    let expected = zip(Self.naiveProduct(a, b).values, before.values).map { $0 - 3 * $1 }
    #expect(c.values == expected)
  }

  @Test("Empty sides yield empty products or zeros")
  func empty() {
    #expect(BLAS.product(Matrix(rows: 0, columns: 3), Matrix(rows: 3, columns: 2)).values == [])
    #expect(BLAS.product(Matrix(rows: 2, columns: 3), Matrix(rows: 3, columns: 0)).values == [])
    let zeros = BLAS.product(Matrix(rows: 2, columns: 0), Matrix(rows: 0, columns: 2))
    #expect(zeros == Matrix(rows: 2, columns: 2))
  }

  #if os(Linux)
    /// Runs in its own process because concurrent tests change the thread count.
    @Test(
      "Sums and the thread count do not depend on the process's threads")
    func threads() async {
      await #expect(processExitsWith: .success) {
        var generator = SplitMix64(seed: 3)
        let values = (0..<300 * 2000).map { _ in Float.random(in: -1...1, using: &generator) }
        let a = Matrix(rows: 300, columns: 2000, values: values)
        try BLAS.load()
        // The process has loaded the library by now.
        let library = unsafe dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD)
        let number = unsafe try #require(dlsym(library, "openblas_get_num_threads"))
        let setter = unsafe try #require(dlsym(library, "openblas_set_num_threads"))
        let openblas_get_num_threads = unsafe unsafeBitCast(
          number, to: (@convention(c) () -> CInt).self)
        let openblas_set_num_threads = unsafe unsafeBitCast(
          setter, to: (@convention(c) (CInt) -> Void).self)
        openblas_set_num_threads(1)
        let alone = BLAS.product(a, a, transposeB: true)
        #expect(openblas_get_num_threads() == 1)
        openblas_set_num_threads(2)
        #expect(BLAS.product(a, a, transposeB: true).values == alone.values)
        #expect(openblas_get_num_threads() == 2)
        let counts = await withTaskGroup { group in
          for _ in 0..<8 { group.addTask { BLAS.symmetricEigen(alone).values.count } }
          return await group.reduce(0, +)
        }
        #expect(counts == 8 * 300)
        #expect(openblas_get_num_threads() == 2)
      }
    }
  #endif

  @Test("Mismatched sides trap")
  func mismatch() async {
    await #expect(processExitsWith: .failure) {
      _ = BLAS.product(Matrix(rows: 2, columns: 3), Matrix(rows: 2, columns: 3))
    }
  }

  @Test(
    "Column products are the lower triangle with zeros above",
    arguments: [(0, 3), (3, 0), (1, 1), (7, 5), (300, 70)])
  func productsOfColumns(rows: Int, columns: Int) {
    let matrix = Self.matrix(rows, columns, seed: 6)
    var wanted = BLAS.product(matrix, matrix, transposeA: true)
    for row in 0..<columns {
      for column in row + 1..<max(row + 1, columns) { wanted[row, column] = 0 }
    }
    let found = BLAS.productsOfColumns(matrix)
    #expect(found.rows == columns && found.columns == columns)
    #expect(largestDifference(found.values, wanted.values) < 1e-5 * Double(max(1, wanted.largest)))
  }

  @Test("The library can be loaded repeatedly")
  func load() throws {
    for _ in 0..<2 { try BLAS.load() }
  }

  @Test("Kernels have a name") func kernel() { #expect(BLAS.kernel.count > 4) }

  @Test(
    "A pivoted Cholesky factor reproduces the matrix at any rank",
    arguments: [(1, 1), (4, 4), (6, 3), (6, 1), (9, 5)])
  func cholesky(size: Int, rank: Int) {
    let half = Self.matrix(size, rank, seed: UInt64(size + rank))
    let matrix = BLAS.product(half, half, transposeB: true)
    var factored = matrix
    let (pivots, found) = BLAS.factorWithPivots(&factored, tolerance: 1e-2)
    #expect(found == rank)
    var factor = Matrix(rows: size, columns: found)
    for row in 0..<size {
      for column in 0..<min(row + 1, found) { factor[row, column] = factored[row, column] }
    }
    #expect(pivots.sorted() == Array(0..<size))
    #expect(factor.rows == size && factor.columns == rank)
    let product = BLAS.product(factor, factor, transposeB: true)
    for row in 0..<size {
      for column in 0..<size {
        #expect(abs(product[row, column] - matrix[pivots[row], pivots[column]]) < 1e-2)
      }
    }
    for row in 0..<rank {
      if row > 0 { #expect(factor[row, row] <= factor[row - 1, row - 1] + 1e-4) }
    }
  }

  @Test("The zero matrix has rank 0")
  func zeroRank() {
    var zeros = Matrix(rows: 3, columns: 3)
    let (pivots, rank) = BLAS.factorWithPivots(&zeros, tolerance: 1e-6)
    #expect(pivots.sorted() == [0, 1, 2] && rank == 0)
  }

  @Test("Triangular systems are solved, transposed or not", arguments: [1, 2, 5, 12])
  func solve(size: Int) {
    var lower = Self.matrix(size, size, seed: 4)
    for row in 0..<size {
      lower[row, row] = Float(20 + row)
      for column in row + 1..<max(size, row + 1) { lower[row, column] = 0 }
    }
    let right = Self.matrix(size, 3, seed: 5)
    for transposed in [false, true] {
      var solution = right
      BLAS.solve(lower: lower, transposed: transposed, into: &solution)
      let back = BLAS.product(lower, solution, transposeA: transposed)
      #expect(largestDifference(back.values, right.values) < 1e-4)
    }
  }

  #if os(Linux) && arch(x86_64)
    @Test("A processor with wide vectors does not use the oldest kernel")
    func newestKernel() throws {
      // A kernel set in the environment is used as given.
      guard ProcessInfo.processInfo.environment["OPENBLAS_CORETYPE"] == nil else { return }
      try BLAS.load()
      #expect(PackedMatrix.kernel != "fused" || BLAS.kernel != "OpenBLAS Prescott")
      #expect(ProcessInfo.processInfo.environment["OPENBLAS_CORETYPE"] == nil)
    }
  #endif
}

@Suite("Symmetric matrices") struct SymmetricTests {
  /// A positive semidefinite matrix of the given rank, plus a ridge.
  static func matrix(_ size: Int, rank: Int, ridge: Float = 0) -> Matrix {
    let half = SampleFisher.matrix(size, rank, in: -1...1, seed: UInt64(size * 31 + rank))
    var result = BLAS.product(half, half, transposeB: true)
    for row in 0..<size { result[row, row] += ridge }
    return result
  }

  @Test(
    "Eigenvalues and eigenvectors reproduce the matrix",
    arguments: [(1, 1), (2, 2), (5, 3), (40, 40)])
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

  @Test("Eigenvalues of a known matrix are found, one negative")
  func known() {
    let (values, vectors) = BLAS.symmetricEigen(Matrix(rows: 2, columns: 2, values: [1, 2, 2, 1]))
    #expect(abs(values[0] - 3) < 1e-12 && abs(values[1] + 1) < 1e-12)
    #expect(abs(vectors[0, 0] - vectors[0, 1]) < 1e-6 && abs(vectors[1, 0] + vectors[1, 1]) < 1e-6)
  }

  @Test("A Cholesky factor is triangular and reproduces the matrix", arguments: [1, 2, 7, 50])
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

  @Test("A matrix that is not positive definite traps")
  func indefinite() async {
    await #expect(processExitsWith: .failure) {
      _ = BLAS.cholesky(Matrix(rows: 2, columns: 2, values: [1, 2, 2, 1]))
    }
  }
}
