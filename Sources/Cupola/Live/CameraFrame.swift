// 1. A frame is described where it lies in memory: its planes, their rows, and how it must be turned.
// 2. Rows are read as red, green and blue.
// 3. `YCbCr` holds the factors of the color conversion.

/// A frame as a camera gives it, looked at where it lies: nothing is copied.
///
/// Rows are `bytesPerRow` apart and may have bytes behind their pixels. What a frame looks at must not change
/// while it is there.
public struct CameraFrame: ~Escapable {
  /// How pixels stand in the memory of one plane.
  public enum Format: Equatable, Sendable {
    /// Red, green, blue: 3 bytes a pixel.
    case rgb
    /// Red, green, blue and a byte that is ignored.
    case rgba
    /// Blue, green, red and a byte that is ignored.
    case bgra
  }

  /// The planes of a frame.
  enum Layout {
    /// One.
    case packed(Format)
    /// Luma, and pairs of Cb and Cr for every 2x2 pixels.
    case nv12(YCbCr)
    /// Luma, Cb, Cr, the last two for every 2x2 pixels.
    case i420(YCbCr)
  }

  package let width: Int
  package let height: Int
  /// How the frame must be turned to stand upright: a phone held upright gives frames to be turned `.right`.
  package let orientation: Orientation
  let layout: Layout

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
  ///   - format: how a pixel stands there.
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
    (self.width, self.height, self.orientation) = (width, height, orientation)
    layout = .packed(format)
    first = Plane(pixels, bytesPerRow: bytesPerRow)
    second = first
    third = first
    first.check(rows: height, count: (format == .rgb ? 3 : 4) * width)
  }

  /// A frame of two planes: luma, and pairs of Cb and Cr for every 2x2 pixels (NV12; `420v` and `420f`).
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
    layout = .nv12(encoding)
    first = Plane(luma, bytesPerRow: bytesPerRow)
    second = Plane(chroma, bytesPerRow: chromaBytesPerRow)
    third = second
    first.check(rows: height, count: width)
    second.check(rows: (height + 1) / 2, count: 2 * ((width + 1) / 2))
  }

  /// A frame of three planes: luma, Cb, Cr, the last two for every 2x2 pixels (I420).
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
  /// Writes pixels of a stored row as red, green and blue.
  ///
  /// - Parameters:
  ///   - left: the first column.
  ///   - row: 3 bytes a pixel, as many pixels as are asked for.
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

  /// A row of color differences, one for every second pixel.
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
  /// The whole frame, copied and turned upright.
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

/// How luma and color differences stand for red, green and blue (ITU-R BT.601 and BT.709).
public struct YCbCr: Equatable, Sendable {
  /// Whose weights of red, green and blue make the luma.
  package enum Matrix: Sendable {
    /// Of standard definition, JPEG, and most phones' frames.
    case bt601
    /// Of high definition.
    case bt709
  }

  /// Which values stand for black and white.
  package enum Range: Sendable {
    /// 0 and 255, as in JPEG; `420f`.
    case full
    /// 16 and 235, as in video; `420v`.
    case video
  }

  package let matrix: Matrix
  package let range: Range

  /// That of JPEG and of most phones' frames; `420f`.
  public static let jpeg = YCbCr()
  /// Of video in standard definition; `420v`.
  public static let video = YCbCr(range: .video)
  /// Of high definition, with all values.
  public static let fullHD = YCbCr(matrix: .bt709)
  /// Of video in high definition.
  public static let videoHD = YCbCr(matrix: .bt709, range: .video)

  package init(matrix: Matrix = .bt601, range: Range = .full) {
    self.matrix = matrix
    self.range = range
  }

  /// In 1/65536: what luma less ``black`` is multiplied with, and color differences less 128.
  var factors: (luma: Int32, redOfCr: Int32, greenOfCb: Int32, greenOfCr: Int32, blueOfCb: Int32) {
    switch (matrix, range) {
    case (.bt601, .full): (65_536, 91_881, -22_554, -46_802, 116_130)
    case (.bt601, .video): (76_309, 104_597, -25_675, -53_279, 132_201)
    case (.bt709, .full): (65_536, 103_206, -12_276, -30_679, 121_609)
    case (.bt709, .video): (76_309, 117_489, -13_975, -34_925, 138_438)
    }
  }

  /// The luma of black.
  var black: Int32 { range == .full ? 0 : 16 }
}
