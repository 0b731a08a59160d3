internal import CupolaSupport

// 1. Find the role, label and title of a feature in its properties (`GeoJSON.Feature`).
// 2. Read the polygons and points of its geometry (`GeometryReader`).
// 3. Check each ring: positions in range, closed, at least four positions, around a pole at most once.
// 4. Collect faults, and continue with the valid parts.

/// The parts of RFC 7946 that a campus map uses. Other members remain in the source JSON.
enum GeoJSON {
  struct Feature: Sendable {
    let id: JSONValue?
    let geometry: Geometry?
    let properties: [String: JSONValue]
  }

  /// The polygons and points of a geometry, including those in geometry collections.
  struct Geometry: Equatable, Sendable {
    var polygons: [Polygon] = []
    var points: [Polygon.Vertex] = []

    /// A representative point; `nil` if there is no polygon or point.
    var representative: Position? {
      guard let vertex = polygons.first?.center ?? points.first else { return nil }
      let longitude = Degrees.turn(from: 0, to: vertex.longitude)
      return Position(latitude: vertex.latitude, longitude: longitude)
    }
  }

  static let positionLimit = 1_000_000
}

extension GeoJSON.Feature {
  enum Role: Equatable { case boundary, building }

  /// The explicit role, or the one implied by OpenStreetMap tags. The tag `building` takes precedence.
  var role: Role? {
    if let role = properties["role"]?.text {
      return role == "boundary" ? .boundary : role == "building" ? .building : nil
    }
    if let building = properties["building"]?.text, building != "no" { return .building }
    return ["university", "college"].contains(properties["amenity"]?.text) ? .boundary : nil
  }

  var label: String? {
    [properties["label"], properties["id"], id, properties["@id"]]
      .lazy.compactMap { $0?.text }.first { !$0.isEmpty }
  }

  /// The title for messages: the name, the label or the feature's number in the file.
  func title(_ index: Int) -> String {
    properties["name"]?.text ?? label ?? "feature \(index + 1)"
  }

  /// Merges OpenStreetMap tags, which some exporters nest in an object, into the properties.
  static func flattened(_ properties: [String: JSONValue]) -> [String: JSONValue] {
    guard case .object(let tags) = properties["tags"],
      tags["building"] != nil || tags["amenity"] != nil
    else { return properties }
    var result = properties
    result["tags"] = nil
    return result.merging(tags) { own, _ in own }
  }
}

/// Reads the geometry of a feature and collects its faults.
struct GeometryReader {
  let title: String
  var positions: Int
  private(set) var faults: [CampusError] = []

  init(title: String, positions: Int) {
    self.title = title
    self.positions = positions
  }

  /// Returns the valid parts of a geometry; `nil` for `null`.
  mutating func geometry(_ value: JSONValue?) -> GeoJSON.Geometry? {
    guard let value, value != .null else { return nil }
    var geometry = GeoJSON.Geometry()
    read(value, into: &geometry)
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

  /// Keeps one fault about swapped positions per ring, and limits the number of other faults.
  private mutating func shortenFaults(from start: Int) {
    var isSwapped = false
    let told = faults[start...].filter { fault in
      guard case .swappedCoordinates = fault else { return true }
      defer { isSwapped = true }
      return !isSwapped
    }
    faults.replaceSubrange(start..., with: told.prefix(Self.maxFaultsPerRing))
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

  /// Reads longitude and latitude. Ignores any other numbers, such as a height.
  private mutating func vertex(_ value: JSONValue) -> Polygon.Vertex? {
    positions += 1
    if positions > GeoJSON.positionLimit {
      if positions == GeoJSON.positionLimit + 1 {
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
      let isSwapped = Position(latitude: numbers[0], longitude: numbers[1]) != nil
      faults.append(
        isSwapped ? .swappedCoordinates(title, numbers) : .badPosition(title, numbers))
      return nil
    }
    return vertex
  }
}
