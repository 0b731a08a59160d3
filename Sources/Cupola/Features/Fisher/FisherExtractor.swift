/// Fisher-encoded local HOG and color: what survives a change of viewpoint.
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
  package let color: Encoder
  private let workspaces = WorkspacePool<FisherWorkspace>()

  package init(settings: FisherSettings, hog: Encoder, color: Encoder) {
    self.settings = settings
    self.hog = hog
    self.color = color
  }

  package func read(_ image: RGBImage, into features: inout [Float]) {
    precondition(image.width == image.height, "a picture of \(image.width)x\(image.height)")
    precondition(features.count == settings.count, "room for \(features.count) features")
    workspaces.with(
      fitting: { $0.side == image.width }, orMade: { FisherWorkspace(self, side: image.width) }
    ) { workspace in
      workspace.read(image, into: &features)
    }
  }

  /// Whether all numbers are the same.
  package static func == (first: FisherExtractor, second: FisherExtractor) -> Bool {
    first.settings == second.settings && first.hog == second.hog && first.color == second.color
  }
}

/// The numbers of the `fisher` features.
package struct FisherSettings: Equatable, Codable, Sendable {
  /// Sides in pixels of the pictures that patches are taken from.
  package var sides: [Int]
  /// Pixels between neighboring patches, even.
  package var step: Int
  /// Components of each mixture, a multiple of 8.
  package var components: Int
  /// Dimensions of HOG patches after PCA.
  package var hogDimensions: Int
  /// Dimensions of color patches after PCA.
  package var colorDimensions: Int
  /// The color part's weight beside the HOG part's 1; training chooses it.
  package var colorWeight: Float
  /// The contrast up to which a patch does not count at all; see ``PatchContrast``.
  package var flatContrast: Float = 0.02
  /// The contrast from which on a patch counts in full.
  package var fullContrast: Float = 0.11
  /// How far the components' parts of the Fisher vector are brought to the same length: 0 leaves them,
  /// 1 makes them equal (Arandjelovic & Zisserman, CVPR 2013), so that what fills most of the
  /// picture does not drown what tells buildings apart.
  package var componentFlattening: Float = 0.7

  // Models have had these names in them since before the spelling changed.
  private enum CodingKeys: String, CodingKey {
    case sides, step, components, hogDimensions, flatContrast, fullContrast, componentFlattening
    case colorDimensions = "colourDimensions"
    case colorWeight = "colourWeight"
  }

  /// Used where training cannot choose another.
  package static let usualColorWeight: Float = 0.35

  /// For live frames on small devices.
  package static let fast = FisherSettings(
    sides: [192, 128], step: 8, components: 64, hogDimensions: 48, colorDimensions: 24,
    colorWeight: usualColorWeight)

  /// The best accuracy, at some twice the work.
  package static let best = FisherSettings(
    sides: [288, 202, 144], step: 6, components: 256, hogDimensions: 64, colorDimensions: 32,
    colorWeight: usualColorWeight)

  /// The best ratio of accuracy to work.
  package static let balanced = FisherSettings(
    sides: [256, 179, 128], step: 6, components: 128, hogDimensions: 64, colorDimensions: 32,
    colorWeight: usualColorWeight)

  /// Values in a feature vector.
  package var count: Int { 2 * components * (hogDimensions + 2 + colorDimensions + 2) }
}
