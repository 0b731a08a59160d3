internal import CupolaSupport

// 1. Recognize a table by its first line (`isTable`).
// 2. Find its columns by their names, in any case and order.
// 3. Convert each row to a building with a point.
// 4. Group the buildings into sites, and reject swapped coordinates and single buildings far from all others.
// 5. Add a rectangle around each site as the fence.
// 6. Read display names from a table without coordinates (`namings`).

/// Reads a catalog of buildings from a spreadsheet that was saved as CSV.
struct CatalogTable {
  /// The distance in meters from the outermost buildings to the fence. Photos of a building are rarely taken from
  /// farther away.
  static let margin = 250.0

  /// A row with coordinates.
  private struct Place {
    let line: Int
    let name: String
    let position: Position
  }

  private let latitude: Int
  private let longitude: Int
  /// The property of each column; `nil` for coordinates and for columns without a name.
  private let properties: [String?]

  private static let latitudes = ["lat", "latitude"]
  private static let longitudes = ["lon", "lng", "long", "longitude"]
  private static let names = PropertyNames.name + ["building"]
  private static let abbreviations = PropertyNames.abbreviation + ["short"]
  /// The names of columns with a meaning, by property; the first name that occurs is used.
  private static let meanings: [(property: String, names: [String])] = [
    ("name", names), ("abbreviation", abbreviations),
    ("year_built", ["year_built", "year", "built", "start_date"]),
  ]

  /// A row of a table without coordinates: the display name of a building.
  struct Naming {
    let line: Int
    /// The label or abbreviation.
    let key: String
    let name: String
  }

  /// The names of columns with labels.
  private static let labels = ["folder", "label", "id", "code"]

  /// Returns the rows of a table without coordinates; `nil` for tables with coordinates, and for other formats.
  static func namings(of bytes: [UInt8]) throws(CampusError) -> [Naming]? {
    guard isTable(bytes) else { return nil }
    let table = try table(of: bytes)
    func column(_ names: [String]) -> Int? { columns(names, in: table.header).first }
    guard column(latitudes) == nil || column(longitudes) == nil else { return nil }
    guard let key = column(labels + abbreviations), let name = column(names), key != name else {
      throw .badTable(
        line: 1,
        problem:
          "name the columns folder and name for display names, or name, lat and lon for a map")
    }
    return zip(table.rows, table.lines).compactMap { row, line in
      let (key, name) = (CSV.trimmed(row[key]), CSV.trimmed(row[name]))
      return key.isEmpty || name.isEmpty ? nil : Naming(line: line, key: key, name: name)
    }
  }

  private static func table(of bytes: [UInt8]) throws(CampusError) -> CSV {
    do throws(CSV.Fault) { return try CSV(bytes, anySeparator: true) } catch {
      throw .badTable(line: error.line, problem: error.problem)
    }
  }

  /// The columns with any of these names, in the order of the names.
  private static func columns(_ names: [String], in header: [String]) -> [Int] {
    names.flatMap { name in
      header.indices.filter { [String: JSONValue].isAlike(header[$0], name) }
    }
  }

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
    let table = try table(of: bytes)
    let reader = try CatalogTable(table)
    var features: [JSONValue] = []
    var places: [Place] = []
    for (row, line) in zip(table.rows, table.lines) {
      // Spreadsheets also save rows that only have a format.
      guard row.contains(where: { !CSV.trimmed($0).isEmpty }) else { continue }
      let properties = try reader.properties(row, line)
      let name = GeoJSON.Feature(["properties": .object(properties)]).title(line)
      let position = try reader.position(row, line, name)
      features.append(feature(properties, position))
      if let position { places.append(Place(line: line, name: name, position: position)) }
    }
    guard !places.isEmpty else {
      throw .badTable(line: 1, problem: "no building has coordinates; fill in lat and lon")
    }
    let fence = fence(around: try sites(of: places).map { $0.map(\.position) })
    return .object([
      "type": .string("FeatureCollection"), "features": .array(features + [fence]),
    ])
  }

  // MARK: - Columns

  private init(_ table: CSV) throws(CampusError) {
    let header = table.header
    guard let latitude = Self.columns(Self.latitudes, in: header).first,
      let longitude = Self.columns(Self.longitudes, in: header).first
    else {
      throw .badTable(
        line: 1,
        problem: "no columns lat and lon; name the columns name, abbreviation, lat, lon and year")
    }
    var properties = header.map { $0.isEmpty ? nil : $0 }
    for (property, names) in Self.meanings {
      if let column = Self.columns(names, in: header).first { properties[column] = property }
    }
    for column in [latitude, longitude] { properties[column] = nil }
    let named = properties.compactMap(\.self)
    if let twice = named.first(where: { name in named.count { $0 == name } > 1 }) {
      throw .badTable(line: 1, problem: "the header contains \(twice) twice; rename one column")
    }
    (self.properties, self.latitude, self.longitude) = (properties, latitude, longitude)
  }

  // MARK: - Rows

  /// Returns the columns of a row, except coordinates. Checks the name and the year.
  private func properties(
    _ row: [String], _ line: Int
  ) throws(CampusError) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for (property, field) in zip(properties, row) {
      let text = CSV.trimmed(field)
      guard let property, !text.isEmpty else { continue }
      members[property] = .string(text)
      if property == "year_built" { try Self.checkYear(text, line) }
    }
    members["role"] = .string("building")
    guard GeoJSON.Feature(["properties": .object(members)]).label != nil else {
      throw .badTable(line: line, problem: "building without a name; fill in the column name")
    }
    return members
  }

  /// Accepts a year from 1000 to 2199, and any text that `campus search --year` can interpret.
  private static func checkYear(_ text: String, _ line: Int) throws(CampusError) {
    let isPlausible = Int(text).map((1000...2199).contains) ?? (YearRange(loosely: text) != nil)
    guard isPlausible else {
      throw .badTable(
        line: line,
        problem:
          "year \"\(text.start(scalars: 40))\" is not a year from 1000 to 2199 or a date such as ~1900, "
          + "1890s or 480 BC; correct it, or leave it empty")
    }
  }

  private static func feature(
    _ properties: [String: JSONValue], _ position: Position?
  ) -> JSONValue {
    .object([
      "type": .string("Feature"), "properties": .object(properties),
      "geometry": position.map { geometry("Point", vertex($0.longitude, $0.latitude)) } ?? .null,
    ])
  }

  /// Returns the position of a row; `nil` if both coordinates are empty.
  private func position(
    _ row: [String], _ line: Int, _ name: String
  ) throws(CampusError) -> Position? {
    let latitude = try degrees(row[latitude], "latitude", line)
    let longitude = try degrees(row[longitude], "longitude", line)
    guard let latitude, let longitude else {
      guard latitude == nil, longitude == nil else {
        let missing = latitude == nil ? "latitude" : "longitude"
        throw .badTable(line: line, problem: "the \(missing) is missing; fill in both or neither")
      }
      return nil
    }
    guard let position = Position(latitude: latitude, longitude: longitude) else {
      if Position(latitude: longitude, longitude: latitude) != nil {
        throw .swappedCoordinates("line \(line): \(name)", [longitude, latitude])
      }
      let (axis, field, limit) =
        (-90...90).contains(latitude)
        ? ("longitude", row[self.longitude], 180) : ("latitude", row[self.latitude], 90)
      throw fault(axis, field, "is not between -\(limit) and \(limit) degrees; correct it", line)
    }
    if latitude == 0, longitude == 0 {
      throw .badTable(
        line: line,
        problem:
          "\(name): the coordinates 0, 0 are a placeholder; correct them, or leave both empty")
    }
    return position
  }

  private func degrees(
    _ field: String, _ axis: String, _ line: Int
  ) throws(CampusError) -> Double? {
    let text = CSV.trimmed(field)
    guard !text.isEmpty else { return nil }
    guard let degrees = Double(text) else {
      let point = String(text.map { $0 == "," ? "." : $0 })
      throw Double(point) == nil
        ? fault(axis, field, "is not a number; use degrees such as 48.3000", line)
        : fault(axis, field, "has a decimal comma; use a decimal point", line)
    }
    return degrees
  }

  private func fault(
    _ axis: String, _ field: String, _ problem: String, _ line: Int
  ) -> CampusError {
    .badTable(
      line: line, problem: "\(axis) \"\(CSV.trimmed(field).start(scalars: 40))\" \(problem)")
  }

  // MARK: - Sites

  /// The size in degrees of latitude (11 km) of the cells that group buildings into sites.
  private static let cellSize = 0.1

  /// Returns groups of buildings that are more than about 20 km apart; the first has the most buildings.
  ///
  /// A building that is alone at its site probably has wrong coordinates, which would extend the campus to a region
  /// without buildings.
  private static func sites(of places: [Place]) throws(CampusError) -> [[Place]] {
    guard let origin = places.first?.position else { return [] }
    var sites = groups(of: places, origin)
    let most = sites.map(\.count).max()
    guard let main = sites.firstIndex(where: { $0.count == most }) else { return [] }
    sites.swapAt(0, main)
    let campus = Set(Set(sites[0].map { cell($0.position, origin) }).flatMap(around))
    let swapped = sites.dropFirst().joined().filter { place in
      place.position.swapped.map { campus.contains(cell($0, origin)) } ?? false
    }
    try checkSwapped(swapped)
    try checkRemote(sites.dropFirst().filter { $0.count == 1 }.flatMap(\.self), places)
    return sites
  }

  /// Groups the buildings in the same and in neighboring cells, in the order of their first rows.
  private static func groups(of places: [Place], _ origin: Position) -> [[Place]] {
    var cells = Dictionary(grouping: places.indices) { cell(places[$0].position, origin) }
    var groups: [[Place]] = []
    for place in places {
      var open = [cell(place.position, origin)]
      var group: [Int] = []
      while let next = open.popLast() {
        guard let found = cells.removeValue(forKey: next) else { continue }
        group += found
        open += around(next)
      }
      if !group.isEmpty { groups.append(group.sorted().map { places[$0] }) }
    }
    return groups
  }

  private static func cell(_ position: Position, _ origin: Position) -> SIMD2<Int> {
    let east = Degrees.turn(from: origin.longitude, to: position.longitude)
    let width = Degrees.sinCos(origin.latitude).cos
    return SIMD2(
      Int((east * width / cellSize).rounded(.down)),
      Int((position.latitude / cellSize).rounded(.down)))
  }

  private static func around(_ cell: SIMD2<Int>) -> [SIMD2<Int>] {
    (-1...1).flatMap { x in (-1...1).map { y in cell &+ SIMD2(x, y) } }
  }

  private static func checkSwapped(_ swapped: [Place]) throws(CampusError) {
    guard let first = swapped.min(by: { $0.line < $1.line }) else { return }
    throw .swappedCoordinates(
      "line \(first.line): \(first.name)\(others(swapped))",
      [first.position.longitude, first.position.latitude])
  }

  private static func checkRemote(_ remote: [Place], _ places: [Place]) throws(CampusError) {
    guard let first = remote.min(by: { $0.line < $1.line }) else { return }
    let meters =
      places.lazy.filter { $0.line != first.line }
      .map { Geodesic(from: first.position, to: $0.position).distance }.min() ?? 0
    throw .badTable(
      line: first.line,
      problem:
        "\(first.name)\(others(remote)): \(Int((meters / 1000).rounded())) km from the nearest other building; "
        + "correct lat and lon, leave both empty, or draw a GeoJSON map")
  }

  private static func others(_ places: [Place]) -> String {
    switch places.count {
    case 1: ""
    case 2: " and 1 other row"
    default: " and \(places.count - 1) other rows"
    }
  }

  // MARK: - Fence

  static func fence(around sites: [[Position]]) -> JSONValue {
    let areas = sites.compactMap(ring).map { JSONValue.array([$0]) }
    return .object([
      "type": .string("Feature"), "properties": .object(["role": .string("boundary")]),
      "geometry": areas.count == 1
        ? geometry("Polygon", areas[0]) : geometry("MultiPolygon", .array(areas)),
    ])
  }

  /// Returns a rectangle with a margin around the positions; `nil` if there are none.
  private static func ring(around positions: [Position]) -> JSONValue? {
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
    return .array(corners.map { vertex($0.0, $0.1) })
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
