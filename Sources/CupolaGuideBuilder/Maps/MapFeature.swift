/// Something on a map: a point, a line or an area with OpenStreetMap's tags.
struct MapFeature: Sendable {
  /// Where it is, by numbers of ``GuideMap/points``.
  enum Geometry: Equatable, Sendable {
    case point(Int)
    /// At least two points.
    case line([Int])
    /// Rings of at least three points, the first one not repeated at the end; the first ring is the outer one.
    case area([[Int]])
  }

  /// How OpenStreetMap or another map names it, such as `way/4711`; unique in a map.
  let id: String
  var tags: [String: String]
  var geometry: Geometry

  init(id: String, tags: [String: String], geometry: Geometry) {
    self.id = id
    self.tags = tags
    self.geometry = geometry
  }

  /// A tag's value; `nil` also for an empty one.
  subscript(_ key: String) -> String? { tags[key].flatMap { $0.isEmpty ? nil : $0 } }

  /// How to name it to people.
  var title: String { MapFault.title(of: id, named: tags["name"]) }

  /// Bytes of its identifier and tags.
  var textBytes: Int {
    tags.reduce(id.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  /// All points of it, each as often as it stands there.
  var pointNumbers: [Int] {
    switch geometry {
    case .point(let point): [point]
    case .line(let points): points
    case .area(let rings): rings.flatMap(\.self)
    }
  }
}
