import CupolaTestSupport
import Testing

@testable import Cupola

/// Bit by bit: no variant for any processor may answer otherwise.
@Suite("Wide rows of patches") struct WideRowsPatchTests {
  private static func cells(_ count: Int, in range: ClosedRange<Float>, seed: UInt64)
    -> [SIMD8<Float>]
  {
    let values = SampleFisher.matrix(count, 8, in: range, seed: seed)
    return (0..<count).map { SIMD8(values.row($0)) }
  }

  private static func descriptor(_ window: [SIMD8<Float>]) -> [Float] {
    let squares = window.reduce(.zero) { $0 + $1 * $1 }
    let scale = 1 / (squares.sum().squareRoot() + LocalHOG.epsilon)
    let clipped = window.map { cell in
      let scaled = cell * scale
      return scaled.replacing(
        with: LocalHOG.clip, where: scaled .>= SIMD8(repeating: LocalHOG.clip))
    }
    let share = 1 / (clipped.reduce(.zero, +).sum() + 1e-6)
    return clipped.flatMap { cell in (0..<8).map { (cell[$0] * share).squareRoot() } }
  }

  @Test("Descriptors are those of plain loops", arguments: [(1, 4), (2, 30), (1, 7)])
  func descriptors(across: Int, down: Int) {
    let cells = Self.cells(200, in: 0...900, seed: 1)
    let starts = [0, 3, 7, 91, 199 - 3 * (across + down)]
    var rows = Matrix(rows: starts.count + 2, columns: 128)
    WideRows.writePatches(
      of: cells, starts: starts, across: across, down: down, into: &rows, from: 1)
    for (row, start) in starts.enumerated() {
      let window = (0..<16).map { cells[start + $0 / 4 * down + $0 % 4 * across] }
      #expect(rows.row(row + 1) == Self.descriptor(window))
      // Some were cut, and not all.
      #expect(Set(rows.row(row + 1)).count > 20)
    }
    #expect(rows.row(0).allSatisfy { $0 == 0 } && rows.row(6).allSatisfy { $0 == 0 })
  }

  @Test("A single strong gradient is cut, cells of nothing stay nothing")
  func extremes() {
    var cells = [SIMD8<Float>](repeating: .zero, count: 32)
    cells[21][3] = 700
    var rows = Matrix(rows: 2, columns: 128)
    WideRows.writePatches(of: cells, starts: [0, 16], across: 1, down: 4, into: &rows, from: 0)
    #expect(rows.row(0).allSatisfy { $0 == 0 })
    #expect(rows.row(1) == Self.descriptor(Array(cells[16...])))
    #expect(rows[1, 43] > 0.99 && rows.row(1).count { $0 > 0 } == 1)
  }

  @Test("Opponent sums are those of plain loops", arguments: [(2, 2), (9, 8), (33, 12)])
  func opponentSums(width: Int, height: Int) {
    let image = ColorImage(.random(width, height, seed: 3))
    let half = width / 2
    let scales = SIMD4<Float>(1 / (3 * 255), 1 / (255 * 1.4142135), 1 / (255 * 2.4494898), 0)
    var sums = Self.cells(half * (height / 2) + 1, in: 0...1, seed: 4)
    let before = sums
    for row in 0..<height / 2 {
      WideRows.writeOpponentSums(
        of: image, rows: 2 * row, into: &sums, at: row * half..<(row + 1) * half)
    }
    for row in 0..<height / 2 {
      for column in 0..<half {
        var expected = SIMD8<Float>.zero
        for corner in 0..<4 {
          let at = (2 * row + corner / 2) * width + 2 * column + corner % 2
          let (r, g, b) = (image.red[at], image.green[at], image.blue[at])
          let colors = SIMD4<Float>((r + g) + b, r - g, (r + g) - 2 * b, 0) * scales
          expected += SIMD8(lowHalf: colors, highHalf: colors * colors)
        }
        #expect(sums[row * half + column] == expected)
      }
    }
    #expect(sums.last == before.last)
  }

  @Test("Cells of color are those of plain loops, and rounding below 0 is 0", arguments: [1, 2, 9])
  func colorCells(half: Int) {
    // Squares of the means and more, now and then less.
    var sums = Self.cells(2 * half, in: -1...1, seed: 5)
    for (index, own) in sums.enumerated() {
      let squares = own.lowHalf * own.lowHalf * (index.isMultiple(of: 3) ? 0.01 : 0.3)
      sums[index] = SIMD8(lowHalf: own.lowHalf, highHalf: squares)
      (sums[index][3], sums[index][7]) = (0, 0)
    }
    var cells = [SIMD8<Float>](repeating: .zero, count: 2 * half)
    for row in 0..<2 {
      WideRows.writeColorCells(
        of: sums, above: 0, into: &cells, at: row * half..<(row + 1) * half)
    }
    var cut = 0
    for row in 0..<2 {
      for column in 0..<half {
        let left = max(0, column - 1)
        let above = sums[left] + sums[column]
        let own = sums[row * half + left] + sums[row * half + column]
        let moments = (above + own) * Float(0.0625)
        for color in 0..<3 {
          let variance = moments[4 + color] - moments[color] * moments[color]
          cut += variance < 0 ? 1 : 0
          #expect(cells[row * half + column][color] == moments[color])
          #expect(cells[row * half + column][3 + color] == max(0, variance).squareRoot())
        }
        #expect(cells[row * half + column][6] == 0 && cells[row * half + column][7] == 0)
      }
    }
    #expect(cut > 0)
  }
}
