import Cupola
import Foundation
import Testing

/// What Scripts/goldens/fisher.py made: fits by scikit-learn.
struct FisherGolden {
  private let file: SafeTensors

  init() throws {
    let url = try #require(
      Bundle.module.url(
        forResource: "fisher", withExtension: "safetensors", subdirectory: "Fixtures"))
    file = try SafeTensors(bytes: Array(try Data(contentsOf: url)))
  }

  func floats(_ name: String) throws -> [Float] { try #require(file.tensors[name]?.floats) }

  func matrix(_ name: String) throws -> Matrix {
    let shape = try #require(file.tensors[name]?.shape)
    try #require(shape.count == 2)
    return Matrix(rows: shape[0], columns: shape[1], values: try floats(name))
  }

  /// The mixture after so many steps of EM: 0, 1 or 40.
  func mixture(_ steps: Int) throws -> GaussianMixture {
    GaussianMixture(
      weights: try floats("em.\(steps).weights"), means: try matrix("em.\(steps).means"),
      variances: try matrix("em.\(steps).variances"))
  }
}
