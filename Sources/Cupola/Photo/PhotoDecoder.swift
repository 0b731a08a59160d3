/// Turns the bytes of a JPEG file into an upright picture no larger than needed.
public struct PhotoDecoder: Sendable {
  /// What a file may be before it is refused, checked before any memory is taken for pixels.
  public struct Limits: Sendable {
    /// Bytes in the file.
    public var bytes = 64 << 20
    /// Pixels in the stored picture.
    public var pixels = 100_000_000

    /// The limits of the recipe: 64 MB and 100 megapixels.
    public init() {}
  }

  /// Bounds on what is accepted.
  public var limits = Limits()
  /// Accept a picture whose data are damaged or end early, with grey where they are missing.
  public var lenient = false

  /// A strict decoder with the usual limits.
  public init() {}

  /// Reads orientation, position, heading and time, without decoding the picture.
  ///
  /// - Throws: ``CupolaError`` when the bytes are not a JPEG, are damaged before the picture data,
  ///   or exceed the limits.
  public func metadata(of bytes: [UInt8]) throws(CupolaError) -> PhotoMetadata {
    try frame(of: bytes).metadata
  }

  /// Reads all that stands before the picture data, once.
  ///
  /// - Throws: ``CupolaError`` as for ``metadata(of:)``.
  package func frame(of bytes: [UInt8]) throws(CupolaError) -> PhotoFrame {
    PhotoFrame(try header(of: bytes))
  }

  /// Decodes to an upright picture of at least `minimumWidth` x `minimumHeight` where the photo has it.
  ///
  /// libjpeg scales while it decodes (by 1/8 to 8/8), so a 12-megapixel photo costs little more than
  /// reading it. Photos smaller than the minimum come in their own size.
  /// - Throws: ``CupolaError`` as for ``metadata(of:)``, and when the picture data are damaged or end
  ///   early, unless `lenient`.
  public func image(
    from bytes: [UInt8], minimumWidth: Int = .max, minimumHeight: Int = .max
  ) throws(CupolaError) -> RGBImage {
    let frame = try frame(of: bytes)
    let orientation = frame.metadata.orientation
    let (neededWidth, neededHeight) =
      orientation.swapsSides ? (minimumHeight, minimumWidth) : (minimumWidth, minimumHeight)
    let scale = scale(of: frame, width: neededWidth, height: neededHeight)
    let stored = try JPEGCodec.decode(bytes, scale: scale, lenient: lenient)
    return stored.upright(from: orientation)
  }

  /// The fewest eighths at which the stored picture still has so many columns and rows.
  private func scale(of frame: PhotoFrame, width: Int, height: Int) -> Int {
    let fitting = (1...8).first { eighths in
      let scaledWidth = (frame.width * eighths + 7) / 8
      let scaledHeight = (frame.height * eighths + 7) / 8
      return scaledWidth >= width && scaledHeight >= height
    }
    return fitting ?? 8
  }

  private func header(of bytes: [UInt8]) throws(CupolaError) -> JPEGHeader {
    guard bytes.count <= limits.bytes else {
      throw CupolaError.file(.tooLarge(bytes: bytes.count, limit: limits.bytes))
    }
    let format = PhotoFormat(of: bytes)
    guard format == .jpeg else { throw CupolaError.notJPEG(format) }
    let header = try JPEGHeader(of: bytes)
    guard header.width > 0, header.height > 0 else {
      throw CupolaError.damagedJPEG("a frame of \(header.width)x\(header.height)")
    }
    guard header.width * header.height <= limits.pixels else {
      throw CupolaError.pictureTooLarge(
        width: header.width, height: header.height, limit: limits.pixels)
    }
    return header
  }
}
