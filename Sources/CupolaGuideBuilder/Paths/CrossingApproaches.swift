internal import CupolaGuide

// 1. Find the points where crossings lead across streets and railways.
// 2. Cut off the meters of a crossing before them, up to the last path that meets it.

/// Finds the parts of crossings that lead across nothing. Users take them for paths.
struct CrossingApproaches {
  private let map: GuideMap
  private let shared: Set<Int>
  private let crossed: Set<Int>

  /// Shorter parts belong to the crossing, such as the meters across a bicycle path at the curb.
  private static let shortest = 10.0

  /// - Parameter shared: The points where ways meet.
  init(_ map: GuideMap, shared: Set<Int>) {
    (self.map, self.shared) = (map, shared)
    crossed = map.features.reduce(into: []) { points, feature in
      if Self.isCrossed(feature) { points.formUnion(feature.pointNumbers) }
    }
  }

  /// Whether a feature is a street, a railway, or a point where a way crosses one.
  private static func isCrossed(_ feature: MapFeature) -> Bool {
    let way = WayRules.way(of: feature)?.way ?? WayRules.closedRoad(of: feature)
    return switch feature.geometry {
    case .point: ["highway", "railway"].contains { feature[$0]?.hasSuffix("crossing") ?? false }
    case .line: way?.kind == .street || way == nil && feature["railway"] != nil
    case .area: false
    }
  }

  /// Returns the points of a crossing without its long approaches, and the points of these.
  func parts(of points: [Int]) -> (crossing: [Int], paths: [[Int]]) {
    let begin = approach(of: points)
    let end = points.count - 1 - approach(of: points.reversed())
    let paths = [points[...begin], points[end...]].filter { $0.count > 1 }
    return (Array(points[begin...end]), paths.map(Array.init))
  }

  /// Returns the index of the last point of the approach at the start of a crossing; 0 if there is none.
  private func approach(of points: [Int]) -> Int {
    let first = points.firstIndex(where: crossed.contains) ?? 0
    guard let end = points[..<first].lastIndex(where: shared.contains) else { return 0 }
    let places = points[...end].map { map.points[$0].place }
    let meters = zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    return meters >= Self.shortest ? end : 0
  }
}
