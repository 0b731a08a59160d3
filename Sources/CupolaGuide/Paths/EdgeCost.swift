/// What it costs to go along an edge: seconds, or meters for the shortest way.
package struct EdgeCost: Sendable {
  package let mode: TravelMode
  /// Whether meters count, not seconds.
  let isShortest: Bool

  init(_ mode: TravelMode, shortest: Bool = false) {
    (self.mode, isShortest) = (mode, shortest)
  }

  /// Meters a second on foot: 5 km/h.
  static let walking = 5 / 3.6
  /// The same on wheels or with a stroller.
  static let rolling = 4 / 3.6
  /// On steps, along them (Fujiyama & Tyler 2010 measured 0.5 to 0.8 m/s).
  static let climbing = 0.6
  /// Standing on a moving way.
  static let moving = 0.5
  /// Waiting for an elevator, and each floor in it.
  static let elevatorWait = 30.0
  static let elevatorFloor = 4.0
  /// Walking up or down a floor whose steps the map does not draw.
  static let stepsFloor = 15.0
  /// Cars slower than a sign's limit: turns and traffic.
  static let driving = 0.8

  /// Meters a second on level ground, also beyond the mapped ways, where nobody drives.
  package static func pace(_ mode: TravelMode) -> Double { mode == .stepFree ? rolling : walking }

  /// The fastest that anybody of the mode goes, or 1 for meters.
  func fastest(of graph: PathGraph) -> Double {
    if isShortest { return 1 }
    switch mode {
    case .walk, .stepFree: return Self.pace(mode)
    case .drive:
      let top = graph.ways.map(\.speed).max() ?? 0
      return Double(max(top, 1)) / 3.6 * Self.driving
    }
  }

  /// What an edge costs, either way round.
  func of(_ edge: Int, in graph: PathGraph) -> Double {
    let length = graph.lengths[edge]
    if isShortest { return length }
    let way = graph.ways[graph.edges[edge].way]
    if mode == .drive { return length / (Double(max(way.speed, 1)) / 3.6 * Self.driving) }
    let floors = graph.floors(of: edge)
    let level = length / Self.pace(mode)
    switch way.kind {
    case .elevator:
      // A ride of many floors waits once: each floor carries its share, as most rides go over two or three.
      // One that moves sideways, too, is no faster than the bound of the search.
      return max(level, floors * (Self.elevatorFloor + Self.elevatorWait / 2))
    case .steps: return max(length / Self.climbing, floors * Self.stepsFloor)
    case .escalator: return max(length / Self.moving, floors * Self.stepsFloor)
    case .street, .path, .crossing, .area, .corridor, .room, .link:
      return level
    }
  }
}

extension PathGraph {
  /// How many floors lie between the ends of an edge; 0 outdoors.
  func floors(of edge: Int) -> Double {
    guard let from = vertices[edges[edge].from].level, let to = vertices[edges[edge].to].level
    else { return 0 }
    return (to - from).magnitude
  }
}
