// 1. Describe a frame in memory: its planes, rows, and orientation.
// 2. Read rows as red, green, and blue.
// 3. `YCbCr` provides the factors of the color conversion.

/// A camera frame that refers to existing memory instead of copying it.
///
/// Rows start `bytesPerRow` bytes apart and can include padding. The memory must not change during the frame's
/// lifetime.
public struct CameraFrame: ~Escapable {
  /// The byte order within a pixel.
  public enum Format: Equatable, Sendable {
    /// Red, green, and blue (3 bytes per pixel).
    case rgb
    /// Red, green, blue, and an ignored byte.
    case rgba
    /// Blue, green, red, and an ignored byte.
    case bgra
  }

  enum Layout {
    /// One plane.
    case packed(Format)
    /// A luma plane, and a plane of interleaved Cb and Cr samples, one pair for every 2x2 pixels.
    case nv12(YCbCr)
    /// Luma, Cb, and Cr planes; Cb and Cr have one sample for every 2x2 pixels.
    case i420(YCbCr)
  }

  package let width: Int
  package let height: Int
  /// The rotation that makes the frame upright; `.right` for a phone held upright.
  package let orientation: Orientation
  let layout: Layout

  /// RGB or luma.
  let first: Plane
  /// CbCr or Cb.
  let second: Plane
  /// Cr.
  let third: Plane

  struct Plane: ~Escapable {
    let bytes: Span<UInt8>
    let bytesPerRow: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, bytesPerRow: Int) {
      self.bytes = bytes
      self.bytesPerRow = bytesPerRow
    }

    @_lifetime(copy self)
    func row(_ number: Int, count: Int) -> Span<UInt8> {
      bytes.extracting(number * bytesPerRow..<number * bytesPerRow + count)
    }

    func check(rows: Int, count: Int) {
      precondition(
        rows > 0 && bytesPerRow >= count && bytes.count >= (rows - 1) * bytesPerRow + count,
        "\(bytes.count) bytes, \(bytesPerRow) per row, for \(rows) rows of \(count)")
    }
  }

  /// Creates a frame with one plane.
  ///
  /// - Parameters:
  ///   - pixels: Rows from top to bottom: at least `(height - 1) * bytesPerRow` bytes plus the pixels of one row.
  ///   - format: The byte order within a pixel.
  ///   - width: Number of stored columns.
  ///   - height: Number of stored rows.
  ///   - bytesPerRow: Bytes from the start of one row to the next.
  ///   - orientation: The rotation that makes the frame upright.
  @_lifetime(copy pixels)
  public init(
    pixels: Span<UInt8>, format: Format, width: Int, height: Int, bytesPerRow: Int,
    orientation: Orientation = .up
  ) {
    precondition(width > 0 && height > 0, "invalid frame size \(width)x\(height)")
    (self.width, self.height, self.orientation) = (width, height, orientation)
    layout = .packed(format)
    first = Plane(pixels, bytesPerRow: bytesPerRow)
    second = first
    third = first
    first.check(rows: height, count: (format == .rgb ? 3 : 4) * width)
  }

  /// Creates a frame with a luma plane and a plane of interleaved Cb and Cr samples (NV12; `420v` and `420f`).
  ///
  /// - Parameters:
  ///   - luma: `height` rows of `width` bytes.
  ///   - bytesPerRow: Bytes from the start of one luma row to the next.
  ///   - chroma: Half as many rows, rounded up, with one Cb and Cr pair for every 2x2 pixels.
  ///   - chromaBytesPerRow: Bytes from the start of one chroma row to the next.
  ///   - encoding: The color encoding of the planes.
  ///   - width: The width of the image in pixels.
  ///   - height: The height of the image in pixels.
  ///   - orientation: The orientation of the stored image.
  @_lifetime(copy luma, copy chroma)
  public init(
    luma: Span<UInt8>, bytesPerRow: Int, chroma: Span<UInt8>, chromaBytesPerRow: Int,
    encoding: YCbCr, width: Int, height: Int, orientation: Orientation = .up
  ) {
    precondition(width > 0 && height > 0, "invalid frame size \(width)x\(height)")
    (self.width, self.height, self.orientation) = (width, height, orientation)
    layout = .nv12(encoding)
    first = Plane(luma, bytesPerRow: bytesPerRow)
    second = Plane(chroma, bytesPerRow: chromaBytesPerRow)
    third = second
    first.check(rows: height, count: width)
    second.check(rows: (height + 1) / 2, count: 2 * ((width + 1) / 2))
  }

  /// Creates a frame with luma, Cb, and Cr planes (I420). Cb and Cr have one sample for every 2x2 pixels.
  ///
  /// - Parameters:
  ///   - luma: `height` rows of `width` bytes.
  ///   - bytesPerRow: Bytes from the start of one luma row to the next.
  ///   - cb: Half as many rows and columns, rounded up.
  ///   - cr: Half as many rows and columns, rounded up.
  ///   - chromaBytesPerRow: Bytes from the start of one chroma row to the next.
  ///   - encoding: The color encoding of the planes.
  ///   - width: The width of the image in pixels.
  ///   - height: The height of the image in pixels.
  ///   - orientation: The orientation of the stored image.
  @_lifetime(copy luma, copy cb, copy cr)
  public init(
    luma: Span<UInt8>, bytesPerRow: Int, cb: Span<UInt8>, cr: Span<UInt8>, chromaBytesPerRow: Int,
    encoding: YCbCr, width: Int, height: Int, orientation: Orientation = .up
  ) {
    precondition(width > 0 && height > 0, "invalid frame size \(width)x\(height)")
    (self.width, self.height, self.orientation) = (width, height, orientation)
    layout = .i420(encoding)
    first = Plane(luma, bytesPerRow: bytesPerRow)
    second = Plane(cb, bytesPerRow: chromaBytesPerRow)
    third = Plane(cr, bytesPerRow: chromaBytesPerRow)
    first.check(rows: height, count: width)
    second.check(rows: (height + 1) / 2, count: (width + 1) / 2)
    third.check(rows: (height + 1) / 2, count: (width + 1) / 2)
  }

  package var uprightWidth: Int { orientation.swapsSides ? height : width }
  package var uprightHeight: Int { orientation.swapsSides ? width : height }
}

extension CameraFrame {
  /// Writes the pixels of a stored row, starting at column `left`, as red, green, and blue.
  func read(row number: Int, from left: Int, into row: inout MutableSpan<UInt8>) {
    let count = row.count / 3
    switch layout {
    case .packed(.rgb):
      let source = first.row(number, count: 3 * (left + count)).extracting(
        3 * left..<3 * (left + count))
      for index in 0..<3 * count { row[index] = source[index] }
    case .packed(.rgba):
      Self.copy(first.row(number, count: 4 * (left + count)), left, red: 0, blue: 2, &row)
    case .packed(.bgra):
      Self.copy(first.row(number, count: 4 * (left + count)), left, red: 2, blue: 0, &row)
    case .nv12(let encoding):
      let chroma = second.row(number / 2, count: 2 * ((left + count + 1) / 2))
      Self.convert(
        first.row(number, count: left + count), from: left,
        Chroma(cb: chroma, cr: chroma, step: 2, crOffset: 1), by: encoding, into: &row)
    case .i420(let encoding):
      let half = (left + count + 1) / 2
      Self.convert(
        first.row(number, count: left + count), from: left,
        Chroma(
          cb: second.row(number / 2, count: half), cr: third.row(number / 2, count: half), step: 1,
          crOffset: 0), by: encoding, into: &row)
    }
  }

  private static func copy(
    _ source: Span<UInt8>, _ left: Int, red: Int, blue: Int, _ row: inout MutableSpan<UInt8>
  ) {
    let source = source.extracting(4 * left..<source.count)
    for pixel in 0..<row.count / 3 {
      row[3 * pixel] = source[4 * pixel + red]
      row[3 * pixel + 1] = source[4 * pixel + 1]
      row[3 * pixel + 2] = source[4 * pixel + blue]
    }
  }

  private struct Chroma: ~Escapable {
    let cb: Span<UInt8>
    let cr: Span<UInt8>
    let step: Int
    let crOffset: Int

    @_lifetime(copy cb, copy cr)
    init(cb: Span<UInt8>, cr: Span<UInt8>, step: Int, crOffset: Int) {
      (self.cb, self.cr, self.step, self.crOffset) = (cb, cr, step, crOffset)
    }
  }

  private static func convert(
    _ luma: Span<UInt8>, from left: Int, _ chroma: borrowing Chroma, by encoding: YCbCr,
    into row: inout MutableSpan<UInt8>
  ) {
    let (factors, black) = (encoding.factors, encoding.black)
    for pixel in 0..<row.count / 3 {
      let at = (left + pixel) / 2 * chroma.step
      let light = (Int32(luma[left + pixel]) - black) &* factors.luma &+ 32_768
      let (blue, red) = (Int32(chroma.cb[at]) - 128, Int32(chroma.cr[at + chroma.crOffset]) - 128)
      row[3 * pixel] = sample(light &+ red &* factors.redOfCr)
      row[3 * pixel + 1] = sample(
        light &+ blue &* factors.greenOfCb &+ red &* factors.greenOfCr)
      row[3 * pixel + 2] = sample(light &+ blue &* factors.blueOfCb)
    }
  }

  private static func sample(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value >> 16, 0), 255))
  }
}

extension CameraFrame {
  package var picture: RGBImage {
    var picture = RGBImage(width: width, height: height)
    var pixels = picture.pixels.mutableSpan
    for y in 0..<height {
      var row = pixels._mutatingExtracting(3 * y * width..<3 * (y + 1) * width)
      read(row: y, from: 0, into: &row)
    }
    return picture.upright(from: orientation)
  }
}

/// The conversion from luma and chroma to RGB (ITU-R BT.601 and BT.709).
public struct YCbCr: Equatable, Sendable {
  package let isHD: Bool
  package let isFullRange: Bool

  /// Creates an encoding; by default that of JPEG and most phone cameras.
  ///
  /// - Parameters:
  ///   - isHD: Whether to use the matrix of high-definition video (BT.709) instead of BT.601.
  ///   - isFullRange: Whether 0 is black and 255 is white (`420f`) instead of 16 and 235 (`420v`).
  public init(isHD: Bool = false, isFullRange: Bool = true) {
    (self.isHD, self.isFullRange) = (isHD, isFullRange)
  }

  /// Factors in units of 1/65536 for luma minus ``black`` and chroma minus 128.
  var factors: (luma: Int32, redOfCr: Int32, greenOfCb: Int32, greenOfCr: Int32, blueOfCb: Int32) {
    switch (isHD, isFullRange) {
    case (false, true): (65_536, 91_881, -22_554, -46_802, 116_130)
    case (false, false): (76_309, 104_597, -25_675, -53_279, 132_201)
    case (true, true): (65_536, 103_206, -12_276, -30_679, 121_609)
    case (true, false): (76_309, 117_489, -13_975, -34_925, 138_438)
    }
  }

  var black: Int32 { isFullRange ? 0 : 16 }
}
