/// The areas of an image for which evidence is summed.
package enum ImageArea: String, CaseIterable, Sendable {
  /// Uniform, bright or blue areas connected to the top edge.
  case sky
  /// The outermost 1/16 along each edge, except sky.
  case border
  /// The central rectangle with half the width and half the height, except sky.
  case middle
  /// Everything else.
  case elsewhere

  /// Returns the area that each cell of a grid over a square image is in, row-major.
  /// Sky cells must be flat: their luma deviation is at most 10 gray levels. A cell continues the sky if its mean luma
  /// differs by at most 24 levels from an adjacent sky cell. It is bright if its mean luma is at least 110 and at least
  /// the image's mean. It is blue if blue exceeds red by at least 15 levels and is at least as high as green. Sky ends
  /// at two thirds of the height. A bright ceiling counts as sky; a gray sky with visible texture does not.
  static func areas(of image: RGBImage, columns: Int, rows: Int) -> [ImageArea] {
    let sky = SkyFinder(image, columns: columns, rows: rows).sky
    return (0..<columns * rows).map { cell in
      if sky[cell] { return .sky }
      let x = (Double(cell % columns) + 0.5) / Double(columns)
      let y = (Double(cell / columns) + 0.5) / Double(rows)
      let inset = min(x, 1 - x, y, 1 - y)
      return inset < 1.0 / 16 ? .border : inset >= 0.25 ? .middle : .elsewhere
    }
  }
}

private struct SkyFinder {
  private struct Cell {
    let mean: SIMD3<Double>
    let luma: Double
    let deviation: Double

    init(_ index: Int, of image: RGBImage, columns: Int, rows: Int) {
      let (column, row) = (index % columns, index / columns)
      let across = column * image.width / columns..<(column + 1) * image.width / columns
      let down = row * image.height / rows..<(row + 1) * image.height / rows
      var (sum, squares) = (SIMD3<Double>.zero, 0.0)
      let pixels = image.pixels.span
      let weights = SIMD3(0.30, 0.59, 0.11)
      for y in down {
        for x in across {
          let at = 3 * (y * image.width + x)
          let pixel = SIMD3(Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
          sum += pixel
          let luma = (pixel * weights).sum()
          squares += luma * luma
        }
      }
      let count = Double(max(1, across.count * down.count))
      mean = sum / count
      luma = (mean * weights).sum()
      deviation = max(0, squares / count - luma * luma).squareRoot()
    }
  }

  private(set) var sky: [Bool]
  private let cells: [Cell]
  private let columns: Int
  private let last: Int
  private let level: Double

  init(_ image: RGBImage, columns: Int, rows: Int) {
    self.columns = columns
    last = rows * 2 / 3
    cells = (0..<columns * rows).map { Cell($0, of: image, columns: columns, rows: rows) }
    level = cells.reduce(0) { $0 + $1.luma } / Double(cells.count)
    sky = [Bool](repeating: false, count: cells.count)
    var open = (0..<columns).filter { isSky($0) }
    for cell in open { sky[cell] = true }
    while let cell = open.popLast() {
      for next in neighbors(of: cell) where !sky[next] && isSky(next) {
        guard (cells[next].luma - cells[cell].luma).magnitude <= 24 else { continue }
        sky[next] = true
        open.append(next)
      }
    }
  }

  private func neighbors(of cell: Int) -> [Int] {
    let (column, row) = (cell % columns, cell / columns)
    var found: [Int] = []
    if column > 0 { found.append(cell - 1) }
    if column < columns - 1 { found.append(cell + 1) }
    if row > 0 { found.append(cell - columns) }
    if row < last - 1 { found.append(cell + columns) }
    return found
  }

  private func isSky(_ index: Int) -> Bool {
    let cell = cells[index]
    guard cell.deviation <= 10, index / columns < max(1, last) else { return false }
    let isBright = cell.luma >= max(level, 110)
    let isBlue = cell.mean.z >= cell.mean.x + 15 && cell.mean.z >= cell.mean.y
    return isBright || isBlue
  }
}
