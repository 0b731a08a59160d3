/// Crops, resizes and turns camera frames to the square that the features see: the same square as that of the
/// upright picture, to the last bit.
struct FrameSampler: Sendable {
  private let side: Int
  private var resampler: AreaResampler?
  /// A row of a frame as red, green and blue.
  private var row: [UInt8] = []
  /// The square before it is turned.
  private var stored: RGBImage

  init(side: Int) {
    self.side = side
    stored = RGBImage(width: side, height: side)
  }

  /// Writes the square of a frame over another.
  mutating func read(
    _ frame: borrowing CameraFrame, geometry: Geometry, into square: inout RGBImage
  ) {
    let upright = geometry.region(width: frame.uprightWidth, height: frame.uprightHeight)
    let region = upright.stored(
      frame.orientation, width: frame.uprightWidth, height: frame.uprightHeight)
    if !(resampler?.takes(region) ?? false) {
      resampler = AreaResampler(
        width: region.width, height: region.height, toWidth: side, height: side)
      row = [UInt8](repeating: 0, count: 3 * region.width)
    }
    if frame.orientation == .up {
      resampler?.resample(frame, region: region, row: &row, into: &square)
    } else {
      resampler?.resample(frame, region: region, row: &row, into: &stored)
      square.read(stored, turnedUprightFrom: frame.orientation)
    }
  }
}

extension Region {
  /// The same part of a picture as it is stored.
  ///
  /// - Parameters:
  ///   - pictureWidth: of the upright picture, pixels.
  ///   - pictureHeight: likewise.
  func stored(_ orientation: Orientation, width pictureWidth: Int, height pictureHeight: Int)
    -> Region
  {
    let (fromRight, fromBelow) = (pictureWidth - x - width, pictureHeight - y - height)
    let (left, top) =
      switch orientation {
      case .up: (x, y)
      case .upMirrored: (fromRight, y)
      case .down: (fromRight, fromBelow)
      case .downMirrored: (x, fromBelow)
      case .leftMirrored: (y, x)
      case .right: (y, fromRight)
      case .rightMirrored: (fromBelow, fromRight)
      case .left: (fromBelow, x)
      }
    return orientation.swapsSides
      ? Region(x: left, y: top, width: height, height: width)
      : Region(x: left, y: top, width: width, height: height)
  }
}
