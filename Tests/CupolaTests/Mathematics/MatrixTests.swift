import Testing

@testable import Cupola

@Suite("Matrix") struct MatrixTests {
  static let matrix = Matrix(rows: 2, columns: 3, values: [1, 2, 3, 4, 5, 6])

  @Test("Values stand row after row")
  func layout() {
    var matrix = Self.matrix
    #expect(matrix[0, 2] == 3 && matrix[1, 0] == 4)
    #expect(matrix.range(ofRow: 1) == 3..<6)
    matrix[1, 1] = 50
    #expect(matrix.values == [1, 2, 3, 4, 50, 6])
  }

  @Test("A matrix without values is all zeros")
  func zeros() { #expect(Matrix(rows: 2, columns: 2).values == [0, 0, 0, 0]) }

  @Test("Rows are selected in the order asked for, also twice or not at all")
  func selection() {
    #expect(Self.matrix.selecting(rows: [1, 0, 1]).values == [4, 5, 6, 1, 2, 3, 4, 5, 6])
    #expect(Self.matrix.selecting(rows: []) == Matrix(rows: 0, columns: 3))
  }

  @Test("Transposing changes rows and columns")
  func transposed() {
    #expect(Self.matrix.transposed == Matrix(rows: 3, columns: 2, values: [1, 4, 2, 5, 3, 6]))
    #expect(Self.matrix.transposed.transposed == Self.matrix)
  }

  @Test("Values of another number than the sides make up are the programmer's fault")
  func wrongCount() async {
    await #expect(processExitsWith: .failure) {
      _ = Matrix(rows: 2, columns: 2, values: [1, 2, 3])
    }
  }
}
