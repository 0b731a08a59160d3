/// A room, corridor or hall on one floor.
struct IndoorSpace: Sendable {
  /// The feature that it was made of.
  var id: String
  var tags: [String: String]
  var level: Double
  /// Whether one may walk everywhere in it, and from it into its neighbors of the same kind.
  var isOpen: Bool
  /// The vertex of a point inside; `nil` when nothing leads there.
  var vertex: Int?
  /// Outlines, numbers of points; the first is the outer one.
  var rings: [[Int]]
  /// A point inside.
  var inside: Int

  /// How to name it to people.
  var title: String { MapFault.title(of: id, named: tags["name"]) }
}
