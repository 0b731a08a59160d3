import CupolaTestSupport

@testable import Cupola

enum SampleModel {
  /// Vertical edges are the hall, horizontal edges the tower, and slanting edges a background.
  static let labels = ["hall", "tower", "_slanting"]
  /// The orientation bins that are evidence for each label.
  private static let bins = [[0, 8], [4], [1, 2]]

  static var recipe: Recipe {
    var recipe = Recipe.hog
    recipe.inputSide = 32
    return recipe
  }

  static func model(campus: [UInt8]? = GeoJSONText.lima, leastShare: Double = 0.5) throws -> Model {
    try model(weights: weights, campus: campus, leastShare: leastShare)
  }

  private static var weights: Matrix {
    let features = recipe.featureCount
    var weights = Matrix(rows: labels.count, columns: features)
    for label in labels.indices {
      for feature in 0..<features where bins[label].contains(feature % 9) {
        weights[label, feature] = 10
      }
    }
    return weights
  }

  static func model(
    weights: Matrix, campus: [UInt8]? = GeoJSONText.lima, leastShare: Double = 0.5
  ) throws -> Model {
    Model(
      recipe: recipe, extractor: FeatureExtractor(hog: .standard), labels: Labels(labels),
      classifier: .softmax(LinearClassifier(weights: weights, biases: [0, 0, 0])),
      calibration: calibration(leastShare: leastShare),
      campus: try campus.map { try Campus(geoJSON: $0) },
      provenance: Provenance(
        version: "test", dataDigest: "00", photos: ["hall": 3, "tower": 4], seed: .max,
        regularization: 0.5, kernel: "none"))
  }

  /// A calibration that names a building whose share exceeds `leastShare`, unless a background is more probable.
  static func calibration(leastShare: Double) -> Calibration {
    Calibration(
      temperature: 1, notBuildings: ErrorCurve(photos: 19, wrong: [-1]),
      wrongNames: ErrorCurve(photos: 19, wrong: [leastShare]), falseRejectionRate: 0.01)
  }

  enum Subject: CaseIterable { case hall, tower, slanting, fog }

  static func picture(_ subject: Subject) -> RGBImage {
    .gray(64, 64) { x, y in
      switch subject {
      case .hall: (x / 8).isMultiple(of: 2) ? 60 : 200
      case .tower: (y / 8).isMultiple(of: 2) ? 60 : 200
      case .slanting: ((x + y) / 8).isMultiple(of: 2) ? 60 : 200
      case .fog: 128
      }
    }
  }

  static func photo(_ subject: Subject, exif: [UInt8] = []) throws -> [UInt8] {
    try JPEGEncoder.encode(picture(subject), quality: 95, exif: exif)
  }
}
