internal import Cupola

extension CSource {
  /// How many buildings an answer to a place may be about.
  var placeCount: Int { place?.table.buildings.count ?? 0 }

  /// `place.json` as constants and tables; nothing when the model learned nothing about places.
  var placeTables: String {
    guard let table = place?.table, placeCount > 0 else { return "" }
    let numbers = table.constants.map { name, value in
      let literal = name == "directions" ? String(Int(value)) : CLiteral.number(value)
      return Constant("PLACE_" + name.uppercased(), literal)
    }
    let looks = Panorama.looks
    let constants = numbers + [Constant("PLACE_LOOKS", looks.count)]
    let edges = table.buildings.map { entry in
      entry.rings.flatMap { zip($0, $0.dropFirst()).map { [$0.x, $0.y, $1.x, $1.y] } }
    }
    let viewpoints = table.buildings.map { $0.viewpoints.map { $0.numbers.map(Double.init) } }
    var (edge, viewpoint) = (0, 0)
    let parts = zip(table.buildings, zip(edges, viewpoints)).map { entry, rows in
      let starts = (edge, viewpoint)
      (edge, viewpoint) = (edge + rows.0.count, viewpoint + rows.1.count)
      let kind = [entry.outline == nil ? 0 : 1, entry.isPoint ? 1 : 0]
      return (kind + [starts.0, edge, starts.1, viewpoint]).map(Double.init)
    }
    return "\n" + constants.map(\.line).joined()
      + Self.table("double place_looks[CUPOLA_PLACE_LOOKS][2]", looks.map { [$0.x, $0.y] })
      + Self.table("double place_edges[][4]", edges.joined() + [[0]])
      + Self.table("int place_viewpoints[][3]", viewpoints.joined() + [[0]])
      + Self.table("double place_circles[CUPOLA_PLACES][3]", table.buildings.map(\.circle))
      + Self.table("int place_parts[CUPOLA_PLACES][6]", parts)
      + Self.texts(table.buildings.map(\.label), "cupola_place_labels[CUPOLA_PLACES]")
      + Self.texts(table.buildings.map(\.name), "cupola_place_names[CUPOLA_PLACES]")
  }

  /// A table of rows of numbers.
  private static func table(_ declaration: String, _ rows: some Sequence<[Double]>) -> String {
    let isWhole = declaration.hasPrefix("int")
    let lines = rows.map { row in
      let numbers = row.map { isWhole ? String(Int($0)) : CLiteral.number($0) }
      return "{\(numbers.joined(separator: ", "))},\n"
    }
    return "\nstatic const \(declaration) = {\n\(lines.joined())};\n"
  }
}

extension PlaceTable.Entry {
  /// Longitude, latitude and meters of the circle around it.
  fileprivate var circle: [Double] {
    [outline?.center.longitude ?? 0, outline?.center.latitude ?? 0, outline?.radius ?? 0]
  }
}
