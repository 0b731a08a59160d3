internal import CupolaGuide
internal import CupolaSupport

extension WRLDReader {
  /// A feature and what is common to all kinds of it.
  private struct Item {
    let id: String
    let type: String
    var tags: [String: String]
    let shapes: [GeoJSONShapes.Shape]
  }

  /// Reads what is wrong into the map; `nil` without a type.
  private func item(
    _ feature: [String: JSONValue], _ tags: [String: String], file: String, in map: inout GuideMap
  ) -> Item? {
    let properties = feature["properties"]?.members ?? [:]
    guard let type = properties["type"]?.text else { return nil }
    let shapes = GeoJSONShapes(feature["geometry"], keepsPoints: true)
    var tags = tags
    tags["name"] = properties["name"]?.tag
    tags["ref"] = properties["roomnumber"]?.tag
    let id = "\(building)/\(file)/\(properties["id"]?.tag ?? type)"
    for problem in shapes.problems { map.add(MapFault(id, tags: tags, problem)) }
    if shapes.isUnlocated, type != "no_geometry" {
      map.add(MapFault(id, tags: tags, GeoJSONShapes.unlocated))
    }
    return Item(id: id, type: type, tags: tags, shapes: shapes.shapes)
  }

  private mutating func add(_ item: Item, _ tags: [String: String], to map: inout GuideMap) {
    ids.add(item.id, item.tags.merging(tags) { $1 }, item.shapes, to: &map)
  }

  /// Adds a room, a wall, a door or what else stands on a floor.
  mutating func addSpace(
    _ feature: [String: JSONValue], _ floor: Floor, to map: inout GuideMap
  ) {
    guard var item = item(feature, floor.tags, file: "\(floor.order)", in: &map) else { return }
    switch item.type {
    case "building_outline":
      // Each floor repeats it.
      guard !hasOutline, !item.shapes.isEmpty else { return }
      hasOutline = true
      item.tags = ["name": name ?? building]
      ids.add(building, item.tags.merging(["building": "yes"]) { $1 }, item.shapes, to: &map)
    case "room": add(item, ["indoor": "room"], to: &map)
    case "bathroom":
      add(item, ["indoor": "room", "room": "toilets", "amenity": "toilets"], to: &map)
    case "stairs": add(item, ["indoor": "room", "room": "stairs", "stairs": "yes"], to: &map)
    case "elevator": add(item, ["indoor": "room", "room": "elevator", "elevator": "yes"], to: &map)
    case "hallway", "pathway": add(item, ["indoor": "corridor"], to: &map)
    case "wall": add(item, ["indoor": "wall"], to: &map)
    case "window": add(item, ["indoor": "wall", "window": "yes"], to: &map)
    case "door": addDoor(item, to: &map)
    case "inaccessible_space": add(item, ["indoor": "area", "access": "no"], to: &map)
    // Parts of a floor that are not drawn; one with a name is a place nonetheless.
    case "no_geometry" where item.tags["name"] != nil: add(item, ["indoor": "area"], to: &map)
    default: return
    }
  }

  /// A door is drawn as the piece of wall that it fills; its middle is where people pass.
  private mutating func addDoor(_ item: Item, to map: inout GuideMap) {
    var item = item
    item.tags["door"] = "yes"
    for shape in item.shapes {
      guard case .area(let rings) = shape, let ring = rings.first,
        let middle = MapPoint.middle(of: ring)
      else { continue }
      ids.add(item.id, item.tags, [.point(middle)], to: &map)
    }
  }

  // MARK: - Ways

  /// Adds the ways of one floor.
  mutating func addPaths(
    _ features: [[String: JSONValue]], _ floor: Floor, to map: inout GuideMap
  ) {
    var items: [Item] = []
    var uses: [MapPoint: Int] = [:]
    for feature in features {
      guard let item = item(feature, floor.tags, file: "\(floor.order)-paths", in: &map) else {
        continue
      }
      items.append(item)
      for case .line(let line) in item.shapes { for place in line { uses[place, default: 0] += 1 } }
    }
    for item in items {
      switch item.type {
      case "pathway": add(item, ["highway": "corridor"], to: &map)
      case "entrance":
        add(item, ["highway": "corridor"], to: &map)
        addEntrance(item, uses, to: &map)
      default: continue
      }
    }
  }

  /// The end where no other way goes on is outside.
  private mutating func addEntrance(
    _ item: Item, _ uses: [MapPoint: Int], to map: inout GuideMap
  ) {
    for case .line(let line) in item.shapes {
      guard let first = line.first, let last = line.last else { continue }
      let isFirst = uses[first] == 1 && uses[last] != 1
      var tags = item.tags
      tags["entrance"] = "yes"
      ids.add(item.id + "/entrance", tags, [.point(isFirst ? first : last)], to: &map)
    }
  }

  /// Adds stairs or an elevator between floors, which are numbers of floors in the stack.
  mutating func addConnection(_ feature: [String: JSONValue], to map: inout GuideMap) {
    guard let item = item(feature, [:], file: "main-paths", in: &map) else { return }
    let levels = (feature["levels"] ?? feature["properties"]?.members?["levels"])?.elements ?? []
    let orders = levels.compactMap { value -> Int? in
      guard case .integer(let order) = value, order.magnitude <= 1_000 else { return nil }
      return order
    }
    guard let low = orders.min(), let high = orders.max(), low < high, high - low < 250 else {
      let fault = "\"levels\" is no list of two floors; write such as [0, 1]"
      return map.add(MapFault(item.id, tags: item.tags, fault))
    }
    switch item.type {
    case "stairs", "escalator":
      var tags = ["highway": "steps", "level": "\(low);\(high)", "indoor": "yes"]
      tags["incline"] = orders.first == low ? "up" : "down"
      if item.type == "escalator" { tags["conveying"] = "yes" }
      add(item, tags, to: &map)
    case "elevator":
      // It stops everywhere between.
      let all = orders.count > 2 ? Array(Set(orders)).sorted() : Array(low...high)
      let level = all.map(String.init).joined(separator: ";")
      add(item, ["highway": "elevator", "level": level], to: &map)
    default: return
    }
  }
}
