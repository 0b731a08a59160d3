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
    let size = orientation.swapsSides ? (height, width) : (width, height)
    // The stored sample of upright (x, y) is at origin + x * right + y * below.
    let (origin, right, below) = steps(of: orientation)
    let turned = [UInt8](capacity: pixels.count) { output in
      let source = pixels.span
      for y in 0..<size.1 {
        var at = 3 * (origin + y * below)
        for _ in 0..<size.0 {
          output.append(source[at])
          output.append(source[at + 1])
          output.append(source[at + 2])
          at += 3 * right
        }
      }
    }
    return RGBImage(width: size.0, height: size.1, pixels: turned)
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
