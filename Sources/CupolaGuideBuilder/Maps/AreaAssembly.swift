internal import CupolaGuide

/// Joins the ways of a multipolygon to rings, and puts the inner ones into the outer ones.
struct AreaAssembly {
  enum Role { case outer, inner, unknown }

  struct Line {
    /// Numbers of points; a closed line repeats its first one.
    let points: [Int]
    let role: Role
  }

  /// Outer rings, each followed by its inner ones.
  private(set) var areas: [[[Int]]] = []
  /// How many lines are in no ring.
  private(set) var open = 0
  /// How many inner rings are in no outer one.
  private(set) var stray = 0

  /// Whether there were too many rings to tell which lie in which.
  private(set) var isTooLarge = false

  /// - Parameter budget: how many comparisons of a ring with an edge may still be made; those that may be
  ///   needed are taken from it.
  init(_ lines: [Line], of places: [MapPoint], budget: inout Int) {
    let lines = lines.filter { !$0.points.isEmpty }
    let outer = lines.filter { $0.role != .inner }
    let inner = lines.filter { $0.role == .inner }
    let outerRings = RingAssembly(outer.map(\.points))
    let innerRings = RingAssembly(inner.map(\.points))
    open = outerRings.open + innerRings.open
    let outlines = outerRings.rings.map { ring in
      let isKnown = ring.lines.contains { outer[$0].role == .outer }
      return (outline: PlaneRing(ring.points, of: places), isKnown: isKnown)
    }
    arrange(outlines, innerRings.rings.map { PlaneRing($0.points, of: places) }, &budget)
  }

  /// A ring whose ways have no role is inner when it lies in an odd number of others.
  private mutating func arrange(
    _ outlines: [(outline: PlaneRing, isKnown: Bool)], _ holes: [PlaneRing], _ budget: inout Int
  ) {
    let all = outlines.map(\.outline)
    let edges = all.reduce(0) { $0 + $1.points.count }
    let work = edges.multipliedReportingOverflow(by: all.count + holes.count)
    guard !work.overflow, work.partialValue <= budget else {
      isTooLarge = true
      areas = all.map { [$0.points] }
      return
    }
    budget -= work.partialValue
    var outers: [PlaneRing] = []
    var inners = holes
    for (index, (ring, isKnown)) in outlines.enumerated() {
      let isInner =
        !isKnown && all.indices.count { $0 != index && all[$0].contains(ring) } % 2 == 1
      if isInner { inners.append(ring) } else { outers.append(ring) }
    }
    areas = outers.map { [$0.points] }
    for hole in inners {
      let around = outers.indices.filter { outers[$0].contains(hole) }
      guard let closest = around.min(by: { outers[$0].size < outers[$1].size }) else {
        stray += 1
        continue
      }
      areas[closest].append(hole.points)
    }
  }
}
