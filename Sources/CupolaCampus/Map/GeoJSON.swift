internal import CupolaSupport

// 1. Read the polygons and points of a geometry (`GeometryReader`).
// 2. If it has neither, read its closed lines as polygons. A line can consist of several parts.
// 3. Check each ring: positions in range, closed, at least four positions, around a pole at most once.
// 4. Collect faults, and continue with the valid parts.

/// The parts of RFC 7946 that a campus map uses. Other members remain in the source JSON.
enum GeoJSON {
  /// The polygons and points of a geometry, including those in collections.
  struct Geometry: Equatable, Sendable {
    var polygons: [Polygon] = []
    var points: [Polygon.Vertex] = []
    /// Whether the polygons are closed lines.
    var isOutline = false

    /// A representative point; `nil` if there is no polygon or point.
    var representative: Position? {
      guard let vertex = polygons.first?.center ?? points.first else { return nil }
      let longitude = Degrees.turn(from: 0, to: vertex.longitude)
      return Position(latitude: vertex.latitude, longitude: longitude)
    }
  }

  static let positionLimit = 1_000_000

  /// Returns the closed lines of a geometry as a Polygon or MultiPolygon; `nil` if there are none.
  static func outline(of geometry: JSONValue?) -> JSONValue? {
    let lines = closedLines(of: geometry)
    switch lines.count {
    case 0: return nil
    case 1: return .object(["type": .string("Polygon"), "coordinates": .array(lines)])
    default:
      let polygons = lines.map { JSONValue.array([$0]) }
      return .object(["type": .string("MultiPolygon"), "coordinates": .array(polygons)])
    }
  }

  static func lines(of geometry: JSONValue?) -> [[JSONValue]] {
    guard case .object(let members) = geometry else { return [] }
    switch (members["type"], members["coordinates"], members["geometries"]) {
    case (.string("LineString"), .array(let positions), _): return [positions]
    case (.string("MultiLineString"), .array(let lines), _):
      return lines.compactMap { if case .array(let positions) = $0 { positions } else { nil } }
    case (.string("GeometryCollection"), _, .array(let inner)): return inner.flatMap(lines)
    default: return []
    }
  }

  fileprivate static func closedLines(of geometry: JSONValue?) -> [JSONValue] {
    rings(joining: lines(of: geometry)).map { .array($0) }
  }

  /// Returns the closed lines, and those that several lines with common ends form.
  static func rings(joining lines: [[JSONValue]]) -> [[JSONValue]] {
    var rest: [SIMD2<Double>: [Int]] = [:]
    for (number, line) in lines.enumerated() where !isClosed(line) {
      for end in [line.first, line.last] {
        if let place = end.flatMap(place) { rest[place, default: []].append(number) }
      }
    }
    var isUsed = [Bool](repeating: false, count: lines.count)
    return lines.indices.compactMap { first in
      guard !isUsed[first] else { return nil }
      isUsed[first] = true
      var ring = lines[first]
      while !isClosed(ring), let end = ring.last.flatMap(place), let next = rest[end]?.popLast() {
        guard !isUsed[next] else { continue }
        isUsed[next] = true
        let line = lines[next]
        ring += line.first.flatMap(place) == end ? line.dropFirst() : line.reversed().dropFirst()
      }
      return isClosed(ring) ? ring : nil
    }
  }

  private static func isClosed(_ line: [JSONValue]) -> Bool {
    guard line.count >= 4 else { return false }
    return isSamePlace(line[0], line[line.count - 1])
  }

  private static func place(_ position: JSONValue) -> SIMD2<Double>? {
    guard case .array(let numbers) = position, numbers.count >= 2, let x = numbers[0].double,
      let y = numbers[1].double
    else { return nil }
    return SIMD2(x, y)
  }

  fileprivate static func isSamePlace(_ a: JSONValue, _ b: JSONValue) -> Bool {
    guard case .array(let a) = a, case .array(let b) = b else { return false }
    return a.prefix(2).map(\.double) == b.prefix(2).map(\.double)
  }
}

/// Reads the geometry of a feature and collects its faults.
struct GeometryReader {
  struct Counts {
    var positions = 0
    var valid = 0
    /// Positions whose coordinates are too large for degrees.
    var foreign = 0
    var example: [Double] = []
  }

  let title: String
  private(set) var counts: Counts
  private(set) var faults: [CampusError] = []

  /// Returns the valid parts of a geometry; `nil` for `null`.
  ///
  /// - Parameter isOutlineRead: Whether closed lines are polygons if there are no polygons and points.
  mutating func geometry(_ value: JSONValue?, isOutlineRead: Bool) -> GeoJSON.Geometry? {
    guard let value, value != .null else { return nil }
    var geometry = GeoJSON.Geometry()
    read(value, into: &geometry)
    if isOutlineRead, geometry == GeoJSON.Geometry() {
      for line in GeoJSON.closedLines(of: value) {
        geometry.polygons.append(polygon([line]))
        geometry.isOutline = true
      }
    }
    return geometry
  }

  private mutating func read(_ value: JSONValue, into geometry: inout GeoJSON.Geometry) {
    guard case .object(let members) = value else {
      return structural("geometry is not an object")
    }
    guard case .string(let type) = members["type"] else {
      return structural("geometry without \"type\"")
    }
    let list = type == "GeometryCollection" ? "geometries" : "coordinates"
    switch type {
    case "Polygon", "MultiPolygon", "Point", "GeometryCollection", "LineString", "MultiPoint",
      "MultiLineString":
      guard case .array(let elements) = members[list] else {
        return structural("\(type) without a list \"\(list)\"")
      }
      read(type, elements, into: &geometry)
    default: faults.append(.unknownGeometry(title, type: type))
    }
  }

  private mutating func read(
    _ type: String, _ elements: [JSONValue], into geometry: inout GeoJSON.Geometry
  ) {
    switch type {
    case "Point":
      if let vertex = vertex(.array(elements)) { geometry.points.append(vertex) }
    case "MultiPoint": geometry.points += elements.compactMap { vertex($0) }
    case "Polygon": geometry.polygons.append(polygon(elements))
    case "MultiPolygon":
      for element in elements {
        guard case .array(let rings) = element else {
          return structural("MultiPolygon is not a list of lists of rings")
        }
        geometry.polygons.append(polygon(rings))
      }
    case "GeometryCollection":
      for element in elements { read(element, into: &geometry) }
    default: break
    }
  }

  private mutating func structural(_ what: String) {
    faults.append(.notGeoJSON("\(title): \(what)"))
  }

  // MARK: - Polygons

  /// Returns the valid rings. Unclosed rings are reported and closed.
  private mutating func polygon(_ values: [JSONValue]) -> Polygon {
    if values.isEmpty { faults.append(.emptyPolygon(title)) }
    var rings: [[Polygon.Vertex]] = []
    for (index, value) in values.enumerated() {
      guard case .array(let positions) = value else {
        structural("ring \(index + 1) is not a list of positions")
        continue
      }
      // Keep an empty ring, so that the numbers of later rings stay the same.
      rings.append(ring(positions, number: index + 1) ?? [])
    }
    return Polygon(rings: rings)
  }

  private static let maxFaultsPerRing = 10

  private mutating func ring(_ values: [JSONValue], number: Int) -> [Polygon.Vertex]? {
    let before = faults.count
    var ring: [Polygon.Vertex] = []
    ring.reserveCapacity(values.count)
    for value in values {
      if let vertex = vertex(value) {
        ring.append(vertex)
      } else if counts.positions > GeoJSON.positionLimit {
        return nil
      }
    }
    let isReadable = faults.count == before
    shortenFaults(from: before)
    guard let first = values.first, let last = values.last, GeoJSON.isSamePlace(first, last) else {
      faults.append(.unclosedRing(title, ring: number))
      guard isReadable, ring.count >= 3 else { return nil }
      return ring + ring.prefix(1)
    }
    guard values.count >= 4 else {
      faults.append(.shortRing(title, ring: number))
      return nil
    }
    return isReadable && isUnwrappable(ring, number: number) ? ring : nil
  }

  /// Keeps one fault about swapped positions and one about positions without numbers per ring, and limits the number of
  /// other faults.
  private mutating func shortenFaults(from start: Int) {
    var isSwapped = false
    var isNotGeoJSON = false
    let told = faults[start...].filter { fault in
      switch fault {
      case .swappedCoordinates:
        defer { isSwapped = true }
        return !isSwapped
      case .notGeoJSON:
        defer { isNotGeoJSON = true }
        return !isNotGeoJSON
      default: return true
      }
    }
    faults.replaceSubrange(start..., with: told.prefix(Self.maxFaultsPerRing))
  }

  private mutating func isUnwrappable(_ ring: [Polygon.Vertex], number: Int) -> Bool {
    do throws(UnwrappedRing.Failure) {
      _ = try UnwrappedRing.points(of: ring)
      return true
    } catch {
      switch error {
      case .mixed(let index):
        faults.append(.badPosition(title, [ring[index].longitude, ring[index].latitude]))
      case .tooWide: faults.append(.wideRing(title, ring: number))
      case .roundWithoutPole: faults.append(.poleMissing(title, ring: number))
      }
      return false
    }
  }

  // MARK: - Positions

  /// Reads longitude and latitude. Ignores any other numbers, such as a height.
  private mutating func vertex(_ value: JSONValue) -> Polygon.Vertex? {
    counts.positions += 1
    if counts.positions > GeoJSON.positionLimit {
      if counts.positions == GeoJSON.positionLimit + 1 {
        faults.append(.tooManyPositions(limit: GeoJSON.positionLimit))
      }
      return nil
    }
    guard case .array(let elements) = value else {
      structural("position is not a list of numbers")
      return nil
    }
    let numbers = elements.prefix(2).compactMap(\.double)
    guard numbers.count == min(elements.count, 2) else {
      structural("position is not a list of numbers")
      return nil
    }
    guard numbers.count == 2 else {
      faults.append(.badPosition(title, numbers))
      return nil
    }
    let vertex = Polygon.Vertex(longitude: numbers[0], latitude: numbers[1])
    guard (-360...360).contains(numbers[0]), (-90...90).contains(numbers[1]) else {
      if ReferenceSystem.isForeign(numbers[0], numbers[1]) {
        counts.foreign += 1
        if counts.example.isEmpty { counts.example = numbers }
      }
      let isSwapped = Position(latitude: numbers[0], longitude: numbers[1]) != nil
      faults.append(
        isSwapped ? .swappedCoordinates(title, numbers) : .badPosition(title, numbers))
      return nil
    }
    counts.valid += 1
    return vertex
  }
}
