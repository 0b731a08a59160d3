/// The classic descriptor of the whole picture at half its size; nothing about it is learned.
package struct HOGExtractor: Extractor {
  package let settings: HOG
  private let workspaces = WorkspacePool<HOGWorkspace>()

  package init(settings: HOG) { self.settings = settings }

  package func read(_ image: RGBImage, into features: inout [Float]) throws(CupolaError) {
    let (width, height) = (image.width / 2, image.height / 2)
    guard settings.count(width: width, height: height) > 0 else {
      throw .pictureTooSmall(
        width: width, height: height, needed: settings.cellSize * settings.blockSize)
    }
    workspaces.with(
      fitting: { $0.width == width && $0.height == height },
      orMade: { HOGWorkspace(settings, width: width, height: height) }
    ) { workspace in
      workspace.read(image, into: &features)
    }
  }

  package var tensors: [String: SafeTensors.Tensor] { [:] }

  package init(settings: HOG, tensors file: SafeTensors) { self.init(settings: settings) }

  package func evidence(_ contributions: [Double], of image: RGBImage) -> EvidenceMap {
    HOGAttribution.map(contributions, settings, side: image.width / 2)
  }

  package func cells(of image: RGBImage) -> CellGrid? {
    settings.cells(of: GrayImage(luma: image).halved())
  }

  /// Whether all numbers are the same.
  package static func == (first: HOGExtractor, second: HOGExtractor) -> Bool {
    first.settings == second.settings
  }
}
