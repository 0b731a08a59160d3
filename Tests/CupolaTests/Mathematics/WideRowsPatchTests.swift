import Testing

@testable import Cupola

/// All processor variants must match bit for bit.
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

  @Test("Descriptors match scalar loops", arguments: [(1, 4), (2, 30), (1, 7)])
  func descriptors(across: Int, down: Int) {
    let cells = Self.cells(200, in: 0...900, seed: 1)
    let starts = [0, 3, 7, 91, 199 - 3 * (across + down)]
    var rows = Matrix(rows: starts.count + 2, columns: 128)
    WideRows.writePatches(
      of: cells, starts: starts, across: across, down: down, into: &rows, from: 1)
    for (row, start) in starts.enumerated() {
      let window = (0..<16).map { cells[start + $0 / 4 * down + $0 % 4 * across] }
      #expect(rows.row(row + 1) == Self.descriptor(window))
      #expect(Set(rows.row(row + 1)).count > 20)
    }
    #expect(rows.row(0).allSatisfy { $0 == 0 } && rows.row(6).allSatisfy { $0 == 0 })
  }

  @Test("A strong gradient is clipped, and zero cells stay zero")
  func extremes() {
    var cells = [SIMD8<Float>](repeating: .zero, count: 32)
    cells[21][3] = 700
    var rows = Matrix(rows: 2, columns: 128)
    WideRows.writePatches(of: cells, starts: [0, 16], across: 1, down: 4, into: &rows, from: 0)
    #expect(rows.row(0).allSatisfy { $0 == 0 })
    #expect(rows.row(1) == Self.descriptor(Array(cells[16...])))
    #expect(rows[1, 43] > 0.99 && rows.row(1).count { $0 > 0 } == 1)
  }

  @Test("Opponent color sums match scalar loops", arguments: [(2, 2), (9, 8), (33, 12)])
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

  @Test("Color cells match scalar loops, and negative variances become 0", arguments: [1, 2, 9])
  func colorCells(half: Int) {
    // Squares mostly above, sometimes below the squared means.
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

  @Test("Planes contain the samples of the pixels", arguments: [0, 1, 7, 64, 130])
  func planes(count: Int) {
    var generator = SplitMix64(seed: 6)
    let pixels = (0..<3 * count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var (red, green, blue) = ([Float](repeating: -1, count: count), [Float](), [Float]())
    (green, blue) = (red, red)
    WideRows.readPlanes(of: pixels, red: &red, green: &green, blue: &blue)
    for at in 0..<count {
      #expect([red[at], green[at], blue[at]] == pixels[3 * at..<3 * at + 3].map(Float.init))
    }
  }

  @Test("Sums over taps match scalar loops", arguments: [(9, 4), (64, 45), (5, 12), (3, 3)])
  func sums(from: Int, to: Int) {
    let axis = AxisTaps(from: from, to: to)
    let table = TapTable(axis)
    let samples = SampleFisher.matrix(1, from + 1, in: 0...255, seed: 7).values
    var plane = [Float](repeating: -1, count: to + 3)
    WideRows.writeSums(of: samples, taps: table, into: &plane, from: 2)
    for output in 0..<to {
      var sum: Float = 0
      for tap in axis.range(of: output) {
        sum += samples[axis.source[tap]] * (Float(axis.weight[tap]) * (1 / Float(axis.total)))
      }
      #expect(plane[2 + output] == sum)
    }
    #expect(plane[0] == -1 && plane[1] == -1 && plane[to + 2] == -1)
  }

  @Test("Squares, magnitudes and signed roots match scalar loops", arguments: [1, 8, 34, 66])
  func roots(columns: Int) {
    let rows = SampleFisher.matrix(3, columns, in: -9...9, seed: 8)
    var both = Matrix(rows: 3, columns: 2 * columns)
    WideRows.augment(rows, into: &both)
    for row in 0..<3 {
      let values = rows.row(row)
      #expect(both.row(row) == values + values.map { $0 * $0 })
      var lanes = [Float](repeating: 0, count: 8)
      for at in 0..<columns & ~7 { lanes[at % 8] += values[at].magnitude }
      let expected = (lanes + values.suffix(columns % 8).map(\.magnitude)).reduce(0, +)
      #expect(WideRows.magnitudes(values.span) == expected)
      var roots = values
      roots[0] = -0.0
      var span = roots.mutableSpan
      WideRows.takeSignedRoots(of: &span, times: 0.7)
      for at in 1..<max(1, columns) {
        let root = values[at].magnitude.squareRoot() * 0.7
        #expect(roots[at] == (values[at] < 0 ? -root : root))
      }
      #expect(roots[0] == 0)
    }
    #expect(WideRows.magnitudes([Float]().span) == 0)
  }
}
