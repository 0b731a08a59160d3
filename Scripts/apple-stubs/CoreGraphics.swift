// What Cupola uses of CoreGraphics.

@_exported import CoreFoundation

public typealias CGFloat = Double

public struct CGRect: Sendable {
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
