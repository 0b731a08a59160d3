internal import CupolaCampus

/// Reads the units of a baseline scan row by row.
struct UnitReader {
  /// Where in the data it is, and what it knows of what was read.
  private struct State {
    var bits = JPEGBits(at: 0)
    /// Units and restarts read.
    var unit = 0
    var restart = 0
    /// The sum of the differences of luma's means.
    var mean: Int32 = 0
  }

  private let scan: BaselineScan
  private let data: EntropyData
  private let unitsAcross: Int
  private var state = State()
  /// A block's transform of each color, with the sum of the differences of its means.
  private var blue = [Int32](repeating: 0, count: ReducedTransform.count)
  private var red = [Int32](repeating: 0, count: ReducedTransform.count)

  init(_ scan: BaselineScan, _ data: EntropyData, unitsAcross: Int) {
    (self.scan, self.data, self.unitsAcross) = (scan, data, unitsAcross)
  }

  /// Whether all data were taken, but for the bits that fill up the last byte.
  var isAtEnd: Bool {
    state.restart + 1 == data.ends.count && state.bits.nextByte == data.ends[state.restart]
  }

  /// Reads a row; whether its data are whole.
  mutating func read(into row: inout UnitRow) -> Bool {
    // A copy, so that it stays in registers.
    var state = state
    defer { self.state = state }
    return Self.read(
      scan, data, &state, count: unitsAcross, means: &row.means, blueSums: &blue, blue: &row.blue,
      redSums: &red, red: &row.red)
  }

  private static func read(
    _ scan: BaselineScan, _ data: EntropyData, _ state: inout State, count: Int,
    means: inout [Int16], blueSums: inout [Int32], blue: inout [UInt8], redSums: inout [Int32],
    red: inout [UInt8]
  ) -> Bool {
    let bytes = data.bytes.span
    // Up to eight bytes are held.
    let last = data.bytes.count - EntropyData.padding + 8
    var means = means.mutableSpan
    var blueSums = blueSums.mutableSpan
    var redSums = redSums.mutableSpan
    var blueLines = blue.mutableSpan
    var redLines = red.mutableSpan
    for unit in 0..<count {
      if scan.isRestart(before: state.unit) {
        guard restart(&state, data) else { return false }
        blueSums[0] = 0
        redSums[0] = 0
      }
      guard state.bits.position <= last,
        readLuma(scan, &state, in: bytes, unit: unit, of: count, into: &means),
        let blue = scan.readColor(
          &state.bits, in: bytes, into: &blueSums, by: scan.blueFactors.span),
        let red = scan.readColor(
          &state.bits, in: bytes, into: &redSums, by: scan.redFactors.span)
      else { return false }
      UnitRow.put(blue, unit: unit, of: count, into: &blueLines)
      UnitRow.put(red, unit: unit, of: count, into: &redLines)
      state.unit += 1
    }
    return true
  }

  /// Goes to the next stretch; whether the last was taken whole.
  private static func restart(_ state: inout State, _ data: EntropyData) -> Bool {
    guard state.restart + 1 < data.ends.count, state.bits.nextByte == data.ends[state.restart]
    else { return false }
    state.bits = JPEGBits(at: data.ends[state.restart])
    state.restart += 1
    state.mean = 0
    return true
  }

  /// Reads the blocks of luma of a unit.
  @inline(__always)
  private static func readLuma(
    _ scan: BaselineScan, _ state: inout State, in bytes: Span<UInt8>, unit: Int, of count: Int,
    into means: inout MutableSpan<Int16>
  ) -> Bool {
    let (across, down) = scan.sampling
    for y in 0..<down {
      for x in 0..<across {
        guard let difference = scan.luma.readMean(&state.bits, in: bytes),
          scan.luma.skip(&state.bits, in: bytes)
        else { return false }
        state.mean &+= difference
        let at = (y &* count &+ unit) &* across &+ x
        means[at] = Int16(truncatingIfNeeded: state.mean)
      }
    }
    return true
  }
}
