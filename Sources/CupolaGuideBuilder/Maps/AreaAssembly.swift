internal import CupolaGuide
internal import CupolaSupport

// 1. Join the ways of a multipolygon at their ends to form rings.
// 2. Assign each inner ring to the smallest outer ring that contains it.

struct AreaAssembly {
  enum Role { case outer, inner, unknown }

  struct Line {
    let points: [Int]
    let role: Role
  }

  private(set) var areas: [[[Int]]] = []
  private(set) var open = 0
  private(set) var stray = 0

  private(set) var isTooLarge = false

  init(_ lines: [Line], of places: [MapPoint], budget: inout WorkBudget) {
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

  /// Assigns inner rings to outer rings. A ring without a role is an inner ring if it is inside an odd number of
  /// others.
  private mutating func arrange(
    _ outlines: [(outline: PlaneRing, isKnown: Bool)], _ holes: [PlaneRing],
    _ budget: inout WorkBudget
  ) {
    let all = outlines.map(\.outline)
    let edges = all.reduce(0) { $0 + $1.points.count }
    let work = edges.multipliedReportingOverflow(by: all.count + holes.count)
    guard !work.overflow, budget.take(tests: work.partialValue) else {
      isTooLarge = true
      areas = all.map { [$0.points] }
      return
    }
    var outers: [PlaneRing] = []
    var inners = holes
    for (index, (ring, isKnown)) in outlines.enumerated() {
      let isInner = !isKnown && all.indices.count { $0 != index && all[$0].contains(ring) } % 2 == 1
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

/// Joins lines at their ends, in either direction, to form rings that do not intersect themselves at a line end.
struct RingAssembly {
  struct Ring {
    let points: [Int]
    let lines: [Int]
  }

  private(set) var rings: [Ring] = []
  private(set) var open = 0

  private let lines: [[Int]]
  private var isUsed: [Bool]
  private var ends: [Int: [Int]] = [:]

  init(_ lines: [[Int]]) {
    self.lines = lines
    isUsed = Array(repeating: false, count: lines.count)
    for (number, line) in lines.enumerated() {
      guard let first = line.first, let last = line.last else { continue }
      if first == last {
        isUsed[number] = true
        add([(number, true)])
      } else {
        ends[first, default: []].append(number)
        ends[last, default: []].append(number)
      }
    }
    for number in lines.indices where !isUsed[number] && !lines[number].isEmpty { follow(number) }
  }

  /// Follows lines from one to the next. A ring is complete when the path meets itself.
  private mutating func follow(_ start: Int) {
    guard var end = lines[start].first else { return }
    var chain: [(line: Int, isForward: Bool)] = []
    var joints: [Int: Int] = [end: 0]
    var next: Int? = start
    while true {
      guard let line = next ?? unused(at: end) else {
        guard let last = chain.popLast() else { return }
        joints[end] = nil
        open += 1
        end = ends(of: last).start
        continue
      }
      next = nil
      isUsed[line] = true
      chain.append((line, lines[line].first == end))
      end = chain.last.map { ends(of: $0).end } ?? end
      if let joint = joints[end] {
        for step in chain[joint...].dropFirst() { joints[ends(of: step).start] = nil }
        add(Array(chain[joint...]))
        chain.removeSubrange(joint...)
      } else {
        joints[end] = chain.count
      }
    }
  }

  private func ends(of step: (line: Int, isForward: Bool)) -> (start: Int, end: Int) {
    let line = lines[step.line]
    let (first, last) = (line.first ?? 0, line.last ?? 0)
    return step.isForward ? (first, last) : (last, first)
  }

  private mutating func unused(at end: Int) -> Int? {
    while let line = ends[end]?.popLast() {
      if !isUsed[line] { return line }
    }
    return nil
  }

  private mutating func add(_ chain: [(line: Int, isForward: Bool)]) {
    var points: [Int] = []
    for (line, isForward) in chain {
      points += isForward ? lines[line].dropLast() : lines[line].reversed().dropLast()
    }
    guard Set(points).count > 2 else {
      open += chain.count
      return
    }
    rings.append(Ring(points: points, lines: chain.map(\.line)))
  }
}

struct PlaneRing {
  let points: [Int]
  private let places: [MapPoint]
  private let set: Set<MapPoint>
  private let latitudes: ClosedRange<Int32>
  /// The longitudes of the points, extended across the antimeridian, and their range.
  private let x: [Int]
  private let longitudes: ClosedRange<Int>

  init(_ points: [Int], of all: [MapPoint]) {
    self.points = points
    places = points.map { all[$0] }
    set = Set(places)
    let y = places.map(\.latitudeE7)
    x = MapPoint.longitudes(along: places)
    latitudes = (y.min() ?? 0)...(y.max() ?? 0)
    longitudes = (x.min() ?? 0)...(x.max() ?? 0)
  }

  var size: Double {
    (Double(latitudes.upperBound) - Double(latitudes.lowerBound))
      * (Double(longitudes.upperBound) - Double(longitudes.lowerBound))
  }

  /// Whether another ring, which must not cross this one, is inside it.
  func contains(_ other: PlaneRing) -> Bool {
    guard latitudes.contains(other.latitudes.lowerBound),
      latitudes.contains(other.latitudes.upperBound)
    else { return false }
    return MapPoint.turns(of: places).contains { contains(other, turned: $0) }
  }

  private func contains(_ other: PlaneRing, turned turn: Int) -> Bool {
    guard longitudes.contains(other.longitudes.lowerBound + turn),
      longitudes.contains(other.longitudes.upperBound + turn)
    else { return false }
    func place(_ index: Int) -> SIMD2<Double> {
      [Double(other.x[index] + turn), Double(other.places[index].latitudeE7)]
    }
    // Rings may touch, so a point that is on both rings does not decide this.
    if let index = other.places.firstIndex(where: { !set.contains($0) }) {
      return contains(place(index))
    }
    guard other.places.count > 1 else { return false }
    return contains((place(0) + place(1)) / 2)
  }

  private func contains(_ place: SIMD2<Double>) -> Bool {
    var isInside = false
    for index in places.indices {
      let before = index == 0 ? places.count - 1 : index - 1
      let (y1, y2) = (Double(places[before].latitudeE7), Double(places[index].latitudeE7))
      let (x1, x2) = (Double(x[before]), Double(x[index]))
      if (y1 > place.y) != (y2 > place.y),
        place.x < x1 + (place.y - y1) / (y2 - y1) * (x2 - x1)
      {
        isInside.toggle()
      }
    }
    return isInside
  }
}
