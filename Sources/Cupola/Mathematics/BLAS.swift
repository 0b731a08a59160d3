internal import CLinearAlgebra

// 1. `load` opens the library. Each function checks the shapes of its matrices first.
// 2. `CLinearAlgebra` calls the BLAS and LAPACK functions for products and factorizations.
// 3. Results are put in a standard form: zeros above triangles, eigenvalues in descending order.

/// Matrix products and factorizations using BLAS and LAPACK, from Accelerate on Apple platforms and from OpenBLAS
/// elsewhere. OpenBLAS runs on the calling thread only, because splitting the work changes the last bits of sums and
/// the toolkit already uses one thread per photo or fold. Other users of OpenBLAS in the process keep their number of
/// threads, except while one of these functions runs.
package enum BLAS {
  /// Prevents OpenBLAS from starting one busy-waiting thread per core.
  /// Call it before starting other threads, in programs that do not use OpenBLAS otherwise.
  package static func startNoThreads() { cla_start_no_threads() }

  /// Loads the library. Other functions also load it, but terminate the process if it is missing.
  package static func load() throws(CupolaError) {
    guard let problem = unsafe cla_load() else { return }
    throw .missingLibrary(unsafe String(cString: problem))
  }

  /// The name of the math kernels. Different kernels can produce sums that differ in the last bits.
  package static var kernel: String {
    let names = unsafe [cla_library(), cla_kernel()].compactMap { name in
      unsafe name.map { unsafe String(cString: $0) }
    }
    return names.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Computes `op(a) * op(b) + beta * c`, where `op` is an optional transposition.
  /// - Parameters:
  ///   - rowsOfA: The rows of `a` to use; `nil` for all rows.
  ///   - rowsOfB: The rows of `b` to use; `nil` for all rows.
  package static func multiply(
    _ a: Matrix, _ b: Matrix, rowsOfA: Range<Int>? = nil, rowsOfB: Range<Int>? = nil,
    transposeA: Bool = false, transposeB: Bool = false, beta: Float = 0,
    into c: inout Matrix
  ) {
    let (chosenA, chosenB) = (rowsOfA ?? 0..<a.rows, rowsOfB ?? 0..<b.rows)
    precondition(chosenA.upperBound <= a.rows && chosenB.upperBound <= b.rows, "rows out of range")
    let (m, k) = transposeA ? (a.columns, chosenA.count) : (chosenA.count, a.columns)
    let (inner, n) = transposeB ? (b.columns, chosenB.count) : (chosenB.count, b.columns)
    precondition(inner == k, "inner dimensions \(k) and \(inner) differ")
    precondition(c.rows == m && c.columns == n, "product \(m)x\(n) into \(c.rows)x\(c.columns)")
    guard m > 0, n > 0 else { return }
    guard k > 0 else {
      // BLAS rejects matrices without columns.
      for index in c.values.indices { c.values[index] = beta == 0 ? 0 : beta * c.values[index] }
      return
    }
    let (startA, startB) = (chosenA.lowerBound * a.columns, chosenB.lowerBound * b.columns)
    unsafe a.values.withUnsafeBufferPointer { a in
      unsafe b.values.withUnsafeBufferPointer { b in
        unsafe cla_multiply(
          transposeA, transposeB, Int32(m), Int32(n), Int32(k),
          a.baseAddress.map { unsafe $0 + startA }, b.baseAddress.map { unsafe $0 + startB }, beta,
          &c.values)
      }
    }
  }

  package static func product(
    _ a: Matrix, _ b: Matrix, transposeA: Bool = false, transposeB: Bool = false
  ) -> Matrix {
    var c = Matrix(
      rows: transposeA ? a.columns : a.rows, columns: transposeB ? b.rows : b.columns)
    multiply(a, b, transposeA: transposeA, transposeB: transposeB, into: &c)
    return c
  }

  /// Returns the lower triangle of `a' * a` with zeros above it, at half the cost of the product.
  package static func productsOfColumns(_ a: Matrix) -> Matrix {
    var c = Matrix(rows: a.columns, columns: a.columns)
    guard a.rows > 0, a.columns > 0 else { return c }
    unsafe cla_products_of_columns(Int32(a.columns), Int32(a.rows), a.values, &c.values)
    return c
  }

  /// Computes the pivoted Cholesky factorization of a symmetric positive semidefinite matrix in place.
  /// - Parameter a: Only the lower triangle is read. On return, the first `i + 1` columns of row `i` (at most `rank`
  ///   columns) hold the factor's row for `pivots[i]`; the other columns are undefined. With zeros in the other
  ///   columns, `factor * factor'` equals the original `a` with rows and columns in pivot order, except for a remainder
  ///   whose diagonal values are at most `tolerance`.
  /// - Returns: `pivots`, the row numbers in pivot order, and the `rank`.
  package static func factorWithPivots(
    _ a: inout Matrix, tolerance: Float
  ) -> (pivots: [Int], rank: Int) {
    precondition(a.rows == a.columns, "a matrix of \(a.rows)x\(a.columns) is not square")
    var pivots = [Int32](repeating: 0, count: a.rows)
    var work = [Float](repeating: 0, count: 2 * a.rows)
    var rank: Int32 = 0
    let status = unsafe cla_pivoted_cholesky(
      Int32(a.rows), &a.values, tolerance, &pivots, &rank, &work)
    precondition(status >= 0, "spstrf rejected argument \(-status)")
    return (pivots.map { Int($0) - 1 }, Int(rank))
  }

  /// Solves `op(lower) * x = b` in place, where `lower` is lower triangular.
  package static func solve(
    lower: Matrix, transposed: Bool = false, into b: inout Matrix
  ) {
    precondition(
      lower.columns == lower.rows && lower.rows == b.rows,
      "\(lower.rows)x\(lower.columns) equations, \(b.rows) right-hand rows")
    guard b.rows > 0, b.columns > 0 else { return }
    unsafe cla_solve(transposed, Int32(b.rows), Int32(b.columns), lower.values, &b.values)
  }

  /// Returns a symmetric matrix's eigenvalues, largest first, and its unit eigenvectors as rows.
  /// Each vector's component of largest magnitude is positive.
  package static func symmetricEigen(_ a: Matrix) -> (values: [Double], vectors: Matrix) {
    precondition(a.rows == a.columns, "a matrix of \(a.rows)x\(a.columns) is not square")
    var vectors = a.values.map(Double.init)
    var values = [Double](repeating: 0, count: a.rows)
    var work = [Double](repeating: 0, count: max(1, 34 * a.rows))
    let status = unsafe cla_eigen(
      Int32(a.rows), &vectors, &values, &work, Int32(work.count))
    precondition(status == 0, "dsyev returned \(status)")
    var rows = Matrix(rows: a.rows, columns: a.rows)
    for row in 0..<a.rows {
      let start = (a.rows - 1 - row) * a.rows
      let vector = vectors[start..<start + a.rows]
      let largest = vector.max { $0.magnitude < $1.magnitude } ?? 0
      for (column, value) in vector.enumerated() {
        rows[row, column] = Float(largest < 0 ? -value : value)
      }
    }
    return (values.reversed(), rows)
  }

  /// Returns the lower triangular Cholesky factor of a symmetric positive definite matrix.
  package static func cholesky(_ a: Matrix) -> Matrix {
    precondition(a.rows == a.columns, "a matrix of \(a.rows)x\(a.columns) is not square")
    var lower = a
    let status = unsafe cla_cholesky(Int32(a.rows), &lower.values)
    precondition(status == 0, "spotrf returned \(status)")
    for row in 0..<a.rows {
      for column in row + 1..<max(row + 1, a.columns) { lower[row, column] = 0 }
    }
    return lower
  }
}
