internal import CupolaGuide
internal import CupolaSupport

// 1. Add nodes to the map while reading them.
// 2. Collect ways and relations, and convert them to features after all elements have been read.

/// Reads Overpass `[out:json]` responses, whose elements may be in any order.
///
/// Nodes are added to the map immediately; ways and relations are collected until the end.
/// <https://dev.overpass-api.de/output_formats.html#json>
struct OverpassReader {
  var ways: [OverpassWay] = []
  private(set) var relations: [OverpassRelation] = []
  private(set) var wayNumbers: [Int64: Int] = [:]
  /// The points of complete ways that are used by relations.
  var linesOfWays: [Int64: [Int]] = [:]

  var areaBudget = WorkBudget.relations

  private var relationIDs: Set<Int64> = []
  private var elements = 0
  private let pointsBefore: Int

  init(_ map: GuideMap) { pointsBefore = map.points.count }

  var drafts: Int { ways.count + relations.count }

  private typealias Element = (id: Int64, members: [String: JSONValue], tags: [String: String])

  mutating func read(_ value: JSONValue, into map: inout GuideMap) {
    elements += 1
    guard let members = value.members, let type = members["type"]?.text else {
      return map.add(MapFault("element \(elements)", "not an object with a \"type\"; remove it"))
    }
    // Ignore other types, such as `count`, `area` and `timeline`.
    guard ["node", "way", "relation"].contains(type) else { return }
    let tags = members["tags"]?.tags ?? [:]
    guard let id = members["id"]?.identifier else {
      return map.fault(
        "\(type), element \(elements)", tags, "id is not an integer; download the map again")
    }
    switch type {
    case "node": readNode((id, members, tags), into: &map)
    case "way": readWay((id, members, tags), into: &map)
    default: readRelation((id, members, tags), into: &map)
    }
  }

  private func readNode(_ element: Element, into map: inout GuideMap) {
    let (id, members, tags) = element
    let name = "node/\(id)"
    guard let place = Self.place(members) else {
      // With `out ids` or `out tags`, nodes have no position; another response may contain it.
      if members["lat"] == nil, members["lon"] == nil, map.point(ofNode: id) != nil { return }
      return map.fault(
        name, tags, "lat and lon are not a valid position; correct the node")
    }
    if let known = map.point(ofNode: id), known >= pointsBefore, map.points[known] != place {
      map.fault(
        name, tags, "listed twice with different positions; keep one, or download the map again")
    }
    let point = map.point(place, node: id)
    guard !tags.isEmpty else { return }
    if let known = map.feature(name), known.tags != tags, isOfThisFile(known) {
      map.fault(name, tags, "listed twice with different tags; keep one")
    }
    map.add(MapFeature(id: name, tags: tags, geometry: .point(point)))
  }

  private func isOfThisFile(_ feature: MapFeature) -> Bool {
    feature.pointNumbers.contains { $0 >= pointsBefore }
  }

  static func place(_ members: [String: JSONValue]) -> MapPoint? {
    guard let latitude = members["lat"]?.number, let longitude = members["lon"]?.number else {
      return nil
    }
    return MapPoint(latitude: latitude, longitude: longitude)?.onDateLine
  }

  static func geometry(_ value: JSONValue?) -> [MapPoint?] {
    value?.elements?.map { $0.members.flatMap(place) } ?? []
  }

  private mutating func readWay(_ element: Element, into map: inout GuideMap) {
    let (id, members, tags) = element
    let way = OverpassWay(
      id: id, tags: tags, nodes: members["nodes"]?.elements?.map { $0.identifier ?? 0 } ?? [],
      geometry: Self.geometry(members["geometry"]),
      center: members["center"]?.members.flatMap(Self.place))
    if let known = wayNumbers[id] {
      guard !ways[known].merge(way) else { return }
      return map.fault(
        "way/\(id)", tags, "listed twice with different nodes or tags; keep one")
    }
    wayNumbers[id] = ways.count
    ways.append(way)
  }

  private mutating func readRelation(_ element: Element, into map: inout GuideMap) {
    let (id, members, tags) = element
    // Ignore other relations, such as bus routes.
    guard ["multipolygon", "building", "restriction"].contains(tags["type"]) else { return }
    guard relationIDs.insert(id).inserted else { return }
    let list = members["members"]?.elements ?? []
    let parts = list.compactMap { value -> OverpassRelation.Member? in
      guard let member = value.members, let ref = member["ref"]?.identifier,
        let kind = member["type"]?.text.flatMap(OverpassRelation.Member.Kind.init)
      else { return nil }
      return OverpassRelation.Member(
        kind: kind, ref: ref, role: member["role"]?.text ?? "",
        geometry: Self.geometry(member["geometry"]))
    }
    if parts.count < list.count {
      map.fault(
        "relation/\(id)", tags, "some members have no type or ref; download the map again")
    }
    relations.append(OverpassRelation(id: id, tags: tags, members: parts))
  }

  mutating func finish(remark: String?, path: String, into map: inout GuideMap) {
    if let remark {
      let text = VisibleText.line(remark.start(scalars: 200))
      map.add(
        MapFault(
          VisibleText.line(path),
          "incomplete Overpass response: \(text); query a smaller area or use a longer [timeout:]",
          isOfMap: true))
    }
    nameOutlines()
    addWays(to: &map)
    for relation in relations {
      guard map.hasRoom else { return }
      if relation.tags["type"] == "restriction" {
        guard map.restrictions.count < GuideMap.mostPoints else { continue }
        addRestriction(relation, to: &map)
      } else {
        addArea(relation, to: &map)
      }
    }
  }
}

struct OverpassRelation {
  struct Member {
    enum Kind: String { case node, way, relation }
    let kind: Kind
    let ref: Int64
    let role: String
    let geometry: [MapPoint?]
  }

  let id: Int64
  let tags: [String: String]
  let members: [Member]

  var name: String { "relation/\(id)" }
}

struct OverpassWay {
  let id: Int64
  var tags: [String: String]
  var nodes: [Int64]
  /// The positions of the nodes, if the query used `out geom`; `nil` for nodes outside the queried area.
  var geometry: [MapPoint?]
  var center: MapPoint?

  /// Adds the data from another response. Returns `false` if the two contradict each other.
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
