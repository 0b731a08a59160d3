internal import CupolaGuide

/// A relation as Overpass writes it.
struct OverpassRelation {
  struct Member {
    enum Kind: String { case node, way, relation }
    let kind: Kind
    let ref: Int64
    let role: String
    /// The places of a way's nodes, after `out geom`.
    let geometry: [MapPoint?]
  }

  let id: Int64
  let tags: [String: String]
  let members: [Member]

  var name: String { "relation/\(id)" }
}
