internal import Cupola

extension HOG: ExportableExtractor {
  func checkForExport(inputSide: Int) throws(ExportError) {
    guard voting == .linear else { throw .nearestVoting }
    guard count(inputSide: inputSide) > 0 else { throw .pictureTooSmall }
  }

  func graphFeatures(
    of picture: GraphBuilder.Value, side: Int, in builder: inout GraphBuilder
  ) -> GraphFeatures {
    GraphFeatures(value: builder.hogFeatures(picture, side: side, self))
  }

  func sizesInC(inputSide: Int) -> [CSource.Constant] {
    let side = inputSide / 2
    return [
      .init("GRAY_SIDE", side), .init("CELLS", side / cellSize), .init("CELL_SIZE", cellSize),
      .init("BLOCK_SIZE", blockSize), .init("ORIENTATIONS", orientations),
      .init("TRIANGULAR", pooling == .triangular),
    ]
  }

  var numbersInC: [CSource.Constant] {
    [
      .init("CLIP", clip), .init("FIRST_EPSILON", firstEpsilon),
      .init("SECOND_EPSILON", secondEpsilon),
    ]
  }

  static var headerInC: [UInt8] { PackageResources.header_hog_h }
  static var functionsInC: [[UInt8]] { [PackageResources.hog_c] }
}
