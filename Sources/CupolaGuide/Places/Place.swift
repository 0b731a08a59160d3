internal import CupolaSupport

/// Something that visitors look for: a building, a room, a café.
public struct Place: Equatable, Sendable {
  /// What it is to a map.
  public enum Kind: String, Codable, Sendable {
    case building, room
    /// A point of interest, inside or outside of buildings.
    case poi
  }

  /// A point where it is entered.
  public struct Door: Equatable, Sendable {
    /// Where it is.
    public var point: RoutePoint
    /// The door's name, such as `North entrance`; `nil` without one.
    public var name: String?

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
  public let doors: [Door]
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
}

/// Places as JSON: an object each, names of members as in ``Place``.
extension Place {
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

  /// `nil` for what is no place.
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

  /// `nil` for what is no point on Earth.
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
