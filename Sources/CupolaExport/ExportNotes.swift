import Cupola

/// What an app has to know beside the pixels and the probabilities; formats with room for texts have
/// them in the model.
struct ExportNotes: Equatable {
  /// Values by name, the same in every format.
  let values: [String: JSONValue]
  /// The map as GeoJSON in which every feature has a role, if the model has one.
  let campus: [UInt8]?
  /// What is done with a photo, for texts that say it in words.
  let geometry: Geometry

  static let campusKey = "campus"

  /// - Parameters:
  ///   - model: with its weights as they are exported.
  ///   - source: the bytes of the model file that is exported.
  init(_ model: Model, source: [UInt8]) {
    let point = OperatingPoint(model.calibration)
    values = [
      "format": .string("cupola.export"),
      "format_version": .integer(1),
      "cupola_version": .string(cupolaVersion),
      "labels": .array(model.exportLabels.map(JSONValue.string)),
      "decision": .object([
        "least_odds": JSONValue(reading: point.leastOdds),
        "least_share": JSONValue(reading: point.finiteShare),
        "maximum_error": JSONValue(reading: point.maximumError),
      ]),
      "input": .object(Self.input(model.recipe)),
      "weights": .string(model.weightFormat.rawValue),
      "data_sha256": .string(model.provenance.dataDigest),
      "model_sha256": .string(SHA256.hexadecimal(of: source)),
    ]
    campus = model.campus?.geoJSONWithRoles()
    geometry = model.recipe.geometry
  }

  /// What a model wants of a picture.
  private static func input(_ recipe: Recipe) -> [String: JSONValue] {
    var input: [String: JSONValue] = [
      "side": .integer(recipe.inputSide),
      "geometry": .string(recipe.geometry.name),
      "channels": .string("RGB"),
      "samples": .string("0 to 255"),
      "orientation": .string("upright: turn photos by their EXIF orientation first"),
    ]
    if case .window(let window) = recipe.geometry {
      input["window"] = .object([
        "left": .integer(window.left), "top": .integer(window.top),
        "width": .integer(window.width), "height": .integer(window.height),
      ])
    }
    return input
  }

  /// Each value as a text: texts as they are, all else as JSON; the map too.
  var texts: [String: String] {
    var texts = values.mapValues { value in
      if case .string(let text) = value { return text }
      return String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
    }
    texts[Self.campusKey] = campus.map { String(decoding: $0, as: UTF8.self) }
    return texts
  }
}

extension OperatingPoint {
  /// The least share as a number that JSON has: 0 asks for nothing, as -infinity does, and no building has the
  /// largest number there is.
  var finiteShare: Double { min(max(0, leastShare), .greatestFiniteMagnitude) }
}

extension JSONValue {
  /// A finite number as it is when JSON with it is read.
  init(reading number: Double) {
    self = Int(exactly: number).map { .integer($0) } ?? .number(number)
  }
}
