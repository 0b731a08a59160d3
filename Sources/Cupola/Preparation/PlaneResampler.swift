/// Resizes planes of floats from one size to another with the weights of ``AreaResampler``: two products with
/// constant matrices, which is how exported models do it.
struct PlaneResampler: Sendable {
  private let columns: TapTable
  private let rows: AxisTaps
  private let rowWeights: [Float]
  /// One row of sums.
  private var sums: [Float]

  init(width: Int, height: Int, toWidth newWidth: Int, height newHeight: Int) {
    columns = TapTable(AxisTaps(from: width, to: newWidth))
    rows = AxisTaps(from: height, to: newHeight)
    let rowScale = 1 / Float(rows.total)
    rowWeights = rows.weight.map { Float($0) * rowScale }
    sums = [Float](repeating: 0, count: width)
  }

  /// - Parameter target: as many samples as the new size has.
  mutating func resample(_ samples: [Float], into target: inout [Float]) {
    for j in 0..<rows.count {
      addRows(of: j, samples.span)
      WideRows.writeSums(of: sums, taps: columns, into: &target, from: j * columns.count)
    }
  }

  private mutating func addRows(of j: Int, _ samples: Span<Float>) {
    let (rows, weights, width) = (rows, rowWeights, sums.count)
    var target = sums.mutableSpan
    for x in 0..<width { target[x] = 0 }
    for tap in rows.range(of: j) {
      let start = rows.source[tap] * width
      Self.add(samples.extracting(start..<start + width), times: weights[tap], to: &target)
    }
  }

  private static func add(
    _ row: Span<Float>, times weight: Float, to sums: inout MutableSpan<Float>
  ) {
    precondition(row.count == sums.count)
    for x in 0..<row.count { sums[x] += weight * row[x] }
  }
}
