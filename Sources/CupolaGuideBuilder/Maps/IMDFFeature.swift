internal import CupolaSupport

/// A feature of an IMDF file.
struct IMDFFeature {
  let id: String
  let properties: [String: JSONValue]
  let shapes: [GeoJSONShapes.Shape]
  let problems: [String]
  /// Whether it lies nowhere, as many features of IMDF may.
  let isUnlocated: Bool

  /// Fails without an identifier.
  init?(_ value: JSONValue) {
    guard let members = value.members, let id = members["id"]?.tag else { return nil }
    self.id = id
    properties = members["properties"]?.members ?? [:]
    let read = GeoJSONShapes(members["geometry"])
    (shapes, problems, isUnlocated) = (read.shapes, read.problems, read.isUnlocated)
  }

  subscript(_ key: String) -> String? { properties[key]?.tag }

  /// The name in English, or in the first of its languages.
  var name: String? { text("name") }

  /// A text in English, or in the first of its languages.
  func text(_ key: String) -> String? {
    guard let value = properties[key] else { return nil }
    guard let languages = value.members else { return value.tag }
    if let english = languages["en"]?.tag { return english }
    // Tags of BCP 47 may name a region, too, as `en-US`.
    let sorted = languages.sorted { $0.key < $1.key }
    let english = sorted.filter { $0.key.lowercased().hasPrefix("en-") }
    return (english + sorted).lazy.compactMap(\.value.tag).first
  }

  /// Identifiers of other features.
  func list(_ key: String) -> [String] { properties[key]?.elements?.compactMap(\.tag) ?? [] }

  /// What all kinds of features may say.
  var commonTags: [String: String] {
    var tags: [String: String] = [:]
    tags["name"] = name
    tags["alt_name"] = text("alt_name")
    // IMDF has the hours in OpenStreetMap's own language.
    tags["opening_hours"] = self["hours"]
    tags["phone"] = self["phone"]
    tags["website"] = self["website"]
    if self["restriction"] != nil { tags["access"] = "private" }
    if list("accessibility").contains("wheelchair") { tags["wheelchair"] = "yes" }
    return tags
  }
}
