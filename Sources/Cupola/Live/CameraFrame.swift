/// A frame as a camera gives it, looked at where it lies: nothing is copied.
///
/// Rows are `bytesPerRow` apart and may have bytes behind their pixels. What a frame looks at must not change
/// while it is there.
public struct CameraFrame: ~Escapable {
  /// How pixels stand in memory.
  public enum Format: Equatable, Sendable {
    /// Red, green, blue: 3 bytes a pixel.
    case rgb
    /// Red, green, blue and a byte that is ignored.
    case rgba
    /// Blue, green, red and a byte that is ignored.
    case bgra
    /// Two planes: luma, and pairs of Cb and Cr for every 2x2 pixels (NV12; `420v` and `420f`).
    case nv12(YCbCr)
    /// Three planes: luma, Cb, Cr, the last two for every 2x2 pixels (I420).
    case i420(YCbCr)
  }

  /// Stored columns.
  public let width: Int
  /// Stored rows.
  public let height: Int
  /// How the frame must be turned to stand upright: a phone held upright gives frames to be turned `.right`.
  public let orientation: Orientation
  /// How pixels stand in memory.
  public let format: Format

  /// All of RGB, or luma.
  let first: Plane
  /// CbCr, or Cb.
  let second: Plane
  /// Cr.
  let third: Plane

  /// A part of a frame.
  struct Plane: ~Escapable {
    let bytes: Span<UInt8>
    let bytesPerRow: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, bytesPerRow: Int) {
      self.bytes = bytes
      self.bytesPerRow = bytesPerRow
    }

    /// The bytes of a row.
    @_lifetime(copy self)
    func row(_ number: Int, count: Int) -> Span<UInt8> {
      bytes.extracting(number * bytesPerRow..<number * bytesPerRow + count)
    }

    func check(rows: Int, count: Int) {
      precondition(
        rows > 0 && bytesPerRow >= count && bytes.count >= (rows - 1) * bytesPerRow + count,
        "\(bytes.count) bytes of \(bytesPerRow) a row for \(rows) rows of \(count)")
    }
  }

  /// A frame of one plane.
  ///
  /// - Parameters:
  ///   - pixels: rows from the top, at least `(height - 1) * bytesPerRow` bytes and a row's pixels.
  ///   - format: ``Format/rgb``, ``Format/rgba`` or ``Format/bgra``.
  ///   - width: stored columns.
  ///   - height: stored rows.
  ///   - bytesPerRow: from the beginning of a row to that of the next.
  ///   - orientation: how the frame must be turned to stand upright.
  @_lifetime(copy pixels)
  public init(
    pixels: Span<UInt8>, format: Format, width: Int, height: Int, bytesPerRow: Int,
    orientation: Orientation = .up
  ) {
    precondition(width > 0 && height > 0, "a frame of \(width)x\(height)")
    (self.width, self.height, self.orientation, self.format) = (width, height, orientation, format)
    first = Plane(pixels, bytesPerRow: bytesPerRow)
    second = first
    third = first
    switch format {
    case .rgb: first.check(rows: height, count: 3 * width)
    case .rgba, .bgra: first.check(rows: height, count: 4 * width)
    case .nv12, .i420: preconditionFailure("\(format) has more than one plane")
    }
  }

  /// A frame of two planes, ``Format/nv12(_:)``.
  ///
  /// - Parameters:
  ///   - luma: `height` rows of `width` bytes.
  ///   - bytesPerRow: from the beginning of a row to that of the next.
  ///   - chroma: half as many rows, rounded up, of pairs of Cb and Cr.
  ///   - chromaBytesPerRow: the same of the planes of colors.
  ///   - encoding: which colors the numbers mean.
  ///   - width: stored columns.
  ///   - height: stored rows.
  ///   - orientation: how the frame must be turned to stand upright.
  @_lifetime(copy luma, copy chroma)
  public init(
    luma: Span<UInt8>, bytesPerRow: Int, chroma: Span<UInt8>, chromaBytesPerRow: Int,
    encoding: YCbCr, width: Int, height: Int, orientation: Orientation = .up
  ) {
    precondition(width > 0 && height > 0, "a frame of \(width)x\(height)")
    (self.width, self.height, self.orientation) = (width, height, orientation)
    format = .nv12(encoding)
    first = Plane(luma, bytesPerRow: bytesPerRow)
    second = Plane(chroma, bytesPerRow: chromaBytesPerRow)
    third = second
    first.check(rows: height, count: width)
    second.check(rows: (height + 1) / 2, count: 2 * ((width + 1) / 2))
  }

  /// A frame of three planes, ``Format/i420(_:)``.
  ///
  /// - Parameters:
  ///   - luma: `height` rows of `width` bytes.
  ///   - bytesPerRow: from the beginning of a row to that of the next.
  ///   - cb: half as many rows and columns, rounded up.
  ///   - cr: likewise.
  ///   - chromaBytesPerRow: the same of the planes of colors.
  ///   - encoding: which colors the numbers mean.
  ///   - width: stored columns.
  ///   - height: stored rows.
  ///   - orientation: how the frame must be turned to stand upright.
  @_lifetime(copy luma, copy cb, copy cr)
  public init(
    luma: Span<UInt8>, bytesPerRow: Int, cb: Span<UInt8>, cr: Span<UInt8>, chromaBytesPerRow: Int,
    encoding: YCbCr, width: Int, height: Int, orientation: Orientation = .up
  ) {
    precondition(width > 0 && height > 0, "a frame of \(width)x\(height)")
    (self.width, self.height, self.orientation) = (width, height, orientation)
    format = .i420(encoding)
    first = Plane(luma, bytesPerRow: bytesPerRow)
    second = Plane(cb, bytesPerRow: chromaBytesPerRow)
    third = Plane(cr, bytesPerRow: chromaBytesPerRow)
    first.check(rows: height, count: width)
    second.check(rows: (height + 1) / 2, count: (width + 1) / 2)
    third.check(rows: (height + 1) / 2, count: (width + 1) / 2)
  }

  /// Columns of the upright picture.
  public var uprightWidth: Int { orientation.swapsSides ? height : width }
  /// Rows of the upright picture.
  public var uprightHeight: Int { orientation.swapsSides ? width : height }
}
