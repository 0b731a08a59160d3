internal import CupolaSupport

// 1. `GeoJSON.Feature` finds the role, label and title of a feature in its properties.
// 2. `GeometryReader` reads the polygons and points of its geometry.
// 3. Each ring is checked: positions in range, closed, long enough, and around a pole at most once.
// 4. Faults are gathered, and reading goes on with what is usable.

/// The part of RFC 7946 that a campus map needs.
///
/// Everything else, foreign members included, stays in the JSON that the map was read from.
enum GeoJSON {
  struct Feature: Sendable {
    let id: JSONValue?
    let geometry: Geometry?
    let properties: [String: JSONValue]
  }

  /// The polygons and points of a geometry, those inside of collections included.
  struct Geometry: Equatable, Sendable {
    var polygons: [Polygon] = []
    var points: [Polygon.Vertex] = []

    /// A point that stands for the whole; `nil` when there is neither polygon nor point.
    var representative: Position? {
      guard let vertex = polygons.first?.center ?? points.first else { return nil }
      let longitude = Degrees.turn(from: 0, to: vertex.longitude)
      return Position(latitude: vertex.latitude, longitude: longitude)
    }
  }

  /// How many positions a map may have.
  static let positionLimit = 1_000_000
}

extension GeoJSON.Feature {
  /// What a feature is to a campus.
  enum Role: Equatable { case boundary, building }

  /// As given, or as OpenStreetMap's tags mean it: a university's one building is a building.
  var role: Role? {
    if let role = properties["role"]?.text {
      return role == "boundary" ? .boundary : role == "building" ? .building : nil
    }
    if let building = properties["building"]?.text, building != "no" { return .building }
    return ["university", "college"].contains(properties["amenity"]?.text) ? .boundary : nil
  }

  /// The training label of a building.
  var label: String? {
    [properties["label"], properties["id"], id, properties["@id"]]
      .lazy.compactMap { $0?.text }.first { !$0.isEmpty }
  }

  /// How people find the feature: its name, label, or number in the file.
  func title(_ index: Int) -> String {
    properties["name"]?.text ?? label ?? "feature \(index + 1)"
  }

  /// OpenStreetMap's tags, which some exports put into an object of their own, among the properties.
  static func flattened(_ properties: [String: JSONValue]) -> [String: JSONValue] {
    guard case .object(let tags) = properties["tags"],
      tags["building"] != nil || tags["amenity"] != nil
    else { return properties }
    var result = properties
    result["tags"] = nil
    return result.merging(tags) { own, _ in own }
  }
}

/// Reads the geometry of one feature, and gathers all that is wrong with it.
struct GeometryReader {
  /// How to name the feature in a fault.
  let title: String
  /// How many positions have been read.
  var positions: Int
  /// What is wrong, in the order of the file.
  private(set) var faults: [CampusError] = []

  init(title: String, positions: Int) {
    self.title = title
    self.positions = positions
  }

  /// A geometry as far as it can be used; `nil` for `null`.
  mutating func geometry(_ value: JSONValue?) -> GeoJSON.Geometry? {
    guard let value, value != .null else { return nil }
    var geometry = GeoJSON.Geometry()
    read(value, into: &geometry)
    return geometry
  }

  private mutating func read(_ value: JSONValue, into geometry: inout GeoJSON.Geometry) {
    guard case .object(let members) = value else {
      return structural("a geometry that is no object")
    }
    guard case .string(let type) = members["type"] else {
      return structural("a geometry without \"type\"")
    }
    let list = type == "GeometryCollection" ? "geometries" : "coordinates"
    switch type {
    case "Polygon", "MultiPolygon", "Point", "GeometryCollection", "LineString", "MultiPoint",
      "MultiLineString":
      guard case .array(let elements) = members[list] else {
        return structural("a \(type) without a list \"\(list)\"")
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
    case "Polygon": geometry.polygons.append(polygon(elements))
    case "MultiPolygon":
      for element in elements {
        guard case .array(let rings) = element else {
          return structural("a MultiPolygon that is no list of lists of rings")
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

  /// The rings that make sense; one that is not closed is closed, beside the fault.
  private mutating func polygon(_ values: [JSONValue]) -> Polygon {
    if values.isEmpty { faults.append(.emptyPolygon(title)) }
    var rings: [[Polygon.Vertex]] = []
    for (index, value) in values.enumerated() {
      guard case .array(let positions) = value else {
        structural("ring \(index + 1) is no list of positions")
        continue
      }
      // An empty ring keeps the numbers of those behind it.
      rings.append(ring(positions, number: index + 1) ?? [])
    }
    return Polygon(rings: rings)
  }

  /// How many bad positions of a ring are told.
  private static let toldPerRing = 10

  private mutating func ring(_ values: [JSONValue], number: Int) -> [Polygon.Vertex]? {
    let before = faults.count
    var ring: [Polygon.Vertex] = []
    ring.reserveCapacity(values.count)
    for value in values {
      if let vertex = vertex(value) {
        ring.append(vertex)
      } else if positions > GeoJSON.positionLimit {
        return nil
      }
    }
    let isReadable = faults.count == before
    shortenFaults(from: before)
    guard let first = values.first, let last = values.last, Self.isSamePlace(first, last) else {
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

  /// Of a ring whose coordinates are all swapped one is enough, and of other faults some.
  private mutating func shortenFaults(from start: Int) {
    var isSwapped = false
    let told = faults[start...].filter { fault in
      guard case .swappedCoordinates = fault else { return true }
      defer { isSwapped = true }
      return !isSwapped
    }
    faults.replaceSubrange(start..., with: told.prefix(Self.toldPerRing))
  }

  private static func isSamePlace(_ a: JSONValue, _ b: JSONValue) -> Bool {
    guard case .array(let a) = a, case .array(let b) = b else { return false }
    return a.prefix(2).map(\.double) == b.prefix(2).map(\.double)
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

  /// Longitude and latitude; what follows, such as a height, is left out.
  private mutating func vertex(_ value: JSONValue) -> Polygon.Vertex? {
    positions += 1
    if positions > GeoJSON.positionLimit {
      // Once in a map.
      if positions == GeoJSON.positionLimit + 1 {
        faults.append(.tooManyPositions(limit: GeoJSON.positionLimit))
      }
      return nil
    }
    guard case .array(let elements) = value else {
      structural("a position that is no list of numbers")
      return nil
    }
    let numbers = elements.prefix(2).compactMap(\.double)
    guard numbers.count == min(elements.count, 2) else {
      structural("a position that is no list of numbers")
      return nil
    }
    guard numbers.count == 2 else {
      faults.append(.badPosition(title, numbers))
      return nil
    }
    let vertex = Polygon.Vertex(longitude: numbers[0], latitude: numbers[1])
    guard (-360...360).contains(numbers[0]), (-90...90).contains(numbers[1]) else {
      let isSwapped = Position(latitude: numbers[0], longitude: numbers[1]) != nil
      faults.append(
        isSwapped ? .swappedCoordinates(title, numbers) : .badPosition(title, numbers))
      return nil
    }
    return vertex
  }
}
