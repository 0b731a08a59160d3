internal import CupolaCampus
internal import CupolaSupport

// 1. A place is what visitors look for, with its doors; it is an object of JSON in a guide.
// 2. Names, numbers and kinds of all places go into one index of words.
// 3. Matches that the text names or numbers as a whole come first.
// 4. "Meant" are all of that name, else all of that kind, of that number, or the best match.

/// Something that visitors look for: a building, a room, a café.
public struct Place: Equatable, Sendable {
  /// What it is to a map.
  public enum Kind: String, Codable, Sendable {
    case building, room
    /// A point of interest, inside or outside of buildings.
    case poi
  }

  /// A point where it is entered.
  package struct Door: Equatable, Sendable {
    /// Where it is.
    package var point: RoutePoint
    /// The door's name, such as `North entrance`; `nil` without one.
    package var name: String?

    package init(_ point: RoutePoint, name: String? = nil) {
      (self.point, self.name) = (point, name)
    }
  }

  /// As the map names it, such as `way/4711`; with the floor behind `@` for what is on several.
  public let id: String
  /// What it is to a map.
  public let kind: Kind
  /// What people call it; `nil` for what has no name, such as most toilets.
  public let name: String?
  /// OpenStreetMap's value of `amenity`, `shop`, `tourism`, ...; of rooms what they are for.
  public let category: String?
  /// A room's number, or a short name.
  public let ref: String?
  /// A point of it, or inside of it.
  public let position: RoutePoint
  /// The identifier of the building that it is in; `nil` outdoors.
  public let building: String?
  /// Where it is entered; empty where the map does not say, and the position is all that is known.
  package let doors: [Door]
  /// OpenStreetMap's other tags that say something to visitors.
  public let tags: [String: String]

  package init(
    id: String, kind: Kind, name: String? = nil, category: String? = nil, ref: String? = nil,
    position: RoutePoint, building: String? = nil, doors: [Door] = [], tags: [String: String] = [:]
  ) {
    (self.id, self.kind, self.name, self.category) = (id, kind, name, category)
    (self.ref, self.position, self.building) = (ref, position, building)
    (self.doors, self.tags) = (doors, tags)
  }

  /// What to call it: its name, number, category or kind.
  public var title: String {
    if let name { return name }
    if let ref { return kind == .room ? "room \(ref)" : ref }
    return category?.replacing("_", with: " ") ?? kind.rawValue
  }

  /// When it is open, as the map says it; `nil` when it does not.
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
          // The floor keeps its place.
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
  /// Latitude, longitude and, on a floor, its number, in ten-millionths of a degree and tenths of a floor.
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

/// Finds places by what people type: names, numbers, kinds; typing errors are forgiven as in ``BuildingIndex``.
struct PlaceIndex: Sendable {
  private let places: [Place]
  private let index: BuildingIndex

  init(_ places: [Place]) {
    self.places = places
    index = BuildingIndex(
      places.enumerated().map { number, place in
        Building(
          // The label leads back to the place; it is not what people search for.
          label: String(number), name: place.name ?? place.title,
          abbreviation: place.ref ?? place.tags["short_name"], category: nil,
          description: place.tags["description"], properties: Self.otherNames(of: place))
      })
  }

  /// Other names, the kind among them.
  private static func otherNames(of place: Place) -> [String: JSONValue] {
    var names = place.tags.filter { isName($0.key) }
    names["name:kind"] = kind(of: place)
    // Of two abbreviations the index has one.
    if let short = place.tags["short_name"], short != place.ref { names["name:short"] = short }
    return names.mapValues { .string($0) }
  }

  /// Whether a tag is another name; there may be several in it, with semicolons between them.
  private static func isName(_ key: String) -> Bool { key.hasSuffix("_name") || key == "name:en" }

  private static func otherNames(in tags: [String: String]) -> [String] {
    tags.filter { isName($0.key) }.values.flatMap { $0.split(separator: ";").map(String.init) }
  }

  /// What places of a kind are called, also by people who do not tag maps.
  private static func kind(of place: Place) -> String {
    // There may be several, as `restaurant;cafe`.
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

  /// What somebody who types a text means: places of that very name, or all of that kind, or of that very number, or
  /// of which it is another name, or else the best match.
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
    // Toilets with and without a name are toilets, but the building `Library` is no other library.
    if !ofKind.isEmpty, ofKind.count(where: \.isNamed) == named.count {
      return (named + ofKind.filter { !$0.isNamed }).map(\.place)
    }
    if !named.isEmpty { return named.map(\.place) }
    let numbered = matches.filter(\.isNumbered)
    if !numbered.isEmpty { return numbered.map(\.place) }
    let namedToo = matches.filter(\.isNamedToo)
    return (namedToo.isEmpty ? Array(matches.prefix(1)) : namedToo).map(\.place)
  }

  private struct Match: Equatable {
    let place: Place
    /// Whether the text is all of its name, or "room" and its number.
    let isNamed: Bool
    let isNumbered: Bool
    /// Whether the text is all of another name of it, such as the English one.
    let isNamedToo: Bool

    var isFirst: Bool { isNamed || isNumbered || isNamedToo }
  }

  /// Those that the text names or numbers come first: by its words alone 1.1 is 1.6 as well, which has a 1, too.
  private func matches(_ text: String, limit: Int?) -> [Match] {
    var asked = VeryName(text)
    let found = index.search(BuildingQuery(text)).compactMap { match -> Match? in
      guard let number = Int(match.building.label) else { return nil }
      let place = places[number]
      let isNamed =
        asked.isSame(as: place.name ?? place.title) || asked.isSame(as: place.roomNumber)
      return Match(
        place: place, isNamed: isNamed, isNumbered: asked.isSame(as: place.ref),
        isNamedToo: Self.otherNames(in: place.tags).contains { asked.isSame(as: $0) })
    }
    let all = found.filter(\.isFirst) + found.filter { !$0.isFirst }
    return Array(all.prefix(max(0, limit ?? .max)))
  }
}

extension Place {
  /// What people call a room by its number, also one that has a name.
  fileprivate var roomNumber: String? { kind == .room ? ref.map { "room \($0)" } : nil }
}

/// Whether a text is all of what something is called, and not only a part of it.
package struct VeryName {
  private var folding = Folding()
  private let words: [[UInt32]]

  package init(_ text: String) { words = folding.words(of: text) }

  package mutating func isSame(as name: String?) -> Bool {
    name.map { folding.words(of: $0) == words } ?? false
  }
}

extension Place {
  package func isCalled(_ text: String) -> Bool {
    var asked = VeryName(text)
    return id == text || asked.isSame(as: name ?? title)
  }
}
