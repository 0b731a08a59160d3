internal import CupolaCampus
internal import CupolaGuide

/// Finds the building that a point is in.
struct BuildingLocator {
  private struct Item {
    let id: String
    let rings: [[MapPoint]]
    let size: Double

    var corners: Int { rings.reduce(0) { $0 + $1.count } }
  }

  private struct Cell: Hashable {
    let column: Int
    let row: Int
  }

  private var items: [Item] = []
  private var cells: [Cell: [Int]] = [:]
  /// Ten-millionths of a degree along a cell's side: some 200 m.
  private static let side = 20_000
  /// Cells that one building is looked for in.
  private static let mostCells = 400
  /// Meters from a wall within which a point is in it.
  static let wallThickness = 0.5

  init(_ map: GuideMap) {
    for feature in map.features where PlaceRules.isBuilding(feature) {
      guard case .area(let rings) = feature.geometry else { continue }
      add(feature.id, rings.map { $0.map { map.points[$0] } })
    }
  }

  private mutating func add(_ id: String, _ rings: [[MapPoint]]) {
    let latitudes = rings[0].map { Int($0.latitudeE7) }
    let longitudes = MapPoint.longitudes(along: rings[0])
    guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(),
      let east = longitudes.max()
    else { return }
    let (low, high) = (Self.cell(south, west), Self.cell(north, east))
    guard high.column - low.column < Self.mostCells,
      (high.row - low.row + 1) * (high.column - low.column + 1) <= Self.mostCells
    else { return }
    let size = Double(north - south) * Double(east - west)
    items.append(Item(id: id, rings: rings, size: size))
    var found: Set<Cell> = []
    // Points on the other side of the date line look for it in cells of their own.
    for turn in MapPoint.turns(of: rings[0]) {
      let (low, high) = (Self.cell(south, west + turn), Self.cell(north, east + turn))
      for row in low.row...high.row {
        for column in low.column...high.column { found.insert(Cell(column: column, row: row)) }
      }
    }
    for cell in found { cells[cell, default: []].append(items.count - 1) }
  }

  private static func cell(of point: MapPoint) -> Cell {
    cell(Int(point.latitudeE7), Int(point.longitudeE7))
  }

  private static func cell(_ latitude: Int, _ longitude: Int) -> Cell {
    // Rounded toward 0: a cell there is twice as large.
    Cell(column: longitude / side, row: latitude / side)
  }

  /// The smallest building around a point, by that of its parts which the point is in; `nil` outdoors.
  ///
  /// - Parameter budget: what all places of a map may still cost.
  func building(at point: MapPoint, within budget: inout PlaceBudget) -> String? {
    var best: Item?
    for number in cells[Self.cell(of: point)] ?? [] {
      let item = items[number]
      budget.tests -= item.corners
      let inside = item.rings.reduce(false) { $0 != Self.isInside(point, $1) }
      if inside, item.size < best?.size ?? .infinity { best = item }
    }
    return best?.id
  }

  /// The building whose wall a point is in: the nearest, and of equally near ones the first.
  ///
  /// - Parameter budget: what all places of a map may still cost.
  func wall(at point: MapPoint, within budget: inout PlaceBudget) -> String? {
    let plane = MapPlane(around: point)
    // A wall so near may be in the next cell.
    let corners = [[-1, -1], [-1, 1], [1, -1], [1, 1]] as [SIMD2<Double>]
    let around = corners.compactMap { corner in
      let (latitude, longitude) = plane.place(corner * Self.wallThickness)
      return MapPoint(latitude: latitude, longitude: longitude).map { Self.cell(of: $0) }
    }
    var best: (distance: Double, id: String)?
    for number in Set(Set(around).flatMap { cells[$0] ?? [] }).sorted() {
      budget.tests -= items[number].corners
      for ring in items[number].rings {
        let distance = SegmentDistance.nearest(to: .zero, of: ring.map { plane.point($0) }).distance
        if distance <= Self.wallThickness, distance < best?.distance ?? .infinity {
          best = (distance, items[number].id)
        }
      }
    }
    return best?.id
  }

  /// Whether a ring goes round a point (the crossings of a ray, Shimrat 1962), over the date line, too.
  static func isInside(_ point: MapPoint, _ ring: [MapPoint]) -> Bool {
    let (x, y) = (Int(point.longitudeE7), Int(point.latitudeE7))
    return MapPoint.turns(of: ring).contains { isInside(x + $0, y, ring) }
  }

  private static func isInside(_ x: Int, _ y: Int, _ ring: [MapPoint]) -> Bool {
    var inside = false
    var bx = ring.first.map { Int($0.longitudeE7) } ?? 0
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let (ax, ay, by) = (bx, Int(one.latitudeE7), Int(other.latitudeE7))
      bx += one.east(to: other)
      guard (ay > y) != (by > y), x < max(ax, bx) else { continue }
      if x < min(ax, bx) {
        inside.toggle()
        continue
      }
      // x < ax + (y - ay)(bx - ax)/(by - ay), in integers: beside the edge the products stay below 2^63.
      let (left, right) = ((x - ax) * (by - ay), (y - ay) * (bx - ax))
      if by > ay ? left < right : left > right { inside.toggle() }
    }
    return inside
  }
}
