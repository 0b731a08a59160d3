// swift-format-ignore-file
// Stubs of the ImageIO and CoreGraphics API that the guide uses. There is one photo; its pixels are
// rotated, and it is 400 x 300 upright.
public import Foundation

public typealias CFString = String
public typealias CFURL = URL

public final class CGImage {
  public let width, height: Int
  /// Not part of Apple's API: four bytes for each pixel.
  public let bytes: [UInt8]

  /// Not part of Apple's API: the photo. Red and green are the upright position, and blue is 10.
  public init() {
    (width, height) = (300, 400)
    var bytes: [UInt8] = []
    for row in 0..<400 {
      for column in 0..<300 {
        bytes += [UInt8((399 - row) / 2), UInt8(column / 2), 10, 255] as [UInt8]
      }
    }
    self.bytes = bytes
  }

  init(_ bytes: [UInt8], width: Int, height: Int) {
    (self.bytes, self.width, self.height) = (bytes, width, height)
  }
}

public struct CGColorSpace {
  public static let sRGB: CFString = "sRGB"
  public init?(name: CFString) {}
}

public enum CGImageAlphaInfo: UInt32 { case noneSkipLast = 5 }

public final class CGContext {
  private let data: UnsafeMutableRawPointer
  private let width, height: Int

  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    guard let data, bitsPerComponent == 8, bytesPerRow == 4 * width, bitmapInfo == 5 else {
      return nil
    }
    (self.data, self.width, self.height) = (data, width, height)
  }

  public func draw(_ image: CGImage, in area: CGRect) {
    precondition(area == CGRect(x: 0, y: 0, width: image.width, height: image.height))
    data.copyMemory(from: image.bytes, byteCount: image.bytes.count)
  }

  public func makeImage() -> CGImage? {
    let bytes = UnsafeRawBufferPointer(start: data, count: 4 * width * height)
    return CGImage(Array(bytes), width: width, height: height)
  }
}

public final class CGImageSource {}

public enum CGImagePropertyOrientation: UInt32 {
  case up = 1
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}

public let kCGImagePropertyOrientation: CFString = "Orientation"

public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: [CFString: Any]?) -> CGImageSource?
{
  url.lastPathComponent == "photo.jpg" ? CGImageSource() : nil
}

public func CGImageSourceCreateImageAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: [CFString: Any]?
) -> CGImage? { CGImage() }

public func CGImageSourceCopyPropertiesAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: [CFString: Any]?
) -> Any? { [kCGImagePropertyOrientation: UInt32(6)] }
