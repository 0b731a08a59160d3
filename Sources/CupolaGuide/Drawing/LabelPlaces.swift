/// Which places of a drawing are taken, so that nothing stands on something else.
struct LabelPlaces {
  private let box: DrawingBox
  private let columns: Int
  private let rows: Int
  /// The boxes that touch each square of the drawing.
  private var squares: [[DrawingBox]]

  private static let side = 48.0

  init(_ box: DrawingBox) {
    self.box = box
    columns = Int((box.width / Self.side).rounded(.up)) + 1
    rows = Int((box.height / Self.side).rounded(.up)) + 1
    squares = Array(repeating: [], count: columns * rows)
  }

  /// Whether all of a box is inside of the drawing and nothing is there.
  func isFree(_ other: DrawingBox) -> Bool {
    box.holds(other)
      && !numbers(other).contains { squares[$0].contains { $0.meets(other) } }
  }

  mutating func take(_ other: DrawingBox) {
    for number in numbers(other) { squares[number].append(other) }
  }

  /// The first of some boxes that is free, which is then taken.
  mutating func firstFree(_ boxes: [DrawingBox]) -> Int? {
    guard let index = boxes.firstIndex(where: isFree) else { return nil }
    take(boxes[index])
    return index
  }

  private func numbers(_ other: DrawingBox) -> [Int] {
    let left = column(other.left), right = column(other.right)
    let top = row(other.top), bottom = row(other.bottom)
    return (top...max(top, bottom)).flatMap { row in
      (left...max(left, right)).map { row * columns + $0 }
    }
  }

  private func column(_ x: Double) -> Int {
    Int(min(max((x - box.left) / Self.side, 0), Double(columns - 1)))
  }

  private func row(_ y: Double) -> Int {
    Int(min(max((y - box.top) / Self.side, 0), Double(rows - 1)))
  }
}
