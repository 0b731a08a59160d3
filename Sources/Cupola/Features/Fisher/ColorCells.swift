/// What ``LocalColor`` describes patches by: means (lanes 0...2) and deviations (lanes 3...5) of opponent colors in
/// the 4x4 pixels around every second pixel of every second row; at the top and left edge of the 2 rows or columns
/// that there are.
struct ColorCells: Sendable {
  /// Half the picture's side, in rows and columns.
  private(set) var values: [SIMD8<Float>]

  private let half: Int
  /// Over 2x2 pixels, of the opponent colors (lanes 0...2) and of their squares (lanes 4...6).
  private var sums: [SIMD8<Float>]

  init(side: Int) {
    half = side / 2
    values = [SIMD8<Float>](repeating: .zero, count: half * half)
    sums = values
  }

  /// Describes a square picture.
  mutating func read(_ image: ColorImage) {
    precondition(image.width / 2 == half && image.height / 2 == half, "a picture of another size")
    for row in 0..<half {
      let own = row * half..<(row + 1) * half
      WideRows.writeOpponentSums(of: image, rows: 2 * row, into: &sums, at: own)
      WideRows.writeColorCells(of: sums, above: max(0, row - 1) * half, into: &values, at: own)
    }
  }
}
