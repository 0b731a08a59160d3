internal import CupolaGuide

/// A way as Overpass writes it, before its nodes are known.
struct OverpassWay {
  let id: Int64
  var tags: [String: String]
  /// Nodes in their order; 0 where something else stands.
  var nodes: [Int64]
  /// The places of the nodes, after `out geom`; `nil` outside of what was asked for.
  var geometry: [MapPoint?]
  /// Its middle, after `out center`.
  var center: MapPoint?

  /// Completes it with what another answer says of it; fails when the two contradict each other.
  mutating func merge(_ other: OverpassWay) -> Bool {
    let isSame =
      (nodes.isEmpty || other.nodes.isEmpty || nodes == other.nodes)
      && (tags.isEmpty || other.tags.isEmpty || tags == other.tags)
    if nodes.isEmpty { nodes = other.nodes }
    if geometry.isEmpty { geometry = other.geometry }
    if tags.isEmpty { tags = other.tags }
    center = center ?? other.center
    return isSame
  }
}
