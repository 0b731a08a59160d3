/// An image file that was opened: its header and metadata have been read, once, its pixels not yet.
///
/// ``PhotoDecoder/open(_:)`` makes one.
public struct Photo: Sendable {
  /// What kind of file it is.
  public let format: PhotoFormat
  /// The file.
  package let bytes: [UInt8]
  /// What reads it.
  package let container: any PhotoContainer
  /// How long opening took, and decoding where that was done ahead.
  private(set) var timing: StageTiming
  private let lenient: Bool
  /// The picture that was decoded before it was asked for.
  private var ahead: Ahead?

  private struct Ahead: Sendable {
    let side: Int
    let image: RGBImage
  }

  init(
    _ bytes: [UInt8], _ format: PhotoFormat, as kind: any PhotoContainer.Type, lenient: Bool
  ) throws(CupolaError) {
    var timing = StageTiming()
    container = try timing.measure(.metadata) { () throws(CupolaError) in
      try kind.init(bytes, format: format)
    }
    (self.bytes, self.format, self.lenient, self.timing) = (bytes, format, lenient, timing)
  }

  /// How, where and when it was taken.
  public var metadata: PhotoMetadata { container.metadata }

  /// Columns of the upright picture.
  public var width: Int { isTurned ? container.height : container.width }

  /// Rows of the upright picture.
  public var height: Int { isTurned ? container.width : container.height }

  private var isTurned: Bool { container.metadata.orientation.swapsSides }

  /// Decodes to an upright picture of at least `minimumWidth` x `minimumHeight` where the photo has it.
  ///
  /// JPEG is scaled while it is decoded (by 1/8 to 8/8), so that a 12-megapixel photo costs little more
  /// than reading it. Photos smaller than the minimum come in their own size.
  /// - Throws: ``CupolaError`` when the picture data are damaged, or end early unless the decoder is lenient.
  public func image(
    minimumWidth: Int = .max, minimumHeight: Int = .max
  ) throws(CupolaError) -> RGBImage {
    if let ahead, minimumWidth == ahead.side, minimumHeight == ahead.side { return ahead.image }
    let stored = try container.pixels(
      minimumWidth: isTurned ? minimumHeight : minimumWidth,
      minimumHeight: isTurned ? minimumWidth : minimumHeight, lenient: lenient)
    return stored.upright(from: container.metadata.orientation)
  }

  /// The same photo with its picture decoded, so that recipes whose square has this side have it at once.
  ///
  /// - Throws: as ``image(minimumWidth:minimumHeight:)`` does.
  package func decoded(forSide side: Int) throws(CupolaError) -> Photo {
    var photo = self
    let image = try photo.timing.measure(.decode) { () throws(CupolaError) -> RGBImage in
      try self.image(minimumWidth: side, minimumHeight: side)
    }
    photo.ahead = Ahead(side: side, image: image)
    return photo
  }
}
