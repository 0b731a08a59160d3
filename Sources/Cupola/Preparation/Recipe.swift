/// Everything between a photo and its feature vector, stored whole in every model.
///
/// Training and inference use the same value, so that they cannot differ.
public struct Recipe: Equatable, Sendable {
  /// The version of the algorithms themselves; a reader refuses one it does not know.
  public static let currentVersion = 1

  /// Which algorithms the numbers below belong to.
  public package(set) var version = Recipe.currentVersion
  /// Side in pixels of the square that photos are resized to, even.
  public package(set) var inputSide: Int
  /// How a photo fills that square when it is to be classified.
  public package(set) var geometry: Geometry
  /// How photos fill it when they train: every photo once for each.
  public package(set) var trainingGeometries: [Geometry]
  /// Whether photos also train as a mirror shows them, once more for each geometry.
  ///
  /// Facades are not symmetric, and yet it helps: a mirrored photo is one from another side.
  public package(set) var mirrorsTraining = false
  /// What is computed from the square.
  public package(set) var features: FeatureSettings

  /// The classic HOG descriptor: smallest, fastest, the baseline.
  ///
  /// It trains on four windows beside the whole and the center, shifted by less than a cell, so
  /// that the classifier tolerates such shifts.
  public static let hog = Recipe(
    inputSide: 256, geometry: .squash,
    trainingGeometries: [.squash, .centerCrop] + Geometry.windows(size: 95, count: 2),
    features: .hog(.standard))

  /// Fisher-encoded HOG and color: as accurate as transfer learning, the default.
  package static func fisher(_ settings: FisherSettings = .balanced) -> Recipe {
    Recipe(
      inputSide: settings.sides.max() ?? 256, geometry: .squash,
      trainingGeometries: [.squash, .centerCrop], mirrorsTraining: true,
      features: .fisher(settings))
  }

  /// For live frames on small devices.
  public static let fast = fisher(.fast)
  /// The best ratio of accuracy to work: the default.
  public static let balanced = fisher(.balanced)
  /// The best accuracy, at some twice the work.
  public static let best = fisher(.best)

  /// The weight of the color part of the features, if they have one.
  package var colorWeight: Float? { features.own.chosenColorWeight }

  /// The view that photos to be classified are seen by, among those that train.
  package var testView: Int { trainingGeometries.firstIndex(of: geometry) ?? 0 }

  /// Values in a feature vector.
  public var featureCount: Int { features.count(inputSide: inputSide) }

  /// Decodes a photo upright, at the smallest size that still fills the square.
  ///
  /// - Throws: ``CupolaError`` when its picture data are damaged or end early.
  public func decode(_ photo: Photo) throws(CupolaError) -> RGBImage {
    try photo.image(minimumWidth: inputSide, minimumHeight: inputSide)
  }

  /// Crops and resizes an upright picture to the square.
  public func prepare(_ image: RGBImage, geometry: Geometry) -> RGBImage {
    AreaResampler.resize(
      image, region: geometry.region(width: image.width, height: image.height),
      width: inputSide, height: inputSide)
  }

  /// The same as photos to be classified, over what was there.
  ///
  /// - Parameter resampler: made anew when it is for regions of another size.
  func prepare(
    _ image: RGBImage, with resampler: inout AreaResampler?, into square: inout RGBImage
  ) {
    let region = geometry.region(width: image.width, height: image.height)
    if !(resampler?.takes(region) ?? false) {
      resampler = AreaResampler(
        width: region.width, height: region.height, toWidth: inputSide, height: inputSide)
    }
    resampler?.resample(image, region: region, into: &square)
  }
}

extension Recipe: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, inputSide, geometry, trainingGeometries, mirrorsTraining, features
  }

  /// Reads a recipe; those of older models do not say whether photos were mirrored, and they were not.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      version: try container.decode(Int.self, forKey: .version),
      inputSide: try container.decode(Int.self, forKey: .inputSide),
      geometry: try container.decode(Geometry.self, forKey: .geometry),
      trainingGeometries: try container.decode([Geometry].self, forKey: .trainingGeometries),
      mirrorsTraining: try container.decodeIfPresent(Bool.self, forKey: .mirrorsTraining) ?? false,
      features: try container.decode(FeatureSettings.self, forKey: .features))
  }
}
