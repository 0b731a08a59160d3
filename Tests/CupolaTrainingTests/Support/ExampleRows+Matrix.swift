@testable import Cupola
@testable import CupolaTraining

extension ExampleRows {
  /// The rows of a matrix, exactly.
  init(_ matrix: Matrix) {
    self.init(
      [SafeTensors.Tensor(floats: matrix.values, shape: [matrix.rows, matrix.columns])],
      columns: matrix.columns)
  }
}
