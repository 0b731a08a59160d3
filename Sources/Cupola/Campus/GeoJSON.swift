/// The part of RFC 7946 that a campus map needs.
enum GeoJSON {
  struct FeatureCollection: Codable, Equatable {
    let type: String
    var features: [Feature]
  }

  struct Feature: Codable, Equatable {
    let type: String
    let id: JSONValue?
    let geometry: Geometry?
    let properties: [String: JSONValue]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      type = try container.decode(String.self, forKey: .type)
      id = try container.decodeIfPresent(JSONValue.self, forKey: .id)
      geometry = try container.decodeIfPresent(Geometry.self, forKey: .geometry)
      properties =
        try container.decodeIfPresent([String: JSONValue].self, forKey: .properties) ?? [:]
    }
  }

  enum Geometry: Equatable {
    case point([Double])
    case polygon([[[Double]]])
    case multiPolygon([[[[Double]]]])
    /// Kept, but of no use here.
    case other(String, JSONValue?)

    /// All polygons, with positions as written.
    var polygons: [[[[Double]]]] {
      switch self {
      case .polygon(let rings): [rings]
      case .multiPolygon(let polygons): polygons
      default: []
      }
    }

    /// A point that stands for the whole; `nil` when the coordinates are out of range.
    var representative: Position? {
      switch self {
      case .point(let point):
        return point.count >= 2 ? Position(latitude: point[1], longitude: point[0]) : nil
      case .polygon, .multiPolygon:
        guard let first = polygons.first, let polygon = try? Polygon(first, in: "") else {
          return nil
        }
        let centre = polygon.centre
        return Position(latitude: centre.latitude, longitude: centre.longitude)
      case .other: return nil
      }
    }
  }
}

extension GeoJSON.Geometry: Codable {
  private enum CodingKeys: String, CodingKey { case type, coordinates }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    switch type {
    case "Point": self = .point(try container.decode([Double].self, forKey: .coordinates))
    case "Polygon":
      self = .polygon(try container.decode([[[Double]]].self, forKey: .coordinates))
    case "MultiPolygon":
      self = .multiPolygon(try container.decode([[[[Double]]]].self, forKey: .coordinates))
    default:
      let coordinates = try container.decodeIfPresent(JSONValue.self, forKey: .coordinates)
      self = .other(type, coordinates)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .point(let coordinates):
      try container.encode("Point", forKey: .type)
      try container.encode(coordinates, forKey: .coordinates)
    case .polygon(let coordinates):
      try container.encode("Polygon", forKey: .type)
      try container.encode(coordinates, forKey: .coordinates)
    case .multiPolygon(let coordinates):
      try container.encode("MultiPolygon", forKey: .type)
      try container.encode(coordinates, forKey: .coordinates)
    case .other(let type, let coordinates):
      try container.encode(type, forKey: .type)
      try container.encodeIfPresent(coordinates, forKey: .coordinates)
    }
  }
}

extension Polygon {
  /// Checks the rings of one polygon as RFC 7946 writes them.
  ///
  /// - Parameter feature: how to name the feature in an error.
  init(_ coordinates: [[[Double]]], in feature: String) throws {
    func fault(_ fault: CampusFault) -> CupolaError { .badCampus(fault) }
    guard !coordinates.isEmpty else { throw fault(.emptyPolygon(feature)) }
    rings = try coordinates.enumerated().map { index, ring in
      let vertices = try ring.map { try Vertex($0, in: feature) }
      guard vertices.first == vertices.last, !vertices.isEmpty else {
        throw fault(.unclosedRing(feature, ring: index + 1))
      }
      guard vertices.count >= 4 else { throw fault(.shortRing(feature, ring: index + 1)) }
      return vertices
    }
  }
}

extension Polygon.Vertex {
  /// Checks one position as RFC 7946 writes it: longitude, latitude and, left out here, height.
  init(_ numbers: [Double], in feature: String) throws {
    guard numbers.count >= 2 else {
      throw CupolaError.badCampus(.badPosition(feature, numbers))
    }
    guard Position(latitude: numbers[1], longitude: numbers[0]) != nil else {
      let swapped = Position(latitude: numbers[0], longitude: numbers[1]) != nil
      throw CupolaError.badCampus(
        swapped ? .swappedCoordinates(feature, numbers) : .badPosition(feature, numbers))
    }
    self.init(longitude: numbers[0], latitude: numbers[1])
  }
}
