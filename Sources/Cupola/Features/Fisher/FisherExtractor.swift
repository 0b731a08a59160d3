/// Fisher-encoded local HOG and colour: what survives a change of viewpoint.
package struct FisherExtractor: Equatable, Sendable {
  /// What one kind of patch descriptor is encoded with.
  package struct Encoder: Equatable, Sendable {
    package let components: PrincipalComponents
    package let mixture: GaussianMixture

    package init(components: PrincipalComponents, mixture: GaussianMixture) {
      self.components = components
      self.mixture = mixture
    }
  }

  package let settings: FisherSettings
  package let hog: Encoder
  package let colour: Encoder

  package init(settings: FisherSettings, hog: Encoder, colour: Encoder) {
    self.settings = settings
    self.hog = hog
    self.colour = colour
  }

  /// The feature vector of a square picture: HOG part, colour part, L2 norm 1.
  package func features(of image: RGBImage) -> [Float] {
    features(of: settings.patches(of: image).counting)
  }

  /// The feature vector of some patches.
  func features(of patches: FisherSettings.Patches) -> [Float] {
    let flattening = settings.componentFlattening
    func encode(_ descriptors: Matrix, _ encoder: Encoder) -> [Float] {
      FisherVector.encode(
        encoder.components.project(descriptors, places: patches.places), weights: patches.weights,
        mixture: encoder.mixture, flattening: flattening)
    }
    let weight = settings.colourWeight
    let colourPart = encode(patches.colour, colour).map { $0 * weight }
    return VectorMath.unit(encode(patches.hog, hog) + colourPart)
  }
}

/// The numbers of the `fisher` features.
package struct FisherSettings: Equatable, Codable, Sendable {
  /// Sides in pixels of the pictures that patches are taken from.
  package var sides: [Int]
  /// Pixels between neighbouring patches, even.
  package var step: Int
  /// Components of each mixture, a multiple of 8.
  package var components: Int
  /// Dimensions of HOG patches after PCA.
  package var hogDimensions: Int
  /// Dimensions of colour patches after PCA.
  package var colourDimensions: Int
  /// The colour part's weight beside the HOG part's 1; training chooses it.
  package var colourWeight: Float
  /// The contrast up to which a patch does not count at all; see ``PatchContrast``.
  package var flatContrast: Float = 0.02
  /// The contrast from which on a patch counts in full.
  package var fullContrast: Float = 0.11
  /// How far the components' parts of the Fisher vector are brought to the same length: 0 leaves them,
  /// 1 makes them equal (Arandjelovic & Zisserman, CVPR 2013), so that what fills most of the
  /// picture does not drown what tells buildings apart.
  package var componentFlattening: Float = 0.7

  /// Used where training cannot choose another.
  package static let usualColourWeight: Float = 0.35

  /// For live frames on small devices.
  package static let fast = FisherSettings(
    sides: [192, 128], step: 8, components: 64, hogDimensions: 48, colourDimensions: 24,
    colourWeight: usualColourWeight)

  /// The best accuracy, at some twice the work.
  package static let best = FisherSettings(
    sides: [288, 202, 144], step: 6, components: 256, hogDimensions: 64, colourDimensions: 32,
    colourWeight: usualColourWeight)

  /// The best ratio of accuracy to work.
  package static let balanced = FisherSettings(
    sides: [256, 179, 128], step: 6, components: 128, hogDimensions: 64, colourDimensions: 32,
    colourWeight: usualColourWeight)

  /// Descriptors of all patches of all sides, where the patches stand and how much they count.
  package struct Patches {
    package let hog: Matrix
    package let colour: Matrix
    package let places: [SIMD2<Float>]
    package let weights: [Float]

    /// Some of the patches.
    package func selecting(_ rows: [Int]) -> Patches {
      Patches(
        hog: hog.selecting(rows: rows), colour: colour.selecting(rows: rows),
        places: rows.map { places[$0] }, weights: rows.map { weights[$0] })
    }

    /// Without the patches that do not count.
    var counting: Patches { selecting(weights.indices.filter { weights[$0] > 0 }) }
  }

  /// Values in a feature vector.
  package var count: Int { 2 * components * (hogDimensions + 2 + colourDimensions + 2) }

  package func patches(of image: RGBImage) -> Patches {
    let whole = ColourImage(image)
    var hog: [Float] = []
    var colour: [Float] = []
    var places: [SIMD2<Float>] = []
    for side in sides {
      let scaled = side == whole.width ? whole : whole.resized(width: side, height: side)
      let grid = PatchGrid(side: side, step: step)
      hog += LocalHOG.descriptors(of: scaled.luma, grid: grid).values
      colour += LocalColour.descriptors(of: scaled, grid: grid).values
      for row in 0..<grid.count {
        for column in 0..<grid.count { places.append([grid.centre(column), grid.centre(row)]) }
      }
    }
    let colours = Matrix(rows: places.count, columns: LocalColour.count, values: colour)
    return Patches(
      hog: Matrix(rows: places.count, columns: LocalHOG.count, values: hog), colour: colours,
      places: places,
      weights: PatchContrast.weights(of: colours, flat: flatContrast, full: fullContrast))
  }
}
