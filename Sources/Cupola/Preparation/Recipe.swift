// Define the steps from a photo to its feature vector:
// 1. `Geometry` selects the part of a photo that fills the input square; `PixelRect` is the same part in pixels.
// 2. `Recipe` holds the square's side, the geometries, and the features, and prepares photos.

/// All settings for turning a photo into a feature vector. Each model stores them for training and inference.
public struct Recipe: Equatable, Sendable {
  /// The version of the algorithms. Other versions are rejected.
  package static let currentVersion = 1

  package var version = Recipe.currentVersion
  /// Side of the input square in pixels, even.
  package var inputSide: Int
  /// The crop for classification.
  package var geometry: Geometry
  /// The crops for training; each photo is used once for each crop.
  package var trainingGeometries: [Geometry]
  /// Whether training also uses a mirrored copy of each crop.
  /// This improves accuracy even though facades are not symmetric, because it simulates other viewpoints.
  package var mirrorsTraining = false
  package var features: FeatureSettings

  /// HOG features: the smallest and fastest recipe, used as a baseline.
  ///
  /// Trains on the whole photo, the center, and four windows shifted by less than a cell, so that the classifier
  /// tolerates small shifts.
  public static let hog = Recipe(
    inputSide: 256, geometry: .squash,
    trainingGeometries: [.squash, .centerCrop] + Geometry.windows(size: 95, count: 2),
    features: .hog(.standard))

  /// Fisher vectors of HOG and color, the default: as accurate as transfer learning.
  package static func fisher(_ settings: FisherSettings = .balanced) -> Recipe {
    Recipe(
      inputSide: settings.sides.max() ?? 256, geometry: .squash,
      trainingGeometries: [.squash, .centerCrop], mirrorsTraining: true,
      features: .fisher(settings))
  }

  /// The fastest Fisher recipe, for live frames on small devices.
  public static let fast = fisher(.fast)
  /// The default recipe, with the best ratio of accuracy to computation.
  public static let balanced = fisher(.balanced)
  /// The most accurate recipe, which needs about twice the computation of `balanced`.
  public static let best = fisher(.best)

  package var colorWeight: Float? { features.colorWeight }

  package var testView: Int { trainingGeometries.firstIndex(of: geometry) ?? 0 }

  package var featureCount: Int { features.count(inputSide: inputSide) }

  /// Decodes an upright image at the smallest size that fills the input square.
  package func decode(_ photo: Photo) throws(CupolaError) -> RGBImage {
    try photo.image(minimumWidth: inputSide, minimumHeight: inputSide)
  }

  package func prepare(_ image: RGBImage, geometry: Geometry) -> RGBImage {
    AreaResampler.resize(
      image, region: geometry.region(width: image.width, height: image.height),
      width: inputSide, height: inputSide)
  }

  /// Crops and resizes an image for classification, overwriting `square`.
  /// - Parameter resampler: Replaced by a new one if it does not fit the size of the region.
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

  /// Decodes a recipe. In older models, `mirrorsTraining` is missing and defaults to `false`.
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

/// The part of a photo that fills the input square.
package enum Geometry: Equatable, Sendable {
  /// The whole photo, stretched to the square.
  case squash
  /// The largest centered square.
  case centerCrop
  /// A part of the photo, stretched to the square. It simulates a step sideways or forward.
  case window(Crop)

  /// A part of a photo, in percent of its sides.
  package struct Crop: Equatable, Codable, Sendable {
    package var left: Int
    package var top: Int
    package var width: Int
    package var height: Int

    package init(left: Int, top: Int, width: Int, height: Int) {
      precondition(
        left >= 0 && top >= 0 && width > 0 && height > 0 && left + width <= 100
          && top + height <= 100, "crop window outside the photo")
      self.left = left
      self.top = top
      self.width = width
      self.height = height
    }
  }

  /// Returns windows that cover `size` percent of each side, evenly spaced in `count` columns and rows.
  package static func windows(size: Int, count: Int) -> [Geometry] {
    let places = (0..<count).map { count == 1 ? (100 - size) / 2 : $0 * (100 - size) / (count - 1) }
    return places.flatMap { top in
      places.map { left in .window(Crop(left: left, top: top, width: size, height: size)) }
    }
  }

  package func region(width: Int, height: Int) -> PixelRect {
    switch self {
    case .squash:
      return PixelRect(x: 0, y: 0, width: width, height: height)
    case .centerCrop:
      let side = min(width, height)
      return PixelRect(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
    case .window(let window):
      return PixelRect(
        x: width * window.left / 100, y: height * window.top / 100,
        width: max(1, width * window.width / 100), height: max(1, height * window.height / 100))
    }
  }
}

extension Geometry: Codable {
  private enum CodingKeys: String, CodingKey { case window }

  /// Decodes `"squash"`, `"centreCrop"`, or `{"window": {...}}`.
  package init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .window(try container.decode(Crop.self, forKey: .window))
      return
    }
    let container = try decoder.singleValueContainer()
    switch try container.decode(String.self) {
    case "squash": self = .squash
    case "centreCrop": self = .centerCrop
    default:
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown geometry")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    if case .window(let window) = self {
      var container = encoder.container(keyedBy: CodingKeys.self)
      return try container.encode(window, forKey: .window)
    }
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  package var name: String {
    switch self {
    case .squash: "squash"
    case .centerCrop: "centreCrop"
    case .window: "window"
    }
  }
}

package struct PixelRect: Equatable, Sendable {
  package let x: Int
  package let y: Int
  package let width: Int
  package let height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
