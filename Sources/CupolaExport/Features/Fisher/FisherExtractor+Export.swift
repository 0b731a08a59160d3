internal import Cupola

extension FisherExtractor: ExportableExtractor {
  func checkForExport(inputSide: Int) throws(ExportError) {
    guard !settings.fittingGrids.isEmpty else { throw .pictureTooSmall }
  }

  func graphFeatures(
    of picture: GraphBuilder.Value, side: Int, in builder: inout GraphBuilder
  ) -> GraphFeatures {
    let (value, scale) = builder.fisherFeatures(picture, side: side, self)
    return GraphFeatures(value: value, scale: scale, columns: FisherOrder.columns(self))
  }

  func sizesInC(inputSide: Int) -> [CSource.Constant] {
    let sides = settings.sides
    func sum(_ count: (Int) -> Int) -> Int { sides.reduce(0) { $0 + count($1) * count($1) } }
    return [
      .init("SCALES", sides.count),
      .init("SIDES", "{" + sides.map(String.init).joined(separator: ", ") + "}"),
      .init("STEP", settings.step), .init("COMPONENTS", settings.components),
      .init("HOG_DIMENSIONS", settings.hogDimensions),
      .init("COLOR_DIMENSIONS", settings.colorDimensions),
      .init("HOG_CELLS", sum { ($0 + 1) / 2 }), .init("COLOR_CELLS", sum { $0 / 2 }),
      .init("PATCHES", sum { PatchGrid(side: $0, step: settings.step).count }),
    ]
  }

  var numbersInC: [CSource.Constant] {
    [
      .init("COLOR_WEIGHT", settings.colorWeight), .init("FLAT_CONTRAST", settings.flatContrast),
      .init("FULL_CONTRAST", settings.fullContrast),
      .init("FLATTENING", settings.componentFlattening),
    ]
  }

  static var headerInC: [UInt8] { PackageResources.header_fisher_h }

  static var functionsInC: [[UInt8]] {
    [
      PackageResources.product_c, PackageResources.planes_c, PackageResources.votes_c,
      PackageResources.color_c, PackageResources.patches_c, PackageResources.encoder_c,
      PackageResources.fisher_c,
    ]
  }
}
