// Define the upright 8-bit sRGB image that all decoders produce:
// 1. `SampleConversion` converts CMYK samples and samples with alpha to RGB.
// 2. `Orientation` is the EXIF orientation; `upright(from:)` rotates an image accordingly.

/// An image with 8-bit sRGB samples. Rows run from top to bottom.
///
/// `pixels` is row-major and interleaved: the red, green, and blue samples for column `x` in row `y` start at index `3
/// * (y * width + x)`.
public struct RGBImage: Equatable, Sendable {
  /// Width in pixels, at least 1.
  public let width: Int
  /// Height in pixels, at least 1.
  public let height: Int
  /// `width * height * 3` samples.
  public package(set) var pixels: [UInt8]

  /// Creates an image from samples.
  ///
  /// - Parameters:
  ///   - width: Width in pixels, at least 1.
  ///   - height: Height in pixels, at least 1.
  ///   - pixels: `width * height * 3` samples; any other count is a programmer error and traps.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0, "invalid image size \(width)x\(height)")
    precondition(
      pixels.count == width * height * 3,
      "\(pixels.count) samples, expected \(width)x\(height)x3")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  init(width: Int, height: Int) {
    self.init(
      width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height * 3))
  }
}

extension RGBImage {
  /// Creates an image from decoded samples, composited over white and converted to sRGB.
  /// - Parameter channels: Samples per pixel: 3 for RGB, 4 for RGB with alpha.
  init(width: Int, height: Int, samples: [UInt8], channels: Int, profile: ColorProfile?) {
    let pixels = channels == 4 ? SampleConversion.rgb(rgba: samples) : samples
    let image = RGBImage(width: width, height: height, pixels: pixels)
    self = profile?.toSRGB(image) ?? image
  }
}

enum SampleConversion {
  /// Removes the fourth sample of each pixel.
  static func rgb(paddedRGB samples: [UInt8]) -> [UInt8] {
    [UInt8](capacity: samples.count / 4 * 3) { output in
      for at in stride(from: 0, to: samples.count / 4 * 4, by: 4) {
        output.append(samples[at])
        output.append(samples[at + 1])
        output.append(samples[at + 2])
      }
    }
  }

  /// Composites pixels with alpha over white.
  static func rgb(rgba samples: [UInt8]) -> [UInt8] {
    [UInt8](capacity: samples.count / 4 * 3) { output in
      let source = samples.span
      for at in stride(from: 0, to: samples.count / 4 * 4, by: 4) {
        let alpha = Int(source[at + 3])
        for channel in 0..<3 {
          let sum = Int(source[at + channel]) * alpha + 255 * (255 - alpha)
          output.append(UInt8((sum + 127) / 255))
        }
      }
    }
  }

  /// Multiplies the light that each ink reflects by the light that black reflects: `R = C * K / 255` for inverted
  /// samples.
  /// Adobe programs store 255 for "no ink" (inverted); others store 0. ICC profiles are ignored.
  static func rgb(cmyk samples: [UInt8], inverted: Bool) -> [UInt8] {
    [UInt8](capacity: samples.count / 4 * 3) { output in
      let flip: UInt8 = inverted ? 0 : 255
      for pixel in 0..<samples.count / 4 {
        let black = Int(samples[4 * pixel + 3] ^ flip)
        for ink in 0..<3 {
          output.append(UInt8((Int(samples[4 * pixel + ink] ^ flip) * black + 127) / 255))
        }
      }
    }
  }
}

/// The transformation that makes a stored image upright: the EXIF `Orientation` tag (TIFF 6.0, 274).
public enum Orientation: Int, Codable, CaseIterable, Sendable {
  /// Stored upright.
  case up = 1
  /// Mirrored horizontally.
  case upMirrored = 2
  /// Rotated by 180 degrees.
  case down = 3
  /// Mirrored vertically.
  case downMirrored = 4
  /// Mirrored along the main diagonal (transposed).
  case leftMirrored = 5
  /// Must be rotated 90 degrees clockwise.
  case right = 6
  /// Mirrored along the other diagonal (transversed).
  case rightMirrored = 7
  /// Must be rotated 90 degrees counterclockwise.
  case left = 8

  package var swapsSides: Bool { rawValue >= 5 }
}

extension RGBImage {
  package func upright(from orientation: Orientation) -> RGBImage {
    if orientation == .up { return self }
    let (width, height) = orientation.swapsSides ? (height, width) : (width, height)
    var turned = RGBImage(width: width, height: height)
    turned.read(self, turnedUprightFrom: orientation)
    return turned
  }

  mutating func read(_ stored: RGBImage, turnedUprightFrom orientation: Orientation) {
    precondition(
      (width, height)
        == (orientation.swapsSides ? (stored.height, stored.width) : (stored.width, stored.height)))
    let (width, height) = (width, height)
    // The pixel for upright (x, y) is stored at origin + x * right + y * below.
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

  /// Pixel offsets in the stored image: the upright image's top left corner, one step right, and one step down.
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
