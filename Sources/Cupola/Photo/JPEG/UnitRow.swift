internal import CupolaCampus

/// A row of units at an eighth of their size.
struct UnitRow {
  /// The sums of luma's means before they are multiplied, in lines.
  var means: [Int16]
  /// Samples of color, in lines: first all blue, then all red.
  var colors: [UInt8]
  private let step: Int32
  /// Samples in a line of luma, and of color.
  private let width: Int
  private let colorWidth: Int

  init(_ scan: BaselineScan, unitsAcross: Int) {
    step = scan.step
    width = unitsAcross * scan.sampling.across
    colorWidth = scan.isHalved ? width : unitsAcross
    means = [Int16](repeating: 0, count: width * scan.sampling.down)
    colors = [UInt8](repeating: 0, count: 2 * colorWidth * (scan.isHalved ? 2 : 1))
  }

  /// Writes the samples of a unit's color into its lines: all four, or one where there is but one line.
  ///
  /// - Parameter color: 0 blue, 1 red.
  @inline(__always)
  static func put(
    _ samples: ReducedTransform.Samples, color: Int, unit: Int, of count: Int,
    into colors: inout MutableSpan<UInt8>
  ) {
    let start = color &* (colors.count / 2)
    guard colors.count > 2 &* count else {
      colors[start &+ unit] = samples.0
      return
    }
    let (upper, lower) = (start &+ 2 &* unit, start &+ 2 &* (count &+ unit))
    colors[upper] = samples.0
    colors[upper &+ 1] = samples.1
    colors[lower] = samples.2
    colors[lower &+ 1] = samples.3
  }

  /// Writes the first pixels of a line.
  ///
  /// - Parameter first: the place of the first.
  func write(line: Int, count: Int, from first: Int, into pixels: inout [UInt8]) {
    let half = colors.count / 2
    let start = half == colorWidth ? 0 : line * colorWidth
    WideRows.writeColors(
      means.span.extracting(line * width..<(line + 1) * width), times: step,
      blue: colors.span.extracting(start..<start + colorWidth),
      red: colors.span.extracting(half + start..<half + start + colorWidth), from: first,
      count: count, into: &pixels)
  }
}
