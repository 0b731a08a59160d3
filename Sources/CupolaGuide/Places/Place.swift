internal import CupolaCampus
internal import CupolaSupport

// 1. Index the words in the names, numbers and kinds of all places.
// 2. Rank exact names and numbers first, followed by kinds, alternative names and partial matches.

/// A place that visitors look for, such as a building, a room or a café.
public struct Place: Equatable, Sendable {
  /// The kind of a place.
  public enum Kind: String, Codable, Sendable {
    case building, room
    /// A point of interest, indoors or outdoors.
    case poi
  }

  package struct Door: Equatable, Sendable {
    package var point: RoutePoint
    /// The name, such as `North entrance`; `nil` if there is none.
    package var name: String?

    package init(_ point: RoutePoint, name: String? = nil) {
      (self.point, self.name) = (point, name)
    }
  }

  /// The identifier on the map, such as `way/4711`; if the place is on several floors, followed by `@` and the floor.
  public let id: String
  /// The kind.
  public let kind: Kind
  /// The name; `nil` if there is none, as for most toilets.
  public let name: String?
  /// The value of an OpenStreetMap key such as `amenity`, `shop` or `tourism`; for rooms, their use.
  public let category: String?
  /// The room number, or a short name.
  public let ref: String?
  /// A point at or inside the place.
  public let position: RoutePoint
  /// The identifier of the building that contains the place; `nil` outdoors.
  public let building: String?
  package let doors: [Door]
  /// Other OpenStreetMap tags that are useful to visitors.
  public let tags: [String: String]

  package init(
    id: String, kind: Kind, name: String? = nil, category: String? = nil, ref: String? = nil,
    position: RoutePoint, building: String? = nil, doors: [Door] = [], tags: [String: String] = [:]
  ) {
    (self.id, self.kind, self.name, self.category) = (id, kind, name, category)
    (self.ref, self.position, self.building) = (ref, position, building)
    (self.doors, self.tags) = (doors, tags)
  }

  /// The name, number, category or kind to display.
  public var title: String {
    if let name { return name }
    if let ref { return kind == .room ? "room \(ref)" : ref }
    return category?.replacing("_", with: " ") ?? kind.rawValue
  }

  /// The mapped opening hours; `nil` if there are none.
  public var openingHours: String? { tags["opening_hours"] }

  var json: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "kind": .string(kind.rawValue), "position": position.json,
    ]
    for (key, value) in [
      ("name", name), ("category", category), ("ref", ref), ("building", building),
    ] {
      if let value { members[key] = .string(value) }
    }
    if !doors.isEmpty {
      members["doors"] = .array(
        doors.map { door in
          guard case .array(let point) = door.point.json, let name = door.name else {
            return door.point.json
          }
          // Insert null, so that the name is always the fourth element.
          return .array(point + (point.count == 2 ? [.null] : []) + [.string(name)])
        })
    }
    if !tags.isEmpty { members["tags"] = .object(tags.mapValues { .string($0) }) }
    return .object(members)
  }

  init?(_ json: JSONValue) {
    guard case .object(let members) = json, let id = members["id"]?.text,
      let kind = members["kind"]?.text.flatMap({ Kind(rawValue: $0) }),
      let position = members["position"].flatMap({ RoutePoint($0) })
    else { return nil }
    var doors: [Door] = []
    if case .array(let all) = members["doors"] {
      for door in all {
        guard case .array(let parts) = door, let point = RoutePoint(.array(Array(parts.prefix(3))))
        else { return nil }
        doors.append(Door(point, name: parts.count > 3 ? parts[3].text : nil))
      }
    }
    var tags: [String: String] = [:]
    if case .object(let all) = members["tags"] { tags = all.compactMapValues(\.text) }
    self.init(
      id: id, kind: kind, name: members["name"]?.text, category: members["category"]?.text,
      ref: members["ref"]?.text, position: position, building: members["building"]?.text,
      doors: doors, tags: tags)
  }
}

extension RoutePoint {
  /// Latitude and longitude in units of 1e-7 degrees; for a point on a floor, also the floor's number in tenths.
  var json: JSONValue {
    func whole(_ value: Double, _ factor: Double) -> JSONValue {
      .integer(Int((value * factor).rounded()))
    }
    return .array(
      [whole(latitude, 1e7), whole(longitude, 1e7)] + (level.map { [whole($0, 10)] } ?? []))
  }

  init?(_ json: JSONValue) {
    guard case .array(let parts) = json, parts.count >= 2, case .integer(let latitude) = parts[0],
      case .integer(let longitude) = parts[1], let north = Int32(exactly: latitude),
      let east = Int32(exactly: longitude),
      let point = MapPoint(latitudeE7: north, longitudeE7: east)
    else { return nil }
    self.init(point)
    if parts.count > 2, case .integer(let level) = parts[2] {
      guard level.magnitude < 1_000_000 else { return nil }
      self.level = Double(level) / 10
    }
  }
}

/// Finds places by name, number or kind, and tolerates typing errors in the same way as ``BuildingIndex``.
struct PlaceIndex: Sendable {
  private let places: [Place]
  private let index: BuildingIndex

  init(_ places: [Place]) {
    self.places = places
    index = BuildingIndex(
      places.enumerated().map { number, place in
        Building(
          // The label identifies the place of a match and is not searched.
          label: String(number), name: place.name ?? place.title,
          abbreviation: place.ref ?? place.tags["short_name"], category: nil,
          description: place.tags["description"], properties: Self.otherNames(of: place))
      })
  }

  private static func otherNames(of place: Place) -> [String: JSONValue] {
    var names = place.tags.filter { isName($0.key) }
    names["name:kind"] = kind(of: place)
    // The index stores only one abbreviation per building.
    if let short = place.tags["short_name"], short != place.ref { names["name:short"] = short }
    return names.mapValues { .string($0) }
  }

  private static func isName(_ key: String) -> Bool { key.hasSuffix("_name") || key == "name:en" }

  private static func otherNames(in tags: [String: String]) -> [String] {
    tags.filter { isName($0.key) }.values.flatMap { $0.split(separator: ";").map(String.init) }
  }

  /// Returns the words that describe a place's kind, including common synonyms.
  private static func kind(of place: Place) -> String {
    let categories = (place.category ?? "").tagValues.map(String.init)
    let words = categories.map { $0.replacing("_", with: " ") }
    let more = categories.compactMap { synonyms[$0] }
    let kind = place.kind == .poi ? [] : [place.kind.rawValue]
    return (kind + words + more).joined(separator: " ")
  }

  private static let synonyms: [String: String] = [
    "toilets": "toilet restroom bathroom wc", "cafe": "coffee", "bus_stop": "bus",
    "restaurant": "food", "fast_food": "food", "atm": "cash", "bank": "cash",
    "defibrillator": "aed", "pharmacy": "chemist", "parking": "car park", "stairs": "steps",
    "elevator": "lift", "canteen": "food", "drinking_water": "water",
  ]

  func search(_ text: String, limit: Int?) -> [Place] { matches(text, limit: limit).map(\.place) }

  /// Returns the places that a text refers to: matches by name, otherwise by kind, number or alternative name,
  /// otherwise the best match.
  func meant(by text: String) -> [Place] {
    var folding = Folding()
    let asked = folding.words(of: text)
    if asked.isEmpty { return [] }
    let matches = matches(text, limit: nil)
    let named = matches.filter { $0.isNamed }
    let ofKind = matches.filter { match in
      let kinds = folding.words(of: Self.kind(of: match.place))
      return match.place.kind != .building && asked.allSatisfy(kinds.contains)
    }
    // "toilets" matches named and unnamed toilets, but the building name `Library` does not match other libraries.
    if !ofKind.isEmpty, ofKind.count(where: \.isNamed) == named.count {
      return (named + ofKind.filter { !$0.isNamed }).map(\.place)
    }
    if !named.isEmpty { return named.map(\.place) }
    let numbered = matches.filter(\.isNumbered)
    if !numbered.isEmpty { return numbered.map(\.place) }
    let alternatives = matches.filter(\.hasAlternativeName)
    return (alternatives.isEmpty ? Array(matches.prefix(1)) : alternatives).map(\.place)
  }

  private struct Match: Equatable {
    let place: Place
    /// Whether the text is the complete name, or "room" followed by the number.
    let isNamed: Bool
    let isNumbered: Bool
    let hasAlternativeName: Bool

    var isFirst: Bool { isNamed || isNumbered || hasAlternativeName }
  }

  /// Ranks exact names and numbers first, because the text 1.1 also matches 1.6 by the word 1.
  private func matches(_ text: String, limit: Int?) -> [Match] {
    var asked = ExactName(text)
    let found = index.search(BuildingQuery(text)).compactMap { match -> Match? in
      guard let number = Int(match.building.label) else { return nil }
      let place = places[number]
      let isNamed =
        asked.isSame(as: place.name ?? place.title) || asked.isSame(as: place.roomNumber)
      return Match(
        place: place, isNamed: isNamed, isNumbered: asked.isSame(as: place.ref),
        hasAlternativeName: Self.otherNames(in: place.tags).contains { asked.isSame(as: $0) })
    }
    let all = found.filter(\.isFirst) + found.filter { !$0.isFirst }
    return Array(all.prefix(max(0, limit ?? .max)))
  }
}

extension Place {
  fileprivate var roomNumber: String? { kind == .room ? ref.map { "room \($0)" } : nil }
}

/// Compares texts with complete names, ignoring case and accents.
package struct ExactName {
  private var folding = Folding()
  private let words: [[UInt32]]

  package init(_ text: String) { words = folding.words(of: text) }

  package mutating func isSame(as name: String?) -> Bool {
    name.map { folding.words(of: $0) == words } ?? false
  }
}

extension Place {
  package func isCalled(_ text: String) -> Bool {
    var asked = ExactName(text)
    return id == text || asked.isSame(as: name ?? title)
  }
}
