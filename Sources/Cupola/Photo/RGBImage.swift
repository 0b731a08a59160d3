/// A picture of 8-bit sRGB samples, rows from the top.
///
/// `pixels` is row-major and interleaved: the red, green and blue samples of column `x` of row `y`
/// stand at `3 * (y * width + x)` and the two places after it.
public struct RGBImage: Equatable, Sendable {
  /// Columns, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int
  /// `width * height * 3` samples.
  public package(set) var pixels: [UInt8]

  /// Wraps samples that are already in memory, such as a camera frame.
  ///
  /// - Parameters:
  ///   - width: columns, 1 or more.
  ///   - height: rows, 1 or more.
  ///   - pixels: `width * height * 3` samples; any other number is the caller's mistake, and traps.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0, "an image of \(width)x\(height) has no pixels")
    precondition(
      pixels.count == width * height * 3,
      "\(pixels.count) samples given, \(width)x\(height)x3 needed")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// A black picture.
  init(width: Int, height: Int) {
    self.init(
      width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height * 3))
  }
}
