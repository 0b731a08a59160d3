import Cupola

// 1. Collect the metadata that apps need in addition to pixels and probabilities.
// 2. Provide it as JSON values, as strings, and as sentences for model files.
// 3. Read and write the manifest, which contains the metadata and every file's size and digest.

/// Metadata for apps: labels, thresholds, input format and map. Model formats with text fields include it.
struct ExportNotes: Equatable {
  var values: [String: JSONValue]
  /// The map as GeoJSON with explicit roles, if the model has a map.
  let campus: [UInt8]?
  let geometry: Geometry
  let point: Thresholds

  static let campusKey = "campus"
  /// The SHA-256 of the source code of a compiled program.
  static let codeKey = "code_sha256"

  /// - Parameter source: The bytes of the exported model file.
  init(_ model: Model, source: [UInt8], options: ExportOptions = ExportOptions()) {
    point = Thresholds(model.calibration, maximumError: options.maximumError)
    let values: [String: JSONValue] = [
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
    self.values = values.merging(options.notes) { $1 }
    campus = model.campus?.geoJSONWithRoles()
    geometry = model.recipe.geometry
  }

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

  /// The values and the map as strings. Values that are not strings are written as JSON.
  var texts: [String: String] {
    var texts = values.mapValues { value in
      if case .string(let text) = value { return text }
      return String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
    }
    texts[Self.campusKey] = campus.map { String(decoding: $0, as: UTF8.self) }
    return texts
  }

  // MARK: - Descriptions shown by model viewers

  var title: String { values["name"]?.text ?? "Campus recognizer" }
  var author: String { values["author"]?.text ?? "Cupola \(cupolaVersion)" }
  var license: String { values["license"]?.text ?? "set by the publisher of this model" }

  var description: String {
    "Names the building in a photo, or returns \(Graph.notACampusBuilding). "
      + "Photos must be upright; \(geometry.summary)."
  }

  /// The publisher's version, or the first 12 digits of the model file's SHA-256.
  var version: String {
    values["model_version"]?.text ?? String((values["model_sha256"]?.text ?? "").prefix(12))
  }
}

extension Thresholds {
  /// The minimum share as a finite JSON number: 0 for minus infinity, and the largest number for infinity.
  var finiteShare: Double { min(max(0, leastShare), .greatestFiniteMagnitude) }
}

extension JSONValue {
  /// Creates the value that results from reading the number from JSON.
  init(reading number: Double) {
    self = Int(exactly: number).map { .integer($0) } ?? .number(number)
  }
}

/// `export.json`: an export's metadata, and the digests of its files.
struct ExportManifest: Equatable {
  static let path = "export.json"
  static let schema = "cupola.export/1"

  let format: ExportFormat
  let notes: [String: JSONValue]
  var files: [String: Entry]

  struct Entry: Equatable {
    let bytes: Int
    let sha256: String

    init(_ contents: [UInt8]) {
      bytes = contents.count
      sha256 = SHA256.hexadecimal(of: contents)
    }

    fileprivate init?(_ value: JSONValue) {
      guard case .object(let members) = value, case .integer(let bytes) = members["bytes"],
        case .string(let sha256) = members["sha256"]
      else { return nil }
      (self.bytes, self.sha256) = (bytes, sha256)
    }
  }

  init(format: ExportFormat, notes: ExportNotes, files: [ExportFile]) {
    (self.format, self.notes) = (format, notes.values)
    self.files = Dictionary(uniqueKeysWithValues: files.map { ($0.path, Entry($0.bytes)) })
  }

  func note(_ name: String) -> String? { notes[name]?.text }

  var file: ExportFile {
    let entries = files.mapValues { entry in
      JSONValue.object(["bytes": .integer(entry.bytes), "sha256": .string(entry.sha256)])
    }
    return ExportFile(
      path: Self.path,
      json: [
        "schema": .string(Self.schema), "export_format": .string(format.rawValue),
        "notes": .object(notes), "files": .object(entries),
      ])
  }

  /// Parses a manifest. Returns `nil` if it is invalid or has another version.
  init?(bytes: [UInt8]) {
    guard let value = try? JSONReader.value(of: bytes), case .object(let members) = value,
      members["schema"] == .string(Self.schema),
      case .string(let name) = members["export_format"], let format = ExportFormat(rawValue: name),
      case .object(let notes) = members["notes"], case .object(let files) = members["files"]
    else { return nil }
    let entries = files.compactMapValues { Entry($0) }
    guard entries.count == files.count else { return nil }
    (self.format, self.notes, self.files) = (format, notes, entries)
  }
}
