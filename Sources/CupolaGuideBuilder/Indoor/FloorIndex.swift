internal import CupolaCampus
internal import CupolaGuide

/// Finds what lies in a box of one floor without looking at all of the map.
struct FloorIndex {
  private struct Floor {
    /// The numbers of its items, ascending.
    let items: [Int]
    let boxes: BoxIndex
  }

  private let floors: [Double: Floor]

  /// - Parameter items: their floors, and boxes around their points.
  init(_ items: [(level: Double, box: BoxTree.Box)]) {
    floors = Dictionary(grouping: items.indices) { items[$0].level }.mapValues { numbers in
      Floor(items: numbers, boxes: BoxIndex(numbers.map { items[$0].box }))
    }
  }

  /// The numbers of a floor's items that share a point with a box, ascending.
  func items(on level: Double, meeting box: BoxTree.Box) -> [Int] {
    guard let floor = floors[level] else { return [] }
    return floor.boxes.indices(meeting: box).map { floor.items[$0] }
  }
}
