internal import CupolaGuide

// 1. Keep the parts of barriers, water and buildings that are on an area, and close narrow gaps at their ends.
// 2. For step-free routes, add steps and the lines that divide the area at them.

/// The lines on an open area that routes must not cross, and the areas that they must not enter.
struct AreaBarriers {
  typealias Point = SIMD2<Int>

  struct Segment {
    let one: Point
    let other: Point
    /// The fraction of the length beyond which the segment extends past the line at its end; 2 if it does not.
    var poke = 2.0
  }

  /// Gaps narrower than this many meters are closed.
  private static let gap = 0.8
  /// The length in meters by which added lines cross the lines that they reach; rounding is about 1 cm.
  private static let excess = 0.05

  private(set) var segments: [Segment] = []
  private(set) var solids: [[SIMD2<Double>]] = []
  /// The points of the map that routes go around.
  private(set) var corners: Set<Int> = []
  /// The points of the outline that are reached only over steps.
  private(set) var stepsOnly: Set<Int> = []
  /// A point of the first steps on the area.
  private(set) var steps: Int?
  private(set) var stepIDs: [String] = []

  let frame: AreaFrame
  private let crossing: AreaCrossing
  private let walls: [Segment]
  private let vertices: Set<Point>
  private var joints: [Point: Set<String>] = [:]

  init(on crossing: AreaCrossing, frame: AreaFrame) {
    (self.crossing, self.frame) = (crossing, frame)
    walls = crossing.rings.flatMap { ring in
      zip(ring, ring.dropFirst() + ring.prefix(1)).map { Segment(one: $0, other: $1) }
    }
    vertices = Set(crossing.rings.joined())
  }

  var isEmpty: Bool { segments.isEmpty && steps == nil }

  /// The number of comparisons that an obstacle takes.
  func cost(of obstacle: AreaObstacle) -> Int {
    obstacle.lines.reduce(0) { $0 + $1.count } * 3 * (walls.count + segments.count + 1)
  }

  /// Adds obstacles, and closes narrow gaps between them and to the outline.
  mutating func add(_ obstacles: [AreaObstacle]) {
    var kept: [(obstacle: AreaObstacle, pieces: [(Int, Int)])] = []
    for obstacle in obstacles where blocks(obstacle) {
      let pieces = obstacle.lines.flatMap { zip($0, $0.dropFirst()) }.filter {
        isOnArea(crossing.place($0.0), crossing.place($0.1))
      }
      guard !pieces.isEmpty else { continue }
      kept.append((obstacle, pieces))
      for (one, other) in pieces {
        segments.append(Segment(one: crossing.place(one), other: crossing.place(other)))
        for number in [one, other] {
          joints[crossing.place(number), default: []].insert(obstacle.feature.id)
        }
      }
      if [.solid, .building].contains(obstacle.kind) {
        solids += obstacle.lines.prefix(1).map { ring in
          ring.dropLast().map { frame.meters(crossing.place($0)) }
        }
      }
    }
    let all = segments
    for (obstacle, pieces) in kept { closeGaps(of: obstacle, pieces, to: all) }
  }

  private func blocks(_ obstacle: AreaObstacle) -> Bool {
    let places = obstacle.lines.joined().map { crossing.place($0) }
    guard
      AreaCrossing.ground(of: places + (crossing.rings.first ?? [])) < AreaCrossing.mostGround
    else { return false }
    guard [.solid, .building].contains(obstacle.kind) else { return true }
    let ring = places.map { frame.meters($0) }
    // A roof or water does not obstruct an area under the roof or on a pier.
    let isCovered = crossing.rings.first?.contains {
      let corner = frame.meters($0)
      return [ring].enclose(corner)
        && SegmentDistance.nearest(to: corner, of: ring).distance > 0.1
    }
    guard isCovered == false else { return false }
    guard obstacle.kind == .building else { return true }
    let outline = Set(obstacle.lines.first ?? [])
    guard !crossing.numbers.contains(where: { Set($0) == outline }) else { return false }
    return ring.contains { corner in
      frame.covers(corner) && frame.distance(toOutline: corner) > 0.5
    }
  }

  // MARK: - Gaps

  private mutating func closeGaps(
    of obstacle: AreaObstacle, _ pieces: [(Int, Int)], to all: [Segment]
  ) {
    let own = Set(obstacle.lines.joined().map { crossing.place($0) })
    for (number, before) in pieces.flatMap({ [($0.0, $0.1), ($0.1, $0.0)] }) {
      let end = crossing.place(number)
      guard frame.isWithin(end), !vertices.contains(end) else { continue }
      guard !isJoint(end, of: obstacle), let gap = gap(at: end, own, all) else {
        corners.insert(number)
        continue
      }
      close(gap, at: end, from: crossing.place(before))
      if gap.vertex != nil { corners.insert(number) }
    }
  }

  private func isJoint(_ end: Point, of obstacle: AreaObstacle) -> Bool {
    (joints[end] ?? []).contains { $0 != obstacle.feature.id }
  }

  private struct Gap {
    let edge: Segment
    let place: SIMD2<Double>
    let distance: Double
    /// The end of the edge if it is at most 0.1 m from `place`.
    let vertex: Point?
  }

  private func gap(at end: Point, _ own: Set<Point>, _ all: [Segment]) -> Gap? {
    let place = frame.meters(end)
    var best: Gap?
    for edge in walls + all where !(own.contains(edge.one) && own.contains(edge.other)) {
      let (one, other) = (frame.meters(edge.one), frame.meters(edge.other))
      let near = SegmentDistance.nearest(to: place, from: one, to: other)
      let distance = (near - place).length
      guard distance <= Self.gap, distance < best?.distance ?? .infinity else { continue }
      let vertex = [(edge.one, one), (edge.other, other)].first { ($0.1 - near).length <= 0.1 }
      best = Gap(edge: edge, place: near, distance: distance, vertex: vertex?.0)
    }
    return best
  }

  private mutating func close(_ gap: Gap, at end: Point, from before: Point) {
    if let vertex = gap.vertex {
      if vertex != end { segments.append(Segment(one: end, other: vertex)) }
      return
    }
    let place = frame.meters(end)
    var normal = gap.place - place
    if gap.distance <= 0.02 {
      let along = frame.meters(gap.edge.other) - frame.meters(gap.edge.one)
      normal = [-along.y, along.x]
      if (normal * (frame.meters(before) - place)).sum() > 0 { normal = -normal }
    }
    addCut(from: place, to: gap.place, normal / normal.length)
  }

  private mutating func addCut(
    from start: SIMD2<Double>, to end: SIMD2<Double>, _ direction: SIMD2<Double>
  ) {
    let (one, other) = (start - direction * Self.excess, end + direction * Self.excess)
    let length = (other - one).length
    segments.append(
      Segment(
        one: frame.point(one), other: frame.point(other),
        poke: (length - 1.5 * Self.excess) / length))
  }

  // MARK: - Steps

  /// Adds the lines of steps, and then lines across the area where the steps divide it into two levels.
  mutating func addSteps(_ obstacles: [AreaObstacle], onPaths: Set<Int>, doors: Set<Int>) {
    let hard = segments
    add(obstacles)
    for obstacle in obstacles {
      let isOnArea = isOnArea(obstacle)
      if isOnArea { note(obstacle) }
      guard case .line(let points) = obstacle.feature.geometry else { continue }
      if isOnArea {
        addInside(obstacle, points, hard, onPaths: onPaths, doors: doors)
      } else {
        addAlongEdge(obstacle, points, hard)
      }
    }
  }

  private mutating func note(_ obstacle: AreaObstacle) {
    if steps == nil { steps = obstacle.feature.pointNumbers.first }
    stepIDs.append(obstacle.feature.id)
  }

  private func isOnArea(_ obstacle: AreaObstacle) -> Bool {
    obstacle.lines.contains { line in
      zip(line, line.dropFirst()).contains { isOnArea(crossing.place($0), crossing.place($1)) }
    }
  }

  private static func length(of line: [SIMD2<Double>]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
  }

  private mutating func addInside(
    _ obstacle: AreaObstacle, _ points: [Int], _ hard: [Segment], onPaths: Set<Int>,
    doors: Set<Int>
  ) {
    let ends = [points[0], points[points.count - 1]]
    let touching = ends.map {
      touches($0, hard) || doors.contains($0) || !frame.isWithin(crossing.place($0))
    }
    if touching[0] != touching[1] {
      // The steps lead out of the area or to a door, so only that end is on another level.
      for (end, isTouching) in zip(ends, touching) where isTouching { stepsOnly.insert(end) }
      return
    }
    let line = points.map { frame.meters(crossing.place($0)) }
    let isUpward =
      obstacle.isDrawnUpward(meters: Self.length(of: line))
      ?? (!touching[0] || ends.contains { onPaths.contains($0) })
    if isUpward || !touching[0] { divide(line, hard) }
    if !isUpward, !touching[0] { extend(line, hard) }
  }

  private func touches(_ number: Int, _ hard: [Segment]) -> Bool {
    let place = frame.meters(crossing.place(number))
    return (walls + hard).contains {
      let (one, other) = (frame.meters($0.one), frame.meters($0.other))
      let near = SegmentDistance.nearest(to: place, from: one, to: other)
      return (near - place).length <= Self.gap
    }
  }

  /// Closes the points of the outline next to steps to step-free routes, unless the steps lead up along the outline.
  private mutating func addAlongEdge(
    _ obstacle: AreaObstacle, _ points: [Int], _ hard: [Segment]
  ) {
    let line = points.map { frame.meters(crossing.place($0)) }
    guard line.allSatisfy({ frame.distance(toOutline: $0) <= 0.5 }),
      zip(line, line.dropFirst()).allSatisfy({ frame.distance(toOutline: ($0 + $1) / 2) <= 0.5 })
    else { return }
    note(obstacle)
    if obstacle.isDrawnUpward(meters: Self.length(of: line)) == true { return divide(line, hard) }
    for (number, place) in zip(crossing.numbers.joined(), crossing.rings.joined()) {
      let point = frame.meters(place)
      let isOnSteps = zip(line, line.dropFirst()).contains { one, other in
        (SegmentDistance.nearest(to: point, from: one, to: other) - point).length <= 0.5
      }
      if isOnSteps { stepsOnly.insert(number) }
    }
  }

  /// Divides the area across the middle of steps that lead in the direction of walking.
  private mutating func divide(_ line: [SIMD2<Double>], _ hard: [Segment]) {
    let pieces = zip(line, line.dropFirst()).map { ($0, $1) }
    guard let (one, other) = pieces.max(by: { ($0.1 - $0.0).length < ($1.1 - $1.0).length }),
      (other - one).length > 0
    else { return }
    let along = (other - one) / (other - one).length
    let normal: SIMD2<Double> = [-along.y, along.x]
    let shares = [0.5, 0.47, 0.53, 0.43, 0.58, 0.38, 0.64, 0.31, 0.71, 0.22, 0.8]
    let choices = shares.map { share in
      let middle = one + (other - one) * share
      return [normal, -normal].compactMap { cut(from: middle, $0, hard) }
    }
    // Prefer a cut that is not near a point, because routes could pass the cut at the point.
    let points = vertices.union(joints.keys).map { frame.meters($0) }
    func clearance(_ cuts: [(SIMD2<Double>, SIMD2<Double>, SIMD2<Double>)]) -> Double {
      points.lazy.map { point in
        cuts.map { start, end, _ in
          (SegmentDistance.nearest(to: point, from: start, to: end) - point).length
        }.min() ?? .infinity
      }.min() ?? .infinity
    }
    let rated = choices.map { (cuts: $0, clearance: clearance($0)) }
    let best = rated.first { $0.clearance >= 0.15 } ?? rated.max { $0.clearance < $1.clearance }
    for (start, end, direction) in best?.cuts ?? [] { addCut(from: start, to: end, direction) }
  }

  private mutating func extend(_ line: [SIMD2<Double>], _ hard: [Segment]) {
    for (one, other) in [(line[1], line[0]), (line[line.count - 2], line[line.count - 1])]
    where (other - one).length > 0 {
      let found = cut(from: other, (other - one) / (other - one).length, hard)
      if let (start, end, direction) = found { addCut(from: start, to: end, direction) }
    }
  }

  /// Returns the line from a point on the area to the nearest wall in a direction.
  private func cut(
    from start: SIMD2<Double>, _ direction: SIMD2<Double>, _ hard: [Segment]
  ) -> (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>)? {
    guard frame.covers(start + direction * 0.1) else { return nil }
    let hits = (walls + hard).compactMap { wall -> Double? in
      let (one, other) = (frame.meters(wall.one), frame.meters(wall.other))
      let way = other - one
      let determinant = direction.x * way.y - direction.y * way.x
      guard determinant != 0 else { return nil }
      let gap = one - start
      let reach = (gap.x * way.y - gap.y * way.x) / determinant
      let share = (gap.x * direction.y - gap.y * direction.x) / determinant
      return reach > 0.1 && share >= -0.001 && share <= 1.001 ? reach : nil
    }
    return hits.min().map { (start, start + direction * $0, direction) }
  }

  // MARK: - Parts on the area

  /// Whether a part of a line is on the area, and not only along its outline.
  private func isOnArea(_ one: Point, _ other: Point) -> Bool {
    let (start, way) = (frame.meters(one), frame.meters(other) - frame.meters(one))
    let length = way.length
    guard length > 0 else { return false }
    var cuts = [0.0, 1.0]
    for wall in walls {
      let (a, b) = (frame.meters(wall.one) - start, frame.meters(wall.other) - start)
      let (first, second) = (way.x * a.y - way.y * a.x, way.x * b.y - way.y * b.x)
      guard (first >= 0) != (second >= 0) else { continue }
      let place = a + (b - a) * (first / (first - second))
      let fraction = (place * way).sum() / way.squared
      if fraction > 0, fraction < 1 { cuts.append(fraction) }
    }
    cuts.sort()
    return zip(cuts, cuts.dropFirst()).contains { low, high in
      let middle = start + way * ((low + high) / 2)
      let margin = max(0.02, min(0.3, 0.2 * (high - low) * length))
      return frame.covers(middle) && frame.distance(toOutline: middle) > margin
    }
  }
}
