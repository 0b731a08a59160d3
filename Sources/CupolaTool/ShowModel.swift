import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola model`.
struct ShowModel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Shows what is inside a model file.",
    discussion: """
      EXAMPLE
        cupola model campus.safetensors --json
      """)

  @Argument(help: "The model file.")
  var model: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    try await ExitStatus.reporting(about: model) {
      let bytes = try FileAccess.read(model)
      let card = ModelCard(try Model(bytes: bytes), path: model, bytes: bytes)
      Console.print(json ? try JSON.text(card, pretty: true) : card.text)
    }
  }
}

/// What `cupola model` shows: schema `cupola.model/1`.
struct ModelCard: Encodable {
  struct Place: Encodable {
    let positionWeight: Double
    let headingWeight: Double
    let viewpoints: Int

    private enum CodingKeys: String, CodingKey {
      case viewpoints
      case positionWeight = "position_weight"
      case headingWeight = "heading_weight"
    }

    init(_ place: PlaceModel) {
      positionWeight = place.positionWeight
      headingWeight = place.headingWeight
      viewpoints = place.viewpoints.values.reduce(0) { $0 + $1.count }
    }
  }

  let schema = "cupola.model/1"
  let model: String
  let bytes: Int
  let sha256: String
  let labels: [String]
  let recipe: Recipe
  let features: Int
  let weights: WeightFormat
  let calibration: Calibration
  let buildings: Int?
  let fencePolygons: Int?
  let place: Place?
  let provenance: Provenance

  private enum CodingKeys: String, CodingKey {
    case schema, model, bytes, sha256, labels, recipe, features, weights, calibration, provenance
    case place
    case buildings = "catalogue_buildings"
    case fencePolygons = "fence_polygons"
  }

  init(_ contents: Model, path: String, bytes: [UInt8]) {
    model = path
    self.bytes = bytes.count
    sha256 = SHA256.hexadecimal(of: bytes)
    labels = contents.labels.names
    recipe = contents.recipe
    features = contents.recipe.featureCount
    weights = contents.weightFormat
    calibration = contents.calibration
    buildings = contents.campus?.buildings.count
    fencePolygons = contents.campus?.geofence.polygons.count
    place = contents.place.map(Place.init)
    provenance = contents.provenance
  }

  /// What the model needs to name a building at the usual error.
  private var promises: String {
    let point = OperatingPoint(calibration)
    let error = FigureText.percent(point.maximumError)
    guard point.shortfalls.isEmpty else { return "none at an error of \(error): too few photos" }
    return "error at most \(error); a name needs \(FigureText.percent(max(0, point.leastShare)))"
  }

  var text: String {
    let counts = labels.map { "\($0) (\(provenance.photos[$0] ?? 0))" }
    let kind =
      switch recipe.features {
      case .hog: "HOG"
      case .fisher: "Fisher-encoded HOG and colour"
      }
    var rows = [
      ("model", "\(model), \(bytes) bytes"),
      ("sha256", sha256),
      ("labels (photos)", counts.joined(separator: ", ")),
      ("features", "\(kind), \(features) values from \(recipe.inputSide)x\(recipe.inputSide)"),
      ("geometry", recipe.geometry.name),
      ("weights", weights.rawValue + (weights == .int8 ? ", one scale a label" : "")),
      ("temperature", Format.decimal(calibration.temperature, digits: 4)),
      ("promises", promises),
    ]
    if let buildings, let fencePolygons {
      let parts = [
        FigureText.count(buildings, "building"), FigureText.count(fencePolygons, "polygon"),
      ]
      rows.append(("campus", "\(parts[0]) in the catalogue, a fence of \(parts[1])"))
    } else {
      rows.append(("campus", "none"))
    }
    if let place {
      let (position, heading) = (place.positionWeight, place.headingWeight)
      rows.append(
        (
          "place",
          "counts \(Format.decimal(position, digits: 2)), heading "
            + "\(Format.decimal(heading, digits: 2)), photos taken from "
            + FigureText.count(place.viewpoints, "known place")
        ))
    }
    rows += [
      ("trained by", "cupola \(provenance.version), seed \(provenance.seed)"),
      ("regularisation", "C = \(Format.decimal(provenance.regularisation, digits: 2))"),
      ("kernel", provenance.kernel), ("training data", "sha256 \(provenance.dataDigest)"),
    ]
    if let source = provenance.featuresSource {
      rows.append(
        ("features from", "other photos, sha256 \(source.dataDigest), seed \(source.seed)"))
    }
    return rows.map { name, value in
      name + String(repeating: " ", count: 17 - name.count) + value
    }.joined(separator: "\n")
  }
}
