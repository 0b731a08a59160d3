#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The map of the grounds: a geofence and a catalogue of buildings.
public struct Campus: Equatable, Sendable {
  /// Where the campus is.
  public let geofence: Geofence
  /// The catalogue, in the order of the map.
  public let buildings: [Building]

  private let collection: GeoJSON.FeatureCollection

  /// Reads a GeoJSON FeatureCollection (RFC 7946).
  ///
  /// Features with `"role": "boundary"` (or `amenity=university`) are the geofence; features with
  /// `"role": "building"` (or `building=*`) are the catalogue, labelled by `label` or `id`.
  /// - Throws: ``CupolaError/badCampus(_:)`` naming the feature and what is wrong with it.
  public init(geoJSON bytes: [UInt8]) throws {
    do {
      collection = try JSONDecoder().decode(GeoJSON.FeatureCollection.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw CupolaError.badCampus(.notGeoJSON(error.place))
    }
    guard collection.type == "FeatureCollection" else {
      throw CupolaError.badCampus(.notGeoJSON("type is \(collection.type)"))
    }
    var polygons: [Polygon] = []
    var buildings: [Building] = []
    for (index, feature) in collection.features.enumerated() {
      switch feature.role {
      case "boundary":
        let name = feature.title(index)
        polygons += try feature.geometry?.polygons.map { try Polygon($0, in: name) } ?? []
      case "building":
        guard let label = feature.label else { continue }
        // The position of a building is checked here, so that a swapped pair does not go unseen.
        for polygon in feature.geometry?.polygons ?? [] {
          _ = try Polygon(polygon, in: feature.title(index))
        }
        if case .point(let point) = feature.geometry {
          _ = try Polygon.Vertex(point, in: feature.title(index))
        }
        if let building = Building(feature, label: label) { buildings.append(building) }
      default: continue
      }
    }
    guard !polygons.isEmpty else { throw CupolaError.badCampus(.noBoundary) }
    geofence = Geofence(polygons: polygons)
    self.buildings = buildings
  }

  /// The record of the building with a training label.
  public func building(labelled label: String) -> Building? {
    buildings.first { $0.label == label }
  }

  /// Checks that photos lie inside the fence, not only when latitude and longitude change places.
  ///
  /// - Throws: ``CupolaError/badCampus(_:)`` with ``CampusFault/probablySwapped``.
  package func checkAxes(against positions: [Position]) throws(CupolaError) {
    let inside = positions.count { geofence.contains($0) }
    let insideSwapped = positions.count { position in
      Position(latitude: position.longitude, longitude: position.latitude)
        .map(geofence.contains) ?? false
    }
    guard inside >= insideSwapped else { throw .badCampus(.probablySwapped) }
  }

  /// The map as GeoJSON, with keys in sorted order.
  func geoJSON() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(collection))
  }
}

extension GeoJSON.Feature {
  /// As given, or as OpenStreetMap's tags mean it: a university's one building is a building.
  fileprivate var role: String? {
    if let role = properties["role"]?.text { return role }
    if properties["building"] != nil { return "building" }
    return properties["amenity"]?.text == "university" ? "boundary" : nil
  }

  fileprivate var label: String? {
    properties["label"]?.text ?? properties["id"]?.text ?? id?.text
  }

  fileprivate func title(_ index: Int) -> String {
    properties["name"]?.text ?? label ?? "feature \(index + 1)"
  }
}

extension DecodingError {
  /// Where in the text the fault is, in a few words.
  fileprivate var place: String {
    func path(_ context: Context) -> String {
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      return path.isEmpty ? "" : " at " + path.joined(separator: "/")
    }
    return switch self {
    case .keyNotFound(let key, let context): "no \"\(key.stringValue)\"" + path(context)
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "another type than expected" + path(context)
    case .dataCorrupted(let context): "not valid JSON" + path(context)
    @unknown default: "unreadable"
    }
  }
}
