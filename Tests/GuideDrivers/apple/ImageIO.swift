// swift-format-ignore-file
// Stubs of the ImageIO and CoreGraphics API that the guide uses. There is one photo; its pixels are
// rotated, and it is 400 x 300 upright.
public import Foundation

public typealias CFString = String
public typealias CFURL = URL

public final class CGImage {
  public let width = 300, height = 400

  /// Not part of Apple's API.
  public init() {}
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
