internal import CupolaSupport

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
