/// A building's record in the catalogue.
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
  /// When it was built, as the map gives it.
  public let yearBuilt: String?
  /// A file or address of a picture.
  public let photo: String?
  /// A point of the building, or the mean of its footprint's corners.
  public let position: Position?
  /// What else the map says, by property name.
  public let properties: [String: JSONValue]
}

extension Building: Encodable {
  private enum CodingKeys: String, CodingKey {
    case label, name, abbreviation, category, description, address, photo, position, properties
    case yearBuilt = "year_built"
  }
}

extension Building {
  /// Reads a feature whose role is `building`, in Cupola's property names or OpenStreetMap's.
  init?(_ feature: GeoJSON.Feature, label: String) {
    var rest = feature.properties
    func take(_ names: String...) -> String? {
      let values = names.compactMap { rest.removeValue(forKey: $0) }
      return values.lazy.compactMap(\.text).first { !$0.isEmpty }
    }
    rest["role"] = nil
    rest["label"] = nil
    if feature.properties["id"]?.text == label { rest["id"] = nil }
    self.label = label
    name = take("name") ?? label
    abbreviation = take("abbreviation", "short_name", "ref")
    category = take("category")
    description = take("description")
    let street = [take("addr:street"), take("addr:housenumber")].compactMap { $0 }
    let town = [take("addr:postcode"), take("addr:city")].compactMap { $0 }
    let parts = [street, town].map { $0.joined(separator: " ") }.filter { !$0.isEmpty }
    address = take("address") ?? (parts.isEmpty ? nil : parts.joined(separator: ", "))
    yearBuilt = take("year_built", "start_date")
    photo = take("photo")
    position = feature.geometry?.representative
    properties = rest
  }
}
