public import CupolaSupport

/// A building on the map.
public struct Building: Equatable, Sendable {
  /// The label of its training photos.
  public let label: String
  /// The display name.
  public let name: String
  /// A short name, for example `LIB`.
  public let abbreviation: String?
  /// The use of the building.
  public let category: String?
  /// A description intended for visitors.
  public let description: String?
  /// The postal address.
  public let address: String?
  /// The construction date as written in the map; ``YearRange`` parses it.
  public let yearBuilt: String?
  /// The file name or URL of a photo.
  public let photo: String?
  /// The building's point, or the mean of its footprint's corners.
  public let position: Position?
  /// All other properties in the map.
  public let properties: [String: JSONValue]
  /// The building's outline; empty if the map has only a point. Not encoded.
  public private(set) var footprint: [Polygon] = []

  /// Creates a building whose name is its label.
  init(onlyLabel label: String) {
    self.init(
      label: label, name: label, abbreviation: nil, category: nil, description: nil,
      properties: [:])
  }

  package init(
    label: String, name: String, abbreviation: String?, category: String?, description: String?,
    properties: [String: JSONValue]
  ) {
    (self.label, self.name, self.abbreviation) = (label, name, abbreviation)
    (self.category, self.description, self.properties) = (category, description, properties)
    (address, yearBuilt, photo, position) = (nil, nil, nil, nil)
  }
}

extension Building: Codable {
  private enum CodingKeys: String, CodingKey {
    case label, name, abbreviation, category, description, address, photo, position, properties
    case yearBuilt = "year_built"
  }
}

extension Building {
  /// Reads a `building` feature with Cupola's or OpenStreetMap's property names, in any case.
  init(_ feature: GeoJSON.Feature, label: String, geometry: GeoJSON.Geometry?) {
    var rest = feature.properties
    // Returns the first non-empty property and removes it from the remaining ones. Exact names take precedence.
    func take(_ names: String..., alike: [String]? = nil) -> String? {
      for name in names {
        guard let text = rest[name]?.text, !text.isEmpty else { continue }
        rest[name] = nil
        return text
      }
      guard let found = rest.first(like: alike ?? names) else { return nil }
      rest[found.key] = nil
      return found.text
    }
    rest["role"] = nil
    rest["label"] = nil
    if feature.properties["id"]?.text == label { rest["id"] = nil }
    self.label = label
    name = take("name", alike: PropertyNames.name) ?? label
    abbreviation = take("abbreviation", "short_name", "ref", alike: PropertyNames.abbreviation)
    category = take("category")
    description = take("description")
    func join(_ parts: [String?], _ separator: String) -> String? {
      let parts = parts.compactMap(\.self)
      return parts.isEmpty ? nil : parts.joined(separator: separator)
    }
    address =
      take("address")
      ?? join(
        [
          join([take("addr:street"), take("addr:housenumber")], " "),
          join([take("addr:postcode"), take("addr:city")], " "),
        ], ", ")
    yearBuilt = take("year_built", "start_date")
    photo = take("photo")
    position = geometry?.representative
    properties = rest
    footprint = geometry?.polygons ?? []
  }
}
