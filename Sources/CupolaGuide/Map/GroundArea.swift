/// A piece of ground that is drawn, and that people see: a building, water, a room.
package struct GroundArea: Equatable, Sendable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    case building, green, water, parking, square, corridor, room
  }

  package var kind: Kind
  /// The feature that it was made of; of all parts of a building the building.
  package var id: String
  package var name: String?
  /// The floor of rooms and corridors; `nil` outdoors.
  package var level: Double?
  /// The outer ring and holes.
  package var rings: [[MapPoint]]

  package init(
    _ kind: Kind, id: String, name: String? = nil, level: Double? = nil, rings: [[MapPoint]]
  ) {
    (self.kind, self.id, self.name, self.level, self.rings) = (kind, id, name, level, rings)
  }
}
