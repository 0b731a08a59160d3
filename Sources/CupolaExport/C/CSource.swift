public import Cupola

/// A model as one header and one source file in C99: from the pixels of a picture to an answer, without
/// allocation and without any library but libm.
///
/// Its numbers stand in constants and tables; the functions around them are the same for every model.
/// So a source that was read back can be compared with its model number by number, and computed here.
public struct CSource: Equatable, Sendable {
  /// The version of the arrangement of constants and tables.
  static let formatVersion = 1

  /// The version of Cupola that wrote the files.
  var version = cupolaVersion
  /// What lies between picture and features; how it was trained is not told.
  var recipe: Recipe
  /// What a label is called in the answers of a program.
  var names: [String]
  /// ``Graph/notACampusBuilding``, then the buildings in the model's order.
  public internal(set) var labels: [String]
  /// For each of the classifier's rows, its label.
  var labelOfRow: [Int]
  /// How surely a building must be recognised, and what makes logits probabilities.
  var decision: CDecision
  /// Rings in the order of their polygons; `nil` without a map.
  var fence: CFence?
  /// The model file's tensors.
  var tensors: [String: SafeTensors.Tensor]
  /// How the classifier is stored.
  var weights: WeightFormat

  /// The source of a model with its weights in a format.
  ///
  /// - Throws: ``ExportError``.
  public init(model: Model, weights: WeightFormat) throws(ExportError) {
    try Self.check(model)
    let rounded = model.rounded(to: weights)
    let buildings = model.labels.buildings.map { model.labels.names[$0] }
    var next = 0
    labelOfRow = model.labels.names.map { name in
      guard !Labels.isBackground(name) else { return 0 }
      next += 1
      return next
    }
    recipe = Self.recipe(
      inputSide: model.recipe.inputSide, geometry: model.recipe.geometry,
      features: model.recipe.features)
    labels = [Graph.notACampusBuilding] + buildings
    names =
      ["Not a Campus Building"]
      + buildings.map { model.campus?.building(labelled: $0)?.name ?? $0 }
    decision = CDecision(model.calibration)
    fence = model.campus.map { CFence($0.geofence) }
    tensors = ClassifierTensors.tensors(of: rounded.classifier, as: weights)
      .merging(ExtractorTensors.tensors(of: model.extractor)) { $1 }
    self.weights = weights
    for text in labels + names where !Self.isWritable(text) {
      throw .textForC(text)
    }
  }

  init(
    version: String, recipe: Recipe, names: [String], labels: [String], labelOfRow: [Int],
    decision: CDecision, fence: CFence?, tensors: [String: SafeTensors.Tensor],
    weights: WeightFormat
  ) {
    self.version = version
    self.recipe = recipe
    self.names = names
    self.labels = labels
    self.labelOfRow = labelOfRow
    self.decision = decision
    self.fence = fence
    self.tensors = tensors
    self.weights = weights
  }

  /// A recipe without what only training uses.
  static func recipe(inputSide: Int, geometry: Geometry, features: FeatureSettings) -> Recipe {
    let whole = Geometry.window(Geometry.Window(left: 0, top: 0, width: 100, height: 100))
    var recipe = Recipe.hog
    recipe.inputSide = inputSide
    recipe.geometry = geometry == whole ? .squash : geometry
    recipe.trainingGeometries = []
    recipe.features = features
    return recipe
  }

  /// Whether a C string can hold a text.
  static func isWritable(_ text: String) -> Bool {
    text.utf8.count <= CLiteral.textLimit && !text.utf8.contains(0)
  }

  /// Refuses what no graph is made for either, so that all exports have the same limits.
  private static func check(_ model: Model) throws(ExportError) {
    guard !model.labels.names.contains(Graph.notACampusBuilding) else {
      throw .reservedLabel(Graph.notACampusBuilding)
    }
    guard case .hog(let hog) = model.recipe.features else { return }
    guard hog.voting == .linear else { throw .nearestVoting }
    guard model.recipe.featureCount > 0 else { throw .pictureTooSmall }
  }
}

/// The numbers between logits and an answer.
struct CDecision: Equatable {
  let temperature: Double
  /// As ``OperatingPoint/leastOdds`` of the usual error.
  let leastOdds: Double
  /// As ``OperatingPoint/leastShare``.
  let leastShare: Double

  init(temperature: Double, leastOdds: Double, leastShare: Double) {
    self.temperature = temperature
    self.leastOdds = leastOdds
    self.leastShare = leastShare
  }

  init(_ calibration: Calibration) {
    let point = OperatingPoint(calibration)
    self.init(
      temperature: calibration.temperature, leastOdds: point.leastOdds,
      leastShare: point.leastShare)
  }
}

/// The rings of a fence, each as one closed line in the plane of longitude and latitude.
struct CFence: Equatable {
  /// Longitude and latitude of all corners, ring after ring.
  let points: [SIMD2<Double>]
  /// For each ring the number of corners before its end.
  let ringEnds: [Int]
  /// For each polygon the number of rings before its end.
  let polygonEnds: [Int]

  init(points: [SIMD2<Double>], ringEnds: [Int], polygonEnds: [Int]) {
    self.points = points
    self.ringEnds = ringEnds
    self.polygonEnds = polygonEnds
  }

  init(_ fence: Geofence) {
    var points: [SIMD2<Double>] = []
    var ringEnds: [Int] = []
    var polygonEnds: [Int] = []
    for polygon in fence.polygons {
      for ring in polygon.rings {
        points +=
          (try? UnwrappedRing.points(of: ring))?.map { [$0.x, $0.y] }
          ?? ring.map { [$0.longitude, $0.latitude] }
        ringEnds.append(points.count)
      }
      polygonEnds.append(ringEnds.count)
    }
    self.init(points: points, ringEnds: ringEnds, polygonEnds: polygonEnds)
  }
}
