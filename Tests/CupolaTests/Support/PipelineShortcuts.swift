@testable import Cupola

extension ColorImage {
  init(_ image: RGBImage) {
    self.init(width: image.width, height: image.height)
    read(image)
  }

  func resized(width newWidth: Int, height newHeight: Int) -> ColorImage {
    var smaller = ColorImage(width: newWidth, height: newHeight)
    var resampler = PlaneResampler(
      width: width, height: height, toWidth: newWidth, height: newHeight)
    smaller.read(self, resampledBy: &resampler)
    return smaller
  }

  var luma: GrayImage {
    var luma = GrayImage(width: width, height: height)
    luma.read(lumaOf: self)
    return luma
  }
}

extension LocalHOG {
  static func pooledVotes(of image: GrayImage) -> [HOGCells.Votes] { cells(of: image).values }

  static func cells(of image: GrayImage) -> HOGCells {
    var cells = HOGCells(side: image.width)
    cells.read(image)
    return cells
  }

  static func descriptors(of image: GrayImage, grid: PatchGrid) -> Matrix {
    var result = Matrix(rows: grid.patches, columns: count)
    var starts: [Int] = []
    gather(
      Array(0..<grid.patches)[...], from: cells(of: image), grid: grid, zero: 0, starts: &starts,
      into: &result, from: 0)
    return result
  }
}

extension LocalColor {
  static func statistics(of image: ColorImage) -> [SIMD8<Float>] { cells(of: image).values }

  static func cells(of image: ColorImage) -> ColorCells {
    var cells = ColorCells(side: image.width)
    cells.read(image)
    return cells
  }

  static func descriptors(of image: ColorImage, grid: PatchGrid) -> Matrix {
    var result = Matrix(rows: grid.patches, columns: count)
    gather(
      Array(0..<grid.patches)[...], from: cells(of: image), grid: grid, zero: 0, into: &result,
      from: 0)
    return result
  }

  static func contrasts(of image: ColorImage, grid: PatchGrid) -> [PatchContrast.Sums] {
    var contrasts: [PatchContrast.Sums] = []
    appendContrasts(of: cells(of: image), grid: grid, to: &contrasts)
    return contrasts
  }
}

extension FisherSettings.Patches {
  var counting: Self { selecting(weights.indices.filter { weights[$0] > 0 }) }
}

extension PatchContrast {
  static func weights(of patches: [Sums], flat: Float, full: Float) -> [Float] {
    var weights: [Float] = []
    weigh(patches, flat: flat, full: full, into: &weights)
    return weights
  }
}

extension FisherVector {
  static func encode(
    _ rows: Matrix, weights: [Float], mixture: GaussianMixture, flattening: Float
  ) -> [Float] {
    var vector = FisherVector(mixture)
    vector.add(rows, weights: weights)
    var values = [Float](repeating: .nan, count: vector.count)
    var target = values.mutableSpan
    vector.write(into: &target, flattening: flattening)
    return values
  }
}

extension FisherExtractor {
  func features(of image: RGBImage) -> [Float] {
    var features = [Float](repeating: .nan, count: settings.count)
    read(image, into: &features)
    return features
  }

  func features(of patches: FisherSettings.Patches) -> [Float] {
    func part(_ rows: Matrix, _ encoder: Encoder) -> [Float] {
      FisherVector.encode(
        encoder.components.project(rows, places: patches.places), weights: patches.weights,
        mixture: encoder.mixture, flattening: settings.componentFlattening)
    }
    return VectorMath.unit(
      part(patches.hog, hog) + part(patches.color, color).map { $0 * settings.colorWeight })
  }
}
