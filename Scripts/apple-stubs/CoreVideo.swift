// What Cupola uses of CoreVideo.

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
