internal import CupolaSupport

/// The edges of a fence that really part inside from outside.
///
/// Polygons may overlap or share a wall, and RFC 7946 cuts grounds along ±180 degrees and leads them
/// to a pole: such edges, or parts of them, run through the middle of the grounds and are no fence.
/// Whether an edge does so can only change where it meets another polygon, or runs along another edge;
/// between such places it is asked once.
struct FenceOutline {
  private(set) var segments: [MapSegment] = []
  /// How many boxes were compared.
  private(set) var work = 0

  /// - Parameter workLimit: how many boxes are compared, a second's work. The edges of a scribble that needs more are
  ///   taken as they are drawn.
  init(_ index: FenceIndex, workLimit: Int = 50_000_000) {
    var last: (line: MapSegment, isWithin: Bool)?
    for (number, edge) in index.edges.enumerated() where !edge.isCopy {
      let line = edge.line
      // What is drawn along a pole is a single point.
      guard line.start != line.end, !line.isPole else {
        last = nil
        continue
      }
      guard work < workLimit else {
        segments.append(line)
        continue
      }
      let contacts = FenceOutline.contacts(number, index, &work)
      if contacts.isEmpty {
        let known = last?.line.end == line.start ? last?.isWithin : nil
        let isWithin = known ?? line.isWithin(index, &work)
        last = (line, isWithin)
        if !isWithin { segments.append(line) }
      } else {
        last = nil
        let shares = [0] + contacts.sorted() + [1]
        for (from, to) in zip(shares, shares.dropFirst()) {
          let part = MapSegment(line.point(from), line.point(to))
          // One edge may have as many parts as there are edges: the limit is for each of them.
          guard !part.isPoint, work >= workLimit || !part.isWithin(index, &work) else { continue }
          segments.append(part)
        }
      }
    }
  }

  /// Where an edge meets other polygons or runs along other edges, as shares of its length.
  private static func contacts(_ number: Int, _ index: FenceIndex, _ work: inout Int) -> [Double] {
    let edge = index.edges[number]
    var contacts: [Double] = []
    work += index.tree.indices(meeting: edge.line.box) { other in
      guard other != number else { return }
      let isSamePolygon = index.edges[other].polygon == edge.polygon
      switch edge.line.contact(with: index.edges[other].line) {
      case .overlap(let range): contacts += [range.lowerBound, range.upperBound]
      case .touch(let share) where !isSamePolygon: contacts.append(share)
      case .crossing(let share) where !isSamePolygon: contacts.append(share)
      default: break
      }
    }
    return contacts
  }
}

extension MapSegment {
  fileprivate var isPole: Bool { start.y == end.y && start.y.magnitude == 90 }

  /// Whether the grounds lie on both sides, half a millimeter away; to `work` is added how many boxes were compared.
  fileprivate func isWithin(_ index: FenceIndex, _ work: inout Int) -> Bool {
    let middle = (start + end) / 2
    let sideways = SIMD2(-way.y, way.x) * (5 * MapSegment.tolerance / length)
    return [middle + sideways, middle - sideways].allSatisfy { point in
      Position(map: point).map { index.location(of: $0, &work) != .outside } ?? true
    }
  }
}
