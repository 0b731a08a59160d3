internal import CupolaCampus

/// Reads the units of a baseline scan row by row.
struct UnitReader {
  /// Where in the data it is, and what it knows of what was read.
  private struct State {
    var cursor = EntropyCursor()
    /// The sum of the differences of luma's means.
    var mean: Int32 = 0
  }

  private let scan: BaselineScan
  private let data: EntropyData
  private let unitsAcross: Int
  private var state = State()
  /// The sums of a block's transform of each color; the first of them is that of the differences of its means.
  private var sums = [Int32](repeating: 0, count: 2 * ReducedTransform.count)

  init(_ scan: BaselineScan, _ data: EntropyData, unitsAcross: Int) {
    (self.scan, self.data, self.unitsAcross) = (scan, data, unitsAcross)
  }

  /// Whether all data were taken, but for the bits that fill up the last byte.
  var isAtEnd: Bool {
    state.cursor.isInLastStretch(of: data) && state.cursor.hasTakenStretch(of: data)
  }

  /// Reads a row; whether its data are whole.
  mutating func read(into row: inout UnitRow) -> Bool {
    // A copy, so that it stays in registers.
    var state = state
    defer { self.state = state }
    return Self.read(
      scan, data, &state, count: unitsAcross, means: &row.means, sums: &sums, colors: &row.colors)
  }

  private static func read(
    _ scan: BaselineScan, _ data: EntropyData, _ state: inout State, count: Int,
    means: inout [Int16], sums: inout [Int32], colors: inout [UInt8]
  ) -> Bool {
    let bytes = data.bytes.span
    // Up to eight bytes are held.
    let last = data.bytes.count - EntropyData.padding + 8
    var means = means.mutableSpan
    var sums = sums.mutableSpan
    var colors = colors.mutableSpan
    for unit in 0..<count {
      if state.cursor.isAtRestart(every: scan.restartInterval) {
        guard restart(&state, data) else { return false }
        sums[0] = 0
        sums[ReducedTransform.count] = 0
      }
      guard state.cursor.bits.position <= last,
        readLuma(scan, &state, in: bytes, unit: unit, of: count, into: &means)
      else { return false }
      for color in 0..<2 {
        guard let samples = readColor(color, scan, &state.cursor.bits, in: bytes, into: &sums)
        else { return false }
        UnitRow.put(samples, color: color, unit: unit, of: count, into: &colors)
      }
      state.cursor.unit += 1
    }
    return true
  }

  /// Goes to the next stretch; whether the last was taken whole.
  private static func restart(_ state: inout State, _ data: EntropyData) -> Bool {
    guard state.cursor.hasTakenStretch(of: data), state.cursor.enterNextStretch(of: data) else {
      return false
    }
    state.mean = 0
    return true
  }

  /// Reads the blocks of luma of a unit; whether they are whole.
  @inline(__always)
  private static func readLuma(
    _ scan: BaselineScan, _ state: inout State, in bytes: Span<UInt8>, unit: Int, of count: Int,
    into means: inout MutableSpan<Int16>
  ) -> Bool {
    let (across, down) = scan.sampling
    for y in 0..<down {
      for x in 0..<across {
        guard let difference = scan.luma.readMean(&state.cursor.bits, in: bytes),
          scan.luma.skip(&state.cursor.bits, in: bytes)
        else { return false }
        state.mean &+= difference
        guard state.mean.magnitude <= scan.mostMean else { return false }
        let at = (y &* count &+ unit) &* across &+ x
        means[at] = Int16(truncatingIfNeeded: state.mean)
      }
    }
    return true
  }

  /// Reads a block of color: its samples, or four times its mean; `nil` where the data are damaged or the mean is
  /// libjpeg's to read.
  ///
  /// - Parameters:
  ///   - color: 0 blue, 1 red.
  ///   - sums: those of the transforms; the means' stay.
  @inline(__always)
  private static func readColor(
    _ color: Int, _ scan: BaselineScan, _ bits: inout JPEGBits, in bytes: Span<UInt8>,
    into sums: inout MutableSpan<Int32>
  ) -> ReducedTransform.Samples? {
    let own = 64 &* color..<64 &* color &+ 64
    let factors = scan.factors.span.extracting(own)
    let mean = ReducedTransform.count &* color
    guard let difference = scan.color.readMean(&bits, in: bytes) else { return nil }
    sums[mean] &+= difference &* factors[0]
    guard sums[mean].magnitude <= UInt32(ReducedTransform.mostMean) &<< 15 else { return nil }
    guard scan.isHalved else {
      return scan.color.skip(&bits, in: bytes) ? ReducedTransform.flat(sums[mean]) : nil
    }
    guard
      let isFlat = scan.color.readDetails(
        &bits, in: bytes, into: &sums, at: scan.slots.span.extracting(own), by: factors)
    else { return nil }
    return isFlat
      ? ReducedTransform.flat(sums[mean]) : ReducedTransform.samples(&sums, from: mean)
  }
}
