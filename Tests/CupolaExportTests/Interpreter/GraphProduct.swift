import Cupola

@testable import CupolaExport

/// Matrix products over the last two axes of two arrays; the axes before broadcast.
struct GraphProduct {
  private let shapes: (a: [Int], b: [Int])
  private let transposes: (a: Bool, b: Bool)

  init(_ a: [Int], _ b: [Int], _ transposeA: Bool, _ transposeB: Bool) {
    shapes = (a, b)
    transposes = (transposeA, transposeB)
  }

  /// The products, of the shape given.
  func values(_ a: [Float], _ b: [Float], shape: [Int]) -> [Float] {
    let batch = Array(shape.dropLast(2))
    let count = batch.reduce(1, *)
    let places = (matrices(shapes.a, batch), matrices(shapes.b, batch))
    var result: [Float] = []
    result.reserveCapacity(shape.reduce(1, *))
    for index in 0..<count {
      let left = matrix(a, shapes.a, places.0[index])
      let right = matrix(b, shapes.b, places.1[index])
      result +=
        BLAS.product(left, right, transposeA: transposes.a, transposeB: transposes.b).values
    }
    return result
  }

  /// For every matrix of the result, which of an input's matrices it takes.
  private func matrices(_ shape: [Int], _ batch: [Int]) -> [Int] {
    let own = Array(shape.dropLast(2))
    let numbers = (0..<own.reduce(1, *)).map(Float.init)
    guard !batch.isEmpty else { return [0] }
    return StridedView(own).broadcast(to: batch).values(of: numbers).map { Int($0) }
  }

  private func matrix(_ values: [Float], _ shape: [Int], _ index: Int) -> Matrix {
    let (rows, columns) = (shape[shape.count - 2], shape[shape.count - 1])
    let start = index * rows * columns
    return Matrix(
      rows: rows, columns: columns, values: Array(values[start..<start + rows * columns]))
  }
}
