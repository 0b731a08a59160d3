internal import CupolaCampus

/// A row of units at an eighth of their size.
struct UnitRow {
  /// The sums of luma's means before they are multiplied, in lines.
  var means: [Int16]
  /// Samples of color, in lines.
  var blue: [UInt8]
  var red: [UInt8]
  private let step: Int32
  /// Samples in a line of luma, and of color.
  private let width: Int
  private let colorWidth: Int

  init(_ scan: BaselineScan, unitsAcross: Int) {
    step = scan.step
    width = unitsAcross * scan.sampling.across
    colorWidth = scan.isHalved ? width : unitsAcross
    means = [Int16](repeating: 0, count: width * scan.sampling.down)
    blue = [UInt8](repeating: 0, count: colorWidth * (scan.isHalved ? 2 : 1))
    red = blue
  }

  /// Writes the samples of a unit's color into its lines: all four, or one where there is but one line.
  @inline(__always)
  static func put(
    _ samples: ReducedTransform.Samples, unit: Int, of count: Int,
    into lines: inout MutableSpan<UInt8>
  ) {
    guard lines.count > count else {
      lines[unit] = samples.0
      return
    }
    let (upper, lower) = (2 &* unit, 2 &* (count &+ unit))
    lines[upper] = samples.0
    lines[upper &+ 1] = samples.1
    lines[lower] = samples.2
    lines[lower &+ 1] = samples.3
  }

  /// Appends the first pixels of a line, by ITU-T T.871, 7, with 16 bits behind the point.
  func append(line: Int, _ count: Int, to output: inout OutputSpan<UInt8>) {
    let means = means.span.extracting(line * width..<(line + 1) * width)
    let start = colorWidth == blue.count ? 0 : line * colorWidth
    let blue = blue.span.extracting(start..<start + colorWidth)
    let red = red.span.extracting(start..<start + colorWidth)
    // Color has as many samples as luma, or one for two.
    let half = colorWidth < width ? 1 : 0
    for x in 0..<count {
      let mean = Int32(means[x]) &* step
      let y = Int32(ReducedTransform.sample((mean &+ 4) >> 3))
      let cb = Int32(blue[x &>> half]) &- 128
      let cr = Int32(red[x &>> half]) &- 128
      output.append(Self.clamped(y &+ (91_881 &* cr &+ 32_768) >> 16))
      output.append(Self.clamped(y &+ (32_768 &- 22_554 &* cb &- 46_802 &* cr) >> 16))
      output.append(Self.clamped(y &+ (116_130 &* cb &+ 32_768) >> 16))
    }
  }

  @inline(__always)
  private static func clamped(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value, 0), 255))
  }
}
