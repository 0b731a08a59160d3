// What Cupola uses of ImageIO.

@_exported import CoreGraphics

public final class CGImageSource {}
public final class CGImageDestination {}

public enum CGImageSourceStatus: Int32, Sendable {
  case statusComplete = 0
}

@available(macOS 10.10, iOS 8, *)
public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1, upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}

@available(macOS 10.11, iOS 9, *)
public var kCGImageSourceSubsampleFactor: CFString { fatalError() }
public var kCGImageDestinationLossyCompressionQuality: CFString { fatalError() }
public var kCGImagePropertyPixelWidth: CFString { fatalError() }
public var kCGImagePropertyPixelHeight: CFString { fatalError() }
public var kCGImagePropertyColorModel: CFString { fatalError() }
public var kCGImagePropertyColorModelGray: CFString { fatalError() }
public var kCGImagePropertyColorModelCMYK: CFString { fatalError() }
public var kCGImagePropertyOrientation: CFString { fatalError() }
public var kCGImagePropertyExifDictionary: CFString { fatalError() }
public var kCGImagePropertyExifDateTimeOriginal: CFString { fatalError() }
public var kCGImagePropertyExifFocalLenIn35mmFilm: CFString { fatalError() }
public var kCGImagePropertyExifOffsetTimeOriginal: CFString { fatalError() }
public var kCGImagePropertyGPSDictionary: CFString { fatalError() }
public var kCGImagePropertyGPSLatitude: CFString { fatalError() }
public var kCGImagePropertyGPSLatitudeRef: CFString { fatalError() }
public var kCGImagePropertyGPSLongitude: CFString { fatalError() }
public var kCGImagePropertyGPSLongitudeRef: CFString { fatalError() }
public var kCGImagePropertyGPSHPositioningError: CFString { fatalError() }
public var kCGImagePropertyGPSImgDirection: CFString { fatalError() }
public var kCGImagePropertyGPSImgDirectionRef: CFString { fatalError() }

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
  fatalError()
}
public func CGImageSourceGetStatusAtIndex(_ source: CGImageSource, _ index: Int)
  -> CGImageSourceStatus
{ fatalError() }
public func CGImageSourceGetPrimaryImageIndex(_ source: CGImageSource) -> Int { fatalError() }
public func CGImageSourceCopyPropertiesAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? { fatalError() }
public func CGImageSourceCreateImageAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { fatalError() }
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { fatalError() }
public func CGImageDestinationAddImage(
  _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {}
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool { fatalError() }
