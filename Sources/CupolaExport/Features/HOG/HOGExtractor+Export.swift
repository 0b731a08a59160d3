internal import Cupola

extension HOGExtractor: ExportableExtractor {
  func checkForExport(inputSide: Int) throws(ExportError) {
    let side = inputSide / 2
    guard settings.count(width: side, height: side) > 0 else { throw .pictureTooSmall }
  }

  func graphFeatures(
    of picture: GraphBuilder.Value, side: Int, in builder: inout GraphBuilder
  ) -> GraphFeatures {
    GraphFeatures(value: builder.hogFeatures(picture, side: side, settings))
  }

  func sizesInC(inputSide: Int) -> [CSource.Constant] {
    let (side, cellSize) = (inputSide / 2, settings.cellSize)
    return [
      .init("GRAY_SIDE", side), .init("CELLS", side / cellSize), .init("CELL_SIZE", cellSize),
      .init("BLOCK_SIZE", settings.blockSize), .init("ORIENTATIONS", settings.orientations),
      .init("TRIANGULAR", true),
    ]
  }

  var numbersInC: [CSource.Constant] {
    [
      .init("CLIP", settings.clip), .init("FIRST_EPSILON", settings.firstEpsilon),
      .init("SECOND_EPSILON", settings.secondEpsilon),
    ]
  }

  static var headerInC: [UInt8] { PackageResources.header_hog_h }
  static var functionsInC: [[UInt8]] { [PackageResources.hog_c] }
}
