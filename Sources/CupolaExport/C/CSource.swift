internal import Cupola

// 1. Get the model's data: labels, thresholds, fence, places and weights.
// 2. Write sizes and single numbers as preprocessor constants, and all other data as tables (`CSource+Text.swift`).
// 3. Add the functions from `Runtime` and those for the features, which are the same for all models.

/// A model as a C99 header and source file, which allocate no memory and require no library except libm.
struct CSource {
  var hasUnknown: Bool { labels.last == Graph.unknownBuilding }
  var buildingCount: Int { labels.count - (hasUnknown ? 2 : 1) }

  static let formatVersion = 1

  let model: Model
  let extractor: any ExportableExtractor
  /// The labels, in the same order as the probabilities.
  let labels: [String]
  let names: [String]
  /// The index of the label for each row of the classifier.
  let labelOfRow: [Int]
  let fence: CFence?
  let place: ExportPlace?
  let tensors: [String: SafeTensors.Tensor]
  let weights: WeightFormat
  let point: Thresholds

  init(
    model: Model, weights: WeightFormat, point: Thresholds? = nil
  ) throws(ExportError) {
    self.point = point ?? Thresholds(model.calibration)
    try model.checkForExport()
    self.model = model
    extractor = model.extractor.exportable
    labels = model.exportLabels
    names = labels.map { label in
      switch label {
      case Graph.notACampusBuilding: "Not a Campus Building"
      case Graph.unknownBuilding: "Unknown Building"
      default: model.campus?.building(labeled: label)?.name ?? label
      }
    }
    let index = Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
    labelOfRow = model.labels.names.map { name in
      index[name == Labels.unfamiliar ? Graph.unknownBuilding : name] ?? 0
    }
    place = ExportPlace(model)
    fence = model.campus.map { CFence($0.geofence) }
    tensors = ClassifierTensors.tensors(
      of: Self.rows(of: model.rounded(to: weights)), as: weights
    ).merging(model.extractor.tensors) { $1 }
    self.weights = weights
    let others = place?.table.buildings.flatMap { [$0.label, $0.name] } ?? []
    for text in labels + names + others where !CLiteral.isPossible(text) { throw .textForC(text) }
  }
}

extension CSource {
  /// The rows of the classifier, followed by the directions of the buildings if there is a novelty detector.
  private static func rows(of model: Model) -> LinearClassifier {
    let classifier = model.classifier.front
    guard let directions = model.novelty?.directions else { return classifier }
    return LinearClassifier(
      weights: Matrix(
        rows: classifier.weights.rows + directions.rows, columns: directions.columns,
        values: classifier.weights.values + directions.values),
      biases: classifier.biases + [Float](repeating: 0, count: directions.rows))
  }
}

struct CFence {
  /// The longitude and latitude of all vertices, ring by ring.
  private(set) var points: [SIMD2<Double>] = []
  /// For each ring, the total number of vertices up to its end.
  private(set) var ringEnds: [Int] = []
  /// For each polygon, the total number of rings up to its end.
  private(set) var polygonEnds: [Int] = []

  init(_ fence: Geofence) {
    for polygon in fence.polygons {
      for ring in polygon.rings {
        points +=
          (try? UnwrappedRing.points(of: ring))?.map { [$0.x, $0.y] }
          ?? ring.map { [$0.longitude, $0.latitude] }
        ringEnds.append(points.count)
      }
      polygonEnds.append(ringEnds.count)
    }
  }
}

extension CSource {
  struct Constant {
    let line: String

    init(_ name: String, _ literal: String) { line = "#define CUPOLA_\(name) \(literal)\n" }

    init(_ name: String, _ value: Int) { self.init(name, String(value)) }

    init(_ name: String, _ value: Bool) { self.init(name, value ? 1 : 0) }

    init(_ name: String, _ value: Float) { self.init(name, CLiteral.number(value)) }

    init(_ name: String, _ value: Double) { self.init(name, CLiteral.number(value)) }

    init(_ name: String, text: String) { self.init(name, CLiteral.text(text)) }
  }

  var headerConstants: [Constant] {
    let recipe = model.recipe
    return [
      Constant("VERSION", text: cupolaVersion), Constant("FORMAT_VERSION", Self.formatVersion),
      Constant("RECIPE_VERSION", recipe.version), Constant("SIDE", recipe.inputSide),
      Constant("LABELS", labels.count), Constant("BUILDINGS", buildingCount),
      Constant("PLACES", placeCount), Constant("ROWS", labelOfRow.count),
      Constant("FEATURES", recipe.featureCount), Constant("HAS_NOVELTY", model.novelty != nil),
    ] + extractor.sizesInC(inputSide: recipe.inputSide)
  }

  var sourceConstants: [Constant] {
    let (geometry, calibration) = (model.recipe.geometry, model.calibration)
    let window =
      if case .window(let window) = geometry { window } else {
        Geometry.Crop(left: 0, top: 0, width: 100, height: 100)
      }
    return [
      Constant("TABLES_SHA256", text: ModelFile.digest(of: tensors)),
      Constant("CENTER_CROP", geometry == .centerCrop), Constant("WINDOW_LEFT", window.left),
      Constant("WINDOW_TOP", window.top), Constant("WINDOW_WIDTH", window.width),
      Constant("WINDOW_HEIGHT", window.height),
    ] + extractor.numbersInC + [
      Constant("HAS_SCALES", weights == .int8), Constant("TEMPERATURE", calibration.temperature),
      Constant("HAS_BACKGROUND", labelOfRow.contains(0)),
      Constant("HAS_UNKNOWN", hasUnknown),
      Constant("LEAST_ODDS", point.leastOdds), Constant("LEAST_SHARE", point.leastShare),
      Constant("HAS_FENCE", fence != nil),
    ]
      + (model.novelty.map { novelty in
        [
          Constant("NOVELTY_ROWS", novelty.directions.rows),
          Constant("NOVELTY_INTERCEPT", novelty.intercept),
          Constant("NOVELTY_SLOPE", novelty.slope),
        ]
      } ?? [])
      + (fence.map { fence in
        [
          Constant("FENCE_POINTS", fence.points.count),
          Constant("FENCE_RINGS", fence.ringEnds.count),
          Constant("FENCE_POLYGONS", fence.polygonEnds.count),
        ]
      } ?? [])
  }
}
