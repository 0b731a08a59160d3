@testable import Cupola
@testable import CupolaTraining

extension Coordinates {
  /// All rows.
  var all: Matrix { selecting(rows: Array(0..<rows)) }
}
