internal import CupolaSupport

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
