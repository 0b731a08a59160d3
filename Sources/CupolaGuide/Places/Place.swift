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
