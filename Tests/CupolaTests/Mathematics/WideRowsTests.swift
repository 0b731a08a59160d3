import Testing

@testable import Cupola

/// Compares the variant that this processor uses with scalar loops, bit for bit.
@Suite("Wide rows") struct WideRowsTests {
  private static func row(_ count: Int, in range: ClosedRange<Float> = -200...200, seed: UInt64)
    -> [Float]
  {
    SampleFisher.matrix(1, count, in: range, seed: seed).values
  }

  @Test("Shares match scalar loops", arguments: [8, 64, 128, 1040])
  func shares(components: Int) {
    let patches = 5
    var scores = SampleFisher.matrix(patches, components, in: -30...0, seed: 1)
    let constants = Self.row(components, in: -40 ... -20, seed: 3)
    let weights: [Float] = [1, 0.25, 0, 0.5, 1]
    let least: Float = 1e-3
    var sums = Self.row(components, in: 0...1, seed: 4)
    var (expected, expectedSums) = (scores, sums)
    for patch in 0..<patches {
      var row = scores.row(patch)
      var span = row.mutableSpan
      _ = FastMath.softmax(&span, adding: constants.span)
      for component in 0..<components {
        let share = row[component] * weights[patch]
        expected[patch, component] = share < least * expectedSums[component] ? 0 : share
        expectedSums[component] += expected[patch, component]
      }
    }
    WideRows.makeShares(
      of: &scores, adding: constants, weights: weights, least: least, sums: &sums)
    #expect(scores == expected && sums == expectedSums)
    #expect(expected.row(0).contains(0) && expected.row(0).contains { $0 > 0 })
  }

  @Test(
    "Products of shares and rows match scalar loops",
    arguments: [1, 3, 4, 7, 8, 52, 63, 64, 72, 79, 80, 100, 132, 136, 151], [1, 63, 64, 130])
  func transposedProducts(columns: Int, patches: Int) {
    let components = 16
    var shares = SampleFisher.matrix(patches, components, in: -1...1, seed: 1)
    for index in shares.values.indices {
      let component = index % components
      if component == 3 || (component != 5 && shares.values[index] < 0.6) {
        shares.values[index] = 0
      }
    }
    let rows = SampleFisher.matrix(patches, columns, in: -2...2, seed: 2)
    var sums = SampleFisher.matrix(components, columns, in: -1...1, seed: 3)
    var expected = sums
    for patch in 0..<patches {
      for component in 0..<components where shares[patch, component] != 0 {
        for column in 0..<columns {
          expected[component, column] += rows[patch, column] * shares[patch, component]
        }
      }
    }
    WideRows.addTransposedProduct(shares, rows, to: &sums)
    #expect(sums == expected)
  }

  @Test("Linear votes match scalar loops", arguments: [1, 7, 8, 9, 128, 131])
  func votes(count: Int) {
    let (x, y) = (Self.row(count, seed: 1), Self.row(count, seed: 2))
    let voters = (0..<9).map { Voter(bin: $0, of: 9) }
    var (upper, lower) = (Self.row(9 * count, seed: 3), Self.row(9 * count, seed: 4))
    var (expectedUpper, expectedLower) = (upper, lower)
    for (bin, voter) in voters.enumerated() {
      for index in 0..<count {
        let toNext = x[index] * voter.upperX + y[index] * voter.upperY
        let fromLast = x[index] * voter.lowerX + y[index] * voter.lowerY
        let vote = max(0, min(toNext, fromLast)) - min(0, max(toNext, fromLast))
        expectedUpper[bin * count + index] += 0.375 * vote
        expectedLower[bin * count + index] += 0.625 * vote
      }
    }
    WideRows.addVotes(
      x: x, y: y, forms: voters.flatMap(\.forms), weights: (0.375, 0.625), upper: &upper,
      lower: &lower)
    #expect(upper == expectedUpper && lower == expectedLower)
  }

  @Test("Signed votes and pooled cells match scalar loops", arguments: [8, 9, 64])
  func cells(count: Int) {
    let (x, y) = (Self.row(count, seed: 1), Self.row(count, seed: 2))
    let forms = (0..<4).map { number in
      SIMD8<Float>(Self.row(8, in: -1...1, seed: 10 + UInt64(number)))
    }
    var votes = [SIMD8<Float>](repeating: .zero, count: count + 6)
    WideRows.writeVotes(x: x, y: y, forms: forms, from: 3, into: &votes)
    for index in votes.indices {
      let at = index - 3
      guard x.indices.contains(at) else {
        #expect(votes[index] == .zero)
        continue
      }
      let one = forms[0] * x[at] + forms[1] * y[at]
      let other = forms[2] * x[at] + forms[3] * y[at]
      for bin in 0..<8 { #expect(votes[index][bin] == max(0, min(one[bin], other[bin]))) }
    }
    for step in 1...2 {
      let results = count / step
      var pooled = [SIMD8<Float>](repeating: .zero, count: results + 2)
      WideRows.pool(votes, starts: Array(0..<7), step: step, into: &pooled, at: 1..<1 + results)
      #expect(pooled[0] == .zero && pooled[results + 1] == .zero)
      for index in 0..<results {
        let own = votes[step * index..<step * index + 7].map { $0 }
        let near = own[2] + own[4]
        let (middle, far) = (own[1] + own[5], own[0] + own[6])
        #expect(pooled[1 + index] == own[3] + near * 0.75 + middle * 0.5 + far * 0.25)
      }
    }
  }

  @Test("Weighted samples are added", arguments: [0, 1, 15, 16, 97])
  func samples(count: Int) {
    let samples = (0..<count + 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var sums = (0..<count).map { UInt32($0) }
    WideRows.add(samples, in: 2..<2 + count, times: 65_500, to: &sums)
    #expect(sums == (0..<count).map { UInt32($0) + 65_500 * UInt32(samples[$0 + 2]) })
  }

  @Test("Pixels match scalar loops", arguments: [(640, 256), (7, 3), (100, 130), (9, 9)])
  func pixels(sources: Int, count: Int) {
    let taps = AxisTaps(from: sources, to: count)
    let samples = Self.row(3 * sources, in: 0...255, seed: 5).map { UInt32($0) }
    var pixels = [UInt8](repeating: 7, count: 3 * (count + 2))
    WideRows.writePixels(
      of: samples + [.max], taps: taps, scale: 1 / Double(taps.total), from: 1, into: &pixels)
    #expect(pixels.prefix(3) == [7, 7, 7] && pixels.suffix(3) == [7, 7, 7])
    for place in 0..<3 * count {
      let sum = taps.range(of: place / 3).reduce(0) {
        $0 + Int(taps.weight[$1] * samples[3 * taps.source[$1] + place % 3])
      }
      #expect(Int(pixels[3 + place]) == (2 * sum + taps.total) / (2 * taps.total))
    }
  }

  @Test("Row products match the dot product", arguments: [8, 12, 100, 8100])
  func products(columns: Int) {
    let matrix = SampleFisher.matrix(7, columns, in: -1...1, seed: 1)
    let vector = Self.row(columns, in: -1...1, seed: 2)
    for rows in [0..<4, 4..<7, 3..<4, 2..<2] {
      let sums = WideRows.products(rows, of: matrix, vector)
      for place in 0..<4 {
        let expected: Float =
          place < rows.count
          ? VectorMath.dot(matrix.row(rows.lowerBound + place).span, vector.span) : 0
        #expect(sums[place] == expected)
      }
    }
  }

  @Test("Mismatched sizes trap")
  func wrong() async {
    await #expect(processExitsWith: .failure) {
      var sums: [UInt32] = [0, 0]
      WideRows.add([1, 2], in: 1..<3, times: 1, to: &sums)
    }
    await #expect(processExitsWith: .failure) {
      var pooled = [SIMD8<Float>](repeating: .zero, count: 2)
      WideRows.pool(pooled, starts: [0, 1, 2, 3, 4, 5, 6], step: 1, into: &pooled, at: 0..<1)
    }
    await #expect(processExitsWith: .failure) {
      _ = WideRows.products(0..<2, of: Matrix(rows: 1, columns: 8), [0, 0, 0, 0, 0, 0, 0, 0])
    }
    await #expect(processExitsWith: .failure) {
      var rows = Matrix(rows: 1, columns: 128)
      let cells = [SIMD8<Float>](repeating: .zero, count: 15)
      WideRows.writePatches(of: cells, starts: [0], across: 1, down: 4, into: &rows, from: 0)
    }
    await #expect(processExitsWith: .failure) {
      var sums = [SIMD8<Float>](repeating: .zero, count: 2)
      let image = ColorImage(width: 3, height: 2)
      WideRows.writeOpponentSums(of: image, rows: 0, into: &sums, at: 0..<2)
    }
    await #expect(processExitsWith: .failure) {
      var cells = [SIMD8<Float>](repeating: .zero, count: 4)
      WideRows.writeColorCells(of: cells, above: 3, into: &cells, at: 2..<4)
    }
  }
}
