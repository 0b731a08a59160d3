/// The edges of a fence that really part inside from outside.
///
/// Polygons may overlap or share a wall, and RFC 7946 cuts grounds along ±180 degrees and leads them
/// to a pole: such edges, or parts of them, run through the middle of the grounds and are no fence.
/// Whether an edge does so can only change where it meets another polygon, or runs along another edge;
/// between such places it is asked once.
struct FenceOutline {
  /// A straight line on the map.
  struct Segment: Equatable {
    let start: SIMD2<Double>
    let end: SIMD2<Double>
  }

  private(set) var segments: [Segment] = []

  /// How many boxes are compared, a second's work. The edges of a scribble that needs more are taken as
  /// they are drawn.
  private static let workLimit = 50_000_000

  init(_ index: FenceIndex) {
    let edges = index.edges
    let tree = BoxTree(edges.map(\.box))
    segments.reserveCapacity(edges.count)
    var work = 0
    var isWithin: Bool?
    for number in edges.indices {
      let edge = Segment(edges[number])
      // What is drawn along a pole is a single point.
      guard edge.start != edge.end, !edge.isPole else {
        isWithin = nil
        continue
      }
      guard work < FenceOutline.workLimit else {
        segments.append(edge)
        continue
      }
      let contacts = FenceOutline.contacts(number, edges, index.turns, tree, &work)
      if contacts.isEmpty {
        let isSame = number > 0 && edges[number].meets(edges[number - 1])
        let known = isSame ? isWithin : nil
        isWithin = known ?? edge.isWithin(index)
        if isWithin == false { segments.append(edge) }
      } else {
        isWithin = nil
        let parts = edge.parts([0] + contacts.sorted() + [1])
        segments += parts.filter { !$0.isWithin(index) }
      }
    }
  }

  /// Where an edge meets other polygons or runs along other edges, as shares of its length.
  private static func contacts(
    _ number: Int, _ edges: [FenceEdge], _ turns: [Double], _ tree: BoxTree, _ work: inout Int
  ) -> [Double] {
    let edge = Segment(edges[number])
    var contacts: [Double] = []
    for turn in turns {
      work += tree.indices(meeting: edges[number].box.moved(east: -turn)) { other in
        guard other != number || turn != 0 else { return }
        contacts += edge.contacts(
          Segment(edges[other], east: turn),
          onlyAlong: edges[other].polygon == edges[number].polygon)
      }
    }
    return contacts
  }
}

extension FenceEdge {
  /// Whether two edges follow each other.
  fileprivate func meets(_ other: FenceEdge) -> Bool {
    low == other.low || low == other.high || high == other.low || high == other.high
  }
}

extension FenceOutline.Segment {
  init(_ edge: FenceEdge, east degrees: Double = 0) {
    start = [edge.low.x + degrees, edge.low.y]
    end = [edge.high.x + degrees, edge.high.y]
  }

  fileprivate var isPole: Bool { start.y == end.y && start.y.magnitude == 90 }

  private var way: SIMD2<Double> { end - start }

  /// Where another segment meets this one, 0...1 along it; nothing when they are apart.
  ///
  /// - Parameter onlyAlong: only where both run along each other.
  fileprivate func contacts(
    _ other: FenceOutline.Segment, onlyAlong: Bool
  ) -> [Double] {
    // A ten-thousandth of a millimetre, and the same as a share.
    let near = 1e-12
    let between = other.start - start
    let area = cross(way, other.way)
    let lengths = ((way * way).sum().squareRoot(), (other.way * other.way).sum().squareRoot())
    if area.magnitude > 1e-9 * lengths.0 * lengths.1 {
      guard !onlyAlong else { return [] }
      let along = cross(between, way) / area
      let share = cross(between, other.way) / area
      let isMet =
        (-near...(1 + near)).contains(along) && (-near...(1 + near)).contains(share)
      return isMet ? [min(max(share, 0), 1)] : []
    }
    guard cross(way, between).magnitude <= near * lengths.0 else { return [] }
    let shares = [between, other.end - start].map { ($0 * way).sum() / (lengths.0 * lengths.0) }
    let (low, high) = (max(0, min(shares[0], shares[1])), min(1, max(shares[0], shares[1])))
    return high - low > near ? [low, high] : []
  }

  /// The pieces between shares of the way in rising order.
  fileprivate func parts(_ shares: [Double]) -> [FenceOutline.Segment] {
    zip(shares, shares.dropFirst()).compactMap { from, to in
      guard to - from > 1e-12 else { return nil }
      return FenceOutline.Segment(
        start: from == 0 ? start : start + from * way, end: to == 1 ? end : start + to * way)
    }
  }

  /// Whether the grounds lie on both sides, a tenth of a millimetre away.
  fileprivate func isWithin(_ index: FenceIndex) -> Bool {
    let middle = (start + end) / 2
    let length = (way * way).sum().squareRoot()
    let sideways = SIMD2(-way.y, way.x) * (1e-9 / length)
    return [middle + sideways, middle - sideways].allSatisfy { point in
      let place = Position(
        latitude: point.y, longitude: Degrees.turn(from: 0, to: point.x))
      return place.map { index.location(of: $0) != .outside } ?? true
    }
  }
}

private func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }
