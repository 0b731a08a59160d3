internal import Cupola

/// `place.json`: what position and heading say beside the picture.
struct ExportPlace {
  static let path = "place.json"
  static let schema = "cupola.place/1"

  let table: PlaceTable

  /// `nil` when the model learned nothing about places.
  init?(_ model: Model) {
    guard let table = PlaceTable(model) else { return nil }
    self.table = table
  }

  /// The table as a file.
  var file: ExportFile {
    let constants = table.constants.map { ($0.name, JSONValue(reading: $0.value)) }
    let value = JSONValue.object([
      "schema": .string(Self.schema),
      "constants": .object(Dictionary(uniqueKeysWithValues: constants)),
      "looks": Self.points(Panorama.looks),
      "buildings": .array(table.buildings.map(Self.building)),
    ])
    return ExportFile(path: Self.path, bytes: JSONWriter.bytes(of: value) + [0x0A])
  }

  private static func building(_ entry: PlaceTable.Entry) -> JSONValue {
    var members: [String: JSONValue] = [
      "label": .string(entry.label), "name": .string(entry.name),
      "trained": .boolean(entry.isTrained),
      "is_point": .boolean(entry.isPoint), "rings": .array(entry.rings.map(points)),
      "viewpoints": .array(entry.viewpoints.map { .array($0.numbers.map(JSONValue.integer)) }),
    ]
    if let outline = entry.outline {
      let center = outline.center
      members["position"] = .array([
        JSONValue(reading: center.longitude), JSONValue(reading: center.latitude),
      ])
      members["radius_m"] = JSONValue(reading: outline.radius)
    } else {
      members["position"] = .null
    }
    return .object(members)
  }

  private static func points(_ points: [SIMD2<Double>]) -> JSONValue {
    .array(points.map { .array([JSONValue(reading: $0.x), JSONValue(reading: $0.y)]) })
  }
}

extension PlaceTable.Entry {
  /// Whether the map gives the building as a point.
  var isPoint: Bool { !(building?.footprint ?? []).contains { $0.rings.contains { $0.count > 3 } } }

  /// Closed rings of its ground, longitude first; of a point a circle.
  var rings: [[SIMD2<Double>]] {
    guard let building, let outline else { return [] }
    guard isPoint else {
      return building.footprint.flatMap(\.rings).filter { $0.count > 3 }
        .map { ring in ring.map { SIMD2($0.longitude, $0.latitude) } }
    }
    // Nearer to a pole than that, the circle would go around the Earth, or have no longitudes at all.
    let shrink = max(Degrees.sinCos(outline.center.latitude).cos, 1e-6)
    let center = SIMD2(outline.center.longitude, outline.center.latitude)
    return outline.rings.map { ring in
      ring.map { center + $0 / LocalPlane.metersPerDegree / SIMD2(shrink, 1) }
    }
  }
}

extension ExportFormat {
  /// The code for apps that reads `place.json`, in files of its own.
  var placeCode: [ExportFile] {
    switch self {
    case .onnx:
      [
        ExportFile(path: "place.py", bytes: PackageResources.place_py),
        ExportFile(path: "place.js", bytes: PackageResources.place_js),
      ]
    case .coreml: [ExportFile(path: "Place.swift", bytes: PackageResources.Place_swift)]
    case .tflite: [ExportFile(path: "Place.kt", bytes: PackageResources.Place_kt)]
    case .safetensors, .c: []
    }
  }
}
