internal import CupolaSupport

// 1. Recognize a table by its first line (`isTable`).
// 2. Find its columns by their names, in any case and order.
// 3. Convert each row to a building with a point.
// 4. Add a rectangle around all buildings as the fence.

/// Reads a catalog of buildings from a spreadsheet that was saved as CSV.
struct CatalogTable {
  /// The distance in meters from the outermost buildings to the fence. Photos of a building are rarely taken from
  /// farther away.
  static let margin = 250.0

  private let latitude: Int
  private let longitude: Int
  /// The property of each column; `nil` for coordinates and for columns without a name.
  private let properties: [String?]

  private static let latitudes = ["lat", "latitude"]
  private static let longitudes = ["lon", "lng", "long", "longitude"]
  /// The names of columns with a meaning, by property; the first name that occurs is used.
  private static let meanings: [(property: String, names: [String])] = [
    ("name", PropertyNames.name + ["building"]),
    ("abbreviation", PropertyNames.abbreviation + ["short"]),
    ("year_built", ["year_built", "year", "built", "start_date"]),
  ]

  /// Whether the first line is text with several columns, which no line of JSON at the top level is.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    let text = bytes.dropFirst(ByteOrderMark.length(in: bytes)).drop { isLineEnd($0) }
    let line = text.prefix { !isLineEnd($0) }
    guard let first = line.first, !"{[<".utf8.contains(first) else { return false }
    return line.contains { ",;\t".utf8.contains($0) }
      && line.allSatisfy { $0 >= 0x20 || $0 == UInt8(ascii: "\t") }
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Returns the buildings and the fence as a FeatureCollection.
  static func map(of bytes: [UInt8]) throws(CampusError) -> JSONValue {
    let table: CSV
    do throws(CSV.Fault) { table = try CSV(bytes, anySeparator: true) } catch {
      throw .badTable(line: error.line, problem: error.problem)
    }
    let reader = try CatalogTable(table)
    var features: [JSONValue] = []
    var positions: [Position] = []
    for (row, line) in zip(table.rows, table.lines) {
      // Spreadsheets also save rows that only have a format.
      guard row.contains(where: { !CSV.trimmed($0).isEmpty }) else { continue }
      let position = try reader.position(row, line)
      features.append(try reader.feature(row, line, position))
      if let position { positions.append(position) }
    }
    guard let fence = Self.fence(around: positions) else {
      throw .badTable(line: 1, problem: "no building has coordinates; fill in lat and lon")
    }
    return .object([
      "type": .string("FeatureCollection"), "features": .array(features + [fence]),
    ])
  }

  // MARK: - Columns

  private init(_ table: CSV) throws(CampusError) {
    let header = table.header
    func columns(_ names: [String]) -> [Int] {
      names.flatMap { name in
        header.indices.filter { [String: JSONValue].isAlike(header[$0], name) }
      }
    }
    guard let latitude = columns(Self.latitudes).first,
      let longitude = columns(Self.longitudes).first
    else {
      throw .badTable(
        line: 1,
        problem: "no columns lat and lon; name the columns name, abbreviation, lat, lon and year")
    }
    var properties = header.map { $0.isEmpty ? nil : $0 }
    for (property, names) in Self.meanings {
      if let column = columns(names).first { properties[column] = property }
    }
    for column in [latitude, longitude] { properties[column] = nil }
    let named = properties.compactMap(\.self)
    if let twice = named.first(where: { name in named.count { $0 == name } > 1 }) {
      throw .badTable(line: 1, problem: "the header contains \(twice) twice; rename one column")
    }
    (self.properties, self.latitude, self.longitude) = (properties, latitude, longitude)
  }

  // MARK: - Rows

  private func feature(
    _ row: [String], _ line: Int, _ position: Position?
  ) throws(CampusError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for (property, field) in zip(properties, row) {
      let text = CSV.trimmed(field)
      if let property, !text.isEmpty { members[property] = .string(text) }
    }
    members["role"] = .string("building")
    let feature: [String: JSONValue] = [
      "type": .string("Feature"), "properties": .object(members),
      "geometry": position.map { Self.geometry("Point", Self.vertex($0.longitude, $0.latitude)) }
        ?? .null,
    ]
    guard GeoJSON.Feature(feature).label != nil else {
      throw .badTable(line: line, problem: "building without a name; fill in the column name")
    }
    return .object(feature)
  }

  /// Returns the position of a row; `nil` if both coordinates are empty.
  private func position(_ row: [String], _ line: Int) throws(CampusError) -> Position? {
    let latitude = try degrees(row[latitude], "latitude", limit: 90, line)
    let longitude = try degrees(row[longitude], "longitude", limit: 180, line)
    guard let latitude, let longitude else {
      guard latitude == nil, longitude == nil else {
        let missing = latitude == nil ? "latitude" : "longitude"
        throw .badTable(line: line, problem: "the \(missing) is missing; fill in both or neither")
      }
      return nil
    }
    return Position(latitude: latitude, longitude: longitude)
  }

  private func degrees(
    _ field: String, _ axis: String, limit: Double, _ line: Int
  ) throws(CampusError) -> Double? {
    let text = CSV.trimmed(field)
    guard !text.isEmpty else { return nil }
    func fault(_ problem: String) -> CampusError {
      .badTable(line: line, problem: "\(axis) \"\(text.start(scalars: 40))\" \(problem)")
    }
    guard let degrees = Double(text) else {
      let point = String(text.map { $0 == "," ? "." : $0 })
      throw Double(point) == nil
        ? fault("is not a number; use degrees such as 48.3000")
        : fault("has a decimal comma; use a decimal point")
    }
    guard (-limit...limit).contains(degrees) else {
      throw fault("is not between -\(Int(limit)) and \(Int(limit)) degrees; correct it")
    }
    return degrees
  }

  // MARK: - Fence

  /// Returns a rectangle with a margin around the positions; `nil` if there are none.
  static func fence(around positions: [Position]) -> JSONValue? {
    guard let first = positions.first else { return nil }
    // Longitudes relative to the first building do not jump at the antimeridian.
    let turns = positions.map { Degrees.turn(from: first.longitude, to: $0.longitude) }
    let latitudes = positions.map(\.latitude)
    guard let south = latitudes.min(), let north = latitudes.max(), let west = turns.min(),
      let east = turns.max()
    else { return nil }
    let height = margin / LocalPlane.metersPerDegree
    let narrowest = Degrees.sinCos(max(abs(south), abs(north))).cos
    let width = min(height / max(narrowest, 1e-3), 10)
    func x(_ turn: Double) -> Double { rounded(first.longitude + max(-179, min(turn, 179))) }
    let (left, right) = (x(west - width), x(east + width))
    let (bottom, top) = (rounded(max(south - height, -90)), rounded(min(north + height, 90)))
    let corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
    let ring = corners.map { vertex($0.0, $0.1) }
    return .object([
      "type": .string("Feature"), "properties": .object(["role": .string("boundary")]),
      "geometry": geometry("Polygon", .array([.array(ring)])),
    ])
  }

  private static func geometry(_ type: String, _ coordinates: JSONValue) -> JSONValue {
    .object(["type": .string(type), "coordinates": coordinates])
  }

  private static func vertex(_ longitude: Double, _ latitude: Double) -> JSONValue {
    // The reader returns whole numbers as integers.
    .array(
      [longitude, latitude].map { degrees in
        Int(exactly: degrees).map { .integer($0) } ?? .number(degrees)
      })
  }

  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
