public import CupolaSupport

/// A building's record in the catalog.
public struct Building: Equatable, Sendable {
  /// The label that its training photos carry.
  public let label: String
  /// What people call it.
  public let name: String
  /// A short form, such as `LIB`.
  public let abbreviation: String?
  /// What it is used for.
  public let category: String?
  /// A sentence or more for visitors.
  public let description: String?
  /// Where post is sent.
  public let address: String?
  /// When it was built, as the map gives it; ``YearRange`` reads it.
  public let yearBuilt: String?
  /// A file or address of a picture.
  public let photo: String?
  /// A point of the building, or the mean of its footprint's corners.
  public let position: Position?
  /// What else the map says, by property name.
  public let properties: [String: JSONValue]
  /// The ground that it stands on; empty when the map gives a point. Left out of JSON.
  public private(set) var footprint: [Polygon] = []

  /// A record that no map gave, such as one to be searched for.
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
  /// Reads a feature whose role is `building`, in Cupola's property names or OpenStreetMap's.
  init?(_ feature: GeoJSON.Feature, label: String) {
    var rest = feature.properties
    // What is not used stays among the other properties.
    func take(_ names: String...) -> String? {
      for name in names {
        guard let text = rest[name]?.text, !text.isEmpty else { continue }
        rest[name] = nil
        return text
      }
      return nil
    }
    rest["role"] = nil
    rest["label"] = nil
    if feature.properties["id"]?.text == label { rest["id"] = nil }
    self.label = label
    name = take("name") ?? label
    abbreviation = take("abbreviation", "short_name", "ref")
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
    position = feature.geometry?.representative
    properties = rest
    footprint = feature.geometry?.polygons ?? []
  }
}
