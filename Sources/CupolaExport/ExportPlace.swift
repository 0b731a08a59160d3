internal import Cupola

// 1. Get the model's place data: buildings, footprints, viewpoints and constants.
// 2. Write it to `place.json`, which the code in other formats' guides reads.
// 3. Write it as constants and tables for a C export.

/// `place.json`: data for combining position and heading with the probabilities from the image.
struct ExportPlace {
  let table: PlaceTable

  init?(_ model: Model) {
    guard let table = PlaceTable(model) else { return nil }
    self.table = table
  }

  var file: ExportFile {
    let constants = table.constants.map { ($0.name, JSONValue(reading: $0.value)) }
    return ExportFile(
      path: "place.json",
      json: [
        "schema": .string("cupola.place/1"),
        "constants": .object(Dictionary(uniqueKeysWithValues: constants)),
        "looks": Self.points(Panorama.samplePoints),
        "buildings": .array(table.buildings.map(Self.building)),
      ])
  }

  private static func building(_ entry: PlaceTable.Entry) -> JSONValue {
    let center = entry.outline.map { [$0.center.longitude, $0.center.latitude] }
    var members: [String: JSONValue] = [
      "label": .string(entry.label), "name": .string(entry.name),
      "trained": .boolean(entry.isTrained),
      "is_point": .boolean(entry.isPoint), "rings": .array(entry.rings.map(points)),
      "viewpoints": .array(entry.viewpoints.map { .array($0.numbers.map(JSONValue.integer)) }),
      "position": center.map { .array($0.map(JSONValue.init(reading:))) } ?? .null,
    ]
    members["radius_m"] = entry.outline.map { JSONValue(reading: $0.radius) }
    return .object(members)
  }

  private static func points(_ points: [SIMD2<Double>]) -> JSONValue {
    .array(points.map { .array([JSONValue(reading: $0.x), JSONValue(reading: $0.y)]) })
  }
}

extension PlaceTable.Entry {
  /// Whether the map has only a point for the building.
  var isPoint: Bool { !(building?.footprint ?? []).contains { $0.rings.contains { $0.count > 3 } } }

  /// The footprint's closed rings, longitude first; a circle if the map has only a point.
  var rings: [[SIMD2<Double>]] {
    guard let building, let outline else { return [] }
    guard isPoint else {
      return building.footprint.flatMap(\.rings).filter { $0.count > 3 }
        .map { ring in ring.map { SIMD2($0.longitude, $0.latitude) } }
    }
    // Closer to a pole, the circle would enclose the Earth or have an undefined longitude.
    let shrink = max(Degrees.sinCos(outline.center.latitude).cos, 1e-6)
    let center = SIMD2(outline.center.longitude, outline.center.latitude)
    return outline.rings.map { ring in
      ring.map { center + $0 / LocalPlane.metersPerDegree / SIMD2(shrink, 1) }
    }
  }
}

extension CSource {
  /// The number of buildings in answers that use a position.
  var placeCount: Int { place?.table.buildings.count ?? 0 }

  /// The content of `place.json` as C constants and tables; empty if the model has no place data.
  var placeTables: String {
    guard let table = place?.table, placeCount > 0 else { return "" }
    let numbers = table.constants.map { name, value in
      let literal = name == "directions" ? String(Int(value)) : CLiteral.number(value)
      return Constant("PLACE_" + name.uppercased(), literal)
    }
    let looks = Panorama.samplePoints
    let edges = table.buildings.map { entry in
      entry.rings.flatMap { zip($0, $0.dropFirst()).map { [$0.x, $0.y, $1.x, $1.y] } }
    }
    let viewpoints = table.buildings.map { $0.viewpoints.map { $0.numbers.map(Double.init) } }
    let circles = table.buildings.map(\.outline).map {
      [$0?.center.longitude ?? 0, $0?.center.latitude ?? 0, $0?.radius ?? 0]
    }
    var (edge, viewpoint) = (0, 0)
    let parts = zip(table.buildings, zip(edges, viewpoints)).map { entry, rows in
      let starts = (edge, viewpoint)
      (edge, viewpoint) = (edge + rows.0.count, viewpoint + rows.1.count)
      let kind = [entry.outline == nil ? 0 : 1, entry.isPoint ? 1 : 0]
      return (kind + [starts.0, edge, starts.1, viewpoint]).map(Double.init)
    }
    return "\n" + (numbers + [Constant("PLACE_LOOKS", looks.count)]).map(\.line).joined()
      + Self.table("double place_looks[CUPOLA_PLACE_LOOKS][2]", looks.map { [$0.x, $0.y] })
      + Self.table("double place_edges[][4]", edges.joined() + [[0]])
      + Self.table("int place_viewpoints[][3]", viewpoints.joined() + [[0]])
      + Self.table("double place_circles[CUPOLA_PLACES][3]", circles)
      + Self.table("int place_parts[CUPOLA_PLACES][6]", parts)
      + Self.texts(table.buildings.map(\.label), "cupola_place_labels[CUPOLA_PLACES]")
      + Self.texts(table.buildings.map(\.name), "cupola_place_names[CUPOLA_PLACES]")
  }

  private static func table(_ declaration: String, _ rows: some Sequence<[Double]>) -> String {
    let isWhole = declaration.hasPrefix("int")
    let lines = rows.map { row in
      let numbers = row.map { isWhole ? String(Int($0)) : CLiteral.number($0) }
      return "{\(numbers.joined(separator: ", "))},\n"
    }
    return "\nstatic const \(declaration) = {\n\(lines.joined())};\n"
  }
}
