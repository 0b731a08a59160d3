/// How a stored picture must be turned to stand upright: the EXIF `Orientation` tag (TIFF 6.0, 274).
public enum Orientation: Int, Codable, CaseIterable, Sendable {
  /// Stored upright.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Upside down.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored along the main diagonal (transposed).
  case leftMirrored = 5
  /// To be turned 90 degrees clockwise.
  case right = 6
  /// Mirrored along the other diagonal (transversed).
  case rightMirrored = 7
  /// To be turned 90 degrees counter-clockwise.
  case left = 8

  /// Whether upright width is stored height.
  public var swapsSides: Bool { rawValue >= 5 }
}

extension RGBImage {
  /// The picture turned upright.
  public func upright(from orientation: Orientation) -> RGBImage {
    if orientation == .up { return self }
    let (width, height) = orientation.swapsSides ? (height, width) : (width, height)
    var turned = RGBImage(width: width, height: height)
    turned.read(self, turnedUprightFrom: orientation)
    return turned
  }

  /// Becomes another picture turned upright.
  mutating func read(_ stored: RGBImage, turnedUprightFrom orientation: Orientation) {
    precondition(
      (width, height)
        == (orientation.swapsSides ? (stored.height, stored.width) : (stored.width, stored.height)))
    let (width, height) = (width, height)
    // The stored sample of upright (x, y) is at origin + x * right + y * below.
    let (origin, right, below) = stored.steps(of: orientation)
    let source = stored.pixels.span
    var target = pixels.mutableSpan
    var place = 0
    for y in 0..<height {
      var at = 3 * (origin + y * below)
      for _ in 0..<width {
        target[place] = source[at]
        target[place + 1] = source[at + 1]
        target[place + 2] = source[at + 2]
        place += 3
        at += 3 * right
      }
    }
  }

  /// Pixel offsets in storage: of the upright top left corner, of one step right, of one step down.
  private func steps(of orientation: Orientation) -> (origin: Int, right: Int, below: Int) {
    let lastColumn = width - 1
    let lastRow = (height - 1) * width
    return switch orientation {
    case .up: (0, 1, width)
    case .upMirrored: (lastColumn, -1, width)
    case .down: (lastRow + lastColumn, -1, -width)
    case .downMirrored: (lastRow, 1, -width)
    case .leftMirrored: (0, width, 1)
    case .right: (lastRow, -width, 1)
    case .rightMirrored: (lastRow + lastColumn, -width, -1)
    case .left: (lastColumn, width, -1)
    }
  }
}
