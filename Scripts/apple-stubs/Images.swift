// The parts of the image frameworks that Cupola uses. Each part is a separate module, compiled with -D MODULE.

#if CoreGraphics
  @_exported import CoreFoundation

  public typealias CGFloat = Double

  public struct CGRect: Sendable {
    public static var zero: CGRect { fatalError() }
    public init(x: Int, y: Int, width: Int, height: Int) {}
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {}
  }

  public struct CGPoint: Sendable {
    public var x: CGFloat
    public var y: CGFloat
    public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
  }

  public struct CGSize: Sendable {
    public var width: CGFloat
    public var height: CGFloat
  }

  public final class CGColorSpace: Sendable {
    public init?(name: CFString) { return nil }
    public static var sRGB: CFString { fatalError() }
  }

  public enum CGImageAlphaInfo: UInt32, Sendable {
    case none, noneSkipLast = 5
  }

  public struct CGBitmapInfo: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  public enum CGColorRenderingIntent: Int32, Sendable {
    case defaultIntent
  }

  public final class CGDataProvider {
    public init?(data: CFData) { return nil }
  }

  public final class CGImage {
    public init?(
      width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int,
      space: CGColorSpace, bitmapInfo: CGBitmapInfo, provider: CGDataProvider,
      decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
    ) { return nil }
    public var width: Int { fatalError() }
    public var height: Int { fatalError() }
  }

  public final class CGContext {
    public init?(
      data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
      bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
    ) { return nil }
    public func draw(_ image: CGImage, in rect: CGRect) {}
  }
#endif

#if ImageIO
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
  public var kCGImagePropertyExifDateTimeDigitized: CFString { fatalError() }
  public var kCGImagePropertyExifFocalLenIn35mmFilm: CFString { fatalError() }
  public var kCGImagePropertyExifOffsetTime: CFString { fatalError() }
  public var kCGImagePropertyExifOffsetTimeDigitized: CFString { fatalError() }
  public var kCGImagePropertyExifOffsetTimeOriginal: CFString { fatalError() }
  public var kCGImagePropertyGPSDateStamp: CFString { fatalError() }
  public var kCGImagePropertyGPSDictionary: CFString { fatalError() }
  public var kCGImagePropertyGPSLatitude: CFString { fatalError() }
  public var kCGImagePropertyGPSLatitudeRef: CFString { fatalError() }
  public var kCGImagePropertyGPSLongitude: CFString { fatalError() }
  public var kCGImagePropertyGPSLongitudeRef: CFString { fatalError() }
  public var kCGImagePropertyGPSHPositioningError: CFString { fatalError() }
  public var kCGImagePropertyGPSImgDirection: CFString { fatalError() }
  public var kCGImagePropertyGPSImgDirectionRef: CFString { fatalError() }
  public var kCGImagePropertyGPSTimeStamp: CFString { fatalError() }
  public var kCGImagePropertyTIFFDateTime: CFString { fatalError() }
  public var kCGImagePropertyTIFFDictionary: CFString { fatalError() }

  public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?)
    -> CGImageSource?
  {
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
#endif

#if UniformTypeIdentifiers
  @available(macOS 11, iOS 14, *)
  public struct UTType: Sendable {
    public static var jpeg: UTType { fatalError() }
    public var identifier: String { fatalError() }
  }
#endif

#if CoreVideo
  public import CoreFoundation

  public final class CVBuffer {}
  public typealias CVPixelBuffer = CVBuffer
  public typealias CVReturn = Int32
  public typealias OSType = UInt32

  public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static var readOnly: CVPixelBufferLockFlags { .init(rawValue: 1) }
  }

  public var kCVReturnSuccess: CVReturn { 0 }
  public var kCVPixelFormatType_32BGRA: OSType { 0x4247_5241 }
  public var kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType { 0x3432_3076 }
  public var kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType { 0x3432_3066 }

  public var kCVImageBufferYCbCrMatrixKey: CFString { fatalError() }
  public var kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString { fatalError() }

  @available(macOS 12, iOS 15, *)
  public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<UInt32>?
  ) -> Any? { fatalError() }
  public func CVPixelBufferGetWidth(_ buffer: CVPixelBuffer) -> Int { fatalError() }
  public func CVPixelBufferGetHeight(_ buffer: CVPixelBuffer) -> Int { fatalError() }
  public func CVPixelBufferGetPixelFormatType(_ buffer: CVPixelBuffer) -> OSType { fatalError() }
  public func CVPixelBufferGetBytesPerRow(_ buffer: CVPixelBuffer) -> Int { fatalError() }
  public func CVPixelBufferGetBytesPerRowOfPlane(_ buffer: CVPixelBuffer, _ plane: Int) -> Int {
    fatalError()
  }
  public func CVPixelBufferGetHeightOfPlane(_ buffer: CVPixelBuffer, _ plane: Int) -> Int {
    fatalError()
  }
  public func CVPixelBufferGetBaseAddress(_ buffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    fatalError()
  }
  public func CVPixelBufferGetBaseAddressOfPlane(
    _ buffer: CVPixelBuffer, _ plane: Int
  ) -> UnsafeMutableRawPointer? { fatalError() }
  public func CVPixelBufferLockBaseAddress(
    _ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags
  ) -> CVReturn { fatalError() }
  @discardableResult
  public func CVPixelBufferUnlockBaseAddress(
    _ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags
  ) -> CVReturn { fatalError() }
#endif

#if VideoToolbox
  public import CoreFoundation
  public import CoreGraphics
  public import CoreVideo

  @available(macOS 10.11, iOS 9, *)
  public func VTCreateCGImageFromCVPixelBuffer(
    _ pixelBuffer: CVPixelBuffer, options: CFDictionary?, imageOut: UnsafeMutablePointer<CGImage?>
  ) -> OSStatus { fatalError() }
#endif
