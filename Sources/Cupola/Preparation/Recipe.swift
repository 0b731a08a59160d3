// What lies between a photo and its feature vector.
//
// 1. `Geometry` says which part of a photo fills the square that the features see; `Region` is that part in pixels.
// 2. `Recipe` names the square's side, the geometries and the features, and prepares photos accordingly.

/// Everything between a photo and its feature vector, stored whole in every model.
///
/// Training and inference use the same value, so that they cannot differ.
public struct Recipe: Equatable, Sendable {
  /// The version of the algorithms themselves; a reader refuses one it does not know.
  package static let currentVersion = 1

  /// Which algorithms the numbers below belong to.
  package var version = Recipe.currentVersion
  /// Side in pixels of the square that photos are resized to, even.
  package var inputSide: Int
  /// How a photo fills that square when it is to be classified.
  package var geometry: Geometry
  /// How photos fill it when they train: every photo once for each.
  package var trainingGeometries: [Geometry]
  /// Whether photos also train as a mirror shows them, once more for each geometry.
  ///
  /// Facades are not symmetric, and yet it helps: a mirrored photo is one from another side.
  package var mirrorsTraining = false
  /// What is computed from the square.
  package var features: FeatureSettings

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
  package var colorWeight: Float? { features.colorWeight }

  /// The view that photos to be classified are seen by, among those that train.
  package var testView: Int { trainingGeometries.firstIndex(of: geometry) ?? 0 }

  /// Values in a feature vector.
  package var featureCount: Int { features.count(inputSide: inputSide) }

  /// Decodes a photo upright, at the smallest size that still fills the square.
  ///
  /// - Throws: ``CupolaError`` when its picture data are damaged or end early.
  package func decode(_ photo: Photo) throws(CupolaError) -> RGBImage {
    try photo.image(minimumWidth: inputSide, minimumHeight: inputSide)
  }

  /// Crops and resizes an upright picture to the square.
  package func prepare(_ image: RGBImage, geometry: Geometry) -> RGBImage {
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

/// Which part of a photo fills the square that the features see.
package enum Geometry: Equatable, Sendable {
  /// The whole photo, stretched to the square.
  case squash
  /// The largest centered square.
  case centerCrop
  /// A part of the photo, stretched to the square: what a step to the side or nearer would show.
  case window(Window)

  /// A part of a photo, in 1/100 of its sides.
  package struct Window: Equatable, Codable, Sendable {
    /// From the left edge, 0...99.
    package var left: Int
    /// From the top edge, 0...99.
    package var top: Int
    /// Of the photo's width, 1...100.
    package var width: Int
    /// Of the photo's height, 1...100.
    package var height: Int

    /// A part that lies within the photo.
    package init(left: Int, top: Int, width: Int, height: Int) {
      precondition(
        left >= 0 && top >= 0 && width > 0 && height > 0 && left + width <= 100
          && top + height <= 100, "a window that leaves the photo")
      self.left = left
      self.top = top
      self.width = width
      self.height = height
    }
  }

  /// Windows of `size`/100 of each side, spread evenly in `count` columns and rows.
  package static func windows(size: Int, count: Int) -> [Geometry] {
    let places = (0..<count).map { count == 1 ? (100 - size) / 2 : $0 * (100 - size) / (count - 1) }
    return places.flatMap { top in
      places.map { left in .window(Window(left: left, top: top, width: size, height: size)) }
    }
  }

  /// The part of a `width` x `height` photo that is used.
  package func region(width: Int, height: Int) -> Region {
    switch self {
    case .squash:
      return Region(x: 0, y: 0, width: width, height: height)
    case .centerCrop:
      let side = min(width, height)
      return Region(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
    case .window(let window):
      return Region(
        x: width * window.left / 100, y: height * window.top / 100,
        width: max(1, width * window.width / 100), height: max(1, height * window.height / 100))
    }
  }
}

extension Geometry: Codable {
  private enum CodingKeys: String, CodingKey { case window }

  /// Reads `"squash"`, `"centreCrop"` or `{"window": {...}}`.
  package init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .window(try container.decode(Window.self, forKey: .window))
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

  /// Writes `"squash"`, `"centreCrop"` or `{"window": {...}}`.
  package func encode(to encoder: any Encoder) throws {
    if case .window(let window) = self {
      var container = encoder.container(keyedBy: CodingKeys.self)
      return try container.encode(window, forKey: .window)
    }
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// The kind, for people.
  package var name: String {
    switch self {
    case .squash: "squash"
    case .centerCrop: "centreCrop"
    case .window: "window"
    }
  }
}

/// A rectangle of whole pixels within a picture.
package struct Region: Equatable, Sendable {
  /// The leftmost column.
  package let x: Int
  /// The top row.
  package let y: Int
  /// Columns, at least 1.
  package let width: Int
  /// Rows, at least 1.
  package let height: Int

  /// A rectangle with its top left corner at column `x` and row `y`.
  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
