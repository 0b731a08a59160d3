/// Finds the building that a point is in.
struct BuildingLocator {
  private struct Item {
    let id: String
    let rings: [[MapPoint]]
    let size: Double
  }

  private struct Cell: Hashable {
    let column: Int32
    let row: Int32
  }

  private var items: [Item] = []
  private var cells: [Cell: [Int]] = [:]
  /// Ten-millionths of a degree along a cell's side: some 200 m.
  private static let side: Int32 = 20_000
  /// Cells that one building is looked for in.
  private static let mostCells = 400

  init(_ map: GuideMap) {
    for feature in map.features where PlaceRules.isBuilding(feature) {
      guard case .area(let rings) = feature.geometry else { continue }
      add(feature.id, rings.map { $0.map { map.points[$0] } })
    }
  }

  private mutating func add(_ id: String, _ rings: [[MapPoint]]) {
    let latitudes = rings[0].map(\.latitudeE7)
    let longitudes = rings[0].map(\.longitudeE7)
    guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(),
      let east = longitudes.max()
    else { return }
    let (low, high) = (Self.cell(south, west), Self.cell(north, east))
    let count = (Int(high.row) - Int(low.row) + 1) * (Int(high.column) - Int(low.column) + 1)
    guard count <= Self.mostCells else { return }
    let size = Double(north - south) * Double(east - west)
    items.append(Item(id: id, rings: rings, size: size))
    for row in low.row...high.row {
      for column in low.column...high.column {
        cells[Cell(column: column, row: row), default: []].append(items.count - 1)
      }
    }
  }

  private static func cell(_ latitude: Int32, _ longitude: Int32) -> Cell {
    // Rounded toward 0: a cell there is twice as large.
    Cell(column: longitude / side, row: latitude / side)
  }

  /// The smallest building around a point; `nil` outdoors.
  func building(at point: MapPoint) -> String? {
    var best: Item?
    for number in cells[Self.cell(point.latitudeE7, point.longitudeE7)] ?? [] {
      let item = items[number]
      let inside = item.rings.reduce(false) { $0 != Self.isInside(point, $1) }
      if inside, item.size < best?.size ?? .infinity { best = item }
    }
    return best?.id
  }

  /// The building whose wall a point is on, within half a meter.
  func wall(at point: MapPoint) -> String? {
    let plane = MapPlane(around: point)
    for number in cells[Self.cell(point.latitudeE7, point.longitudeE7)] ?? [] {
      let item = items[number]
      for ring in item.rings {
        let distance = SegmentDistance.nearest(to: .zero, of: ring.map { plane.point($0) }).distance
        if distance <= 0.5 { return item.id }
      }
    }
    return nil
  }

  /// Whether a ring goes round a point (the crossings of a ray, Shimrat 1962).
  static func isInside(_ point: MapPoint, _ ring: [MapPoint]) -> Bool {
    var inside = false
    let (x, y) = (Int(point.longitudeE7), Int(point.latitudeE7))
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let (ay, by) = (Int(one.latitudeE7), Int(other.latitudeE7))
      guard (ay > y) != (by > y) else { continue }
      let (ax, bx) = (Int(one.longitudeE7), Int(other.longitudeE7))
      // x < ax + (y - ay)(bx - ax)/(by - ay), in integers: the products stay below 2^63.
      let (left, right) = ((x - ax) * (by - ay), (y - ay) * (bx - ax))
      if by > ay ? left < right : left > right { inside.toggle() }
    }
    return inside
  }
}
