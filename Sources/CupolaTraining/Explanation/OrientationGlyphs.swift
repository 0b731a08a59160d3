import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Draws the histograms of oriented gradients of cells: a line along each kind of edge in a cell.
struct OrientationGlyphs {
  private let cells: CellGrid
  /// The vote that is drawn darkest: all but the strongest 2 % keep it.
  private let limit: Float

  init(_ cells: CellGrid) {
    self.cells = cells
    let sorted = cells.values.sorted()
    limit = sorted.isEmpty ? 0 : sorted[sorted.count * 98 / 100]
  }

  /// Draws into a photo of so many pixels at the upper left corner of the canvas.
  func draw(on canvas: inout Canvas, over region: Extent, width: Int, height: Int) {
    guard limit > 0 else { return }
    let size = SIMD2(
      region.width * Double(width) / Double(cells.columns),
      region.height * Double(height) / Double(cells.rows))
    let corner = SIMD2(region.x * Double(width), region.y * Double(height))
    let thickness = max(1, Int(min(size.x, size.y) / 20))
    for row in 0..<cells.rows {
      for column in 0..<cells.columns {
        let center = corner + size * SIMD2(Double(column) + 0.5, Double(row) + 0.5)
        for bin in 0..<cells.orientations {
          let at = (row * cells.columns + column) * cells.orientations + bin
          let strength = Double(min(cells.values[at] / limit, 1))
          guard strength > 0.1 else { continue }
          let half = along(bin) * size * 0.45
          canvas.line(
            from: center - half, to: center + half, thickness: thickness, Canvas.black,
            opacity: 0.9 * strength)
        }
      }
    }
  }

  /// The direction of an edge whose gradient votes for a bin: across the gradient.
  private func along(_ bin: Int) -> SIMD2<Double> {
    let angle = (Double(bin) + 0.5) * Double.pi / Double(cells.orientations)
    return SIMD2(-sin(angle), cos(angle))
  }
}
