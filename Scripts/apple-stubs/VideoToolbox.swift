// What Cupola uses of VideoToolbox.

public import CoreFoundation
public import CoreGraphics
public import CoreVideo

@available(macOS 10.11, iOS 9, *)
public func VTCreateCGImageFromCVPixelBuffer(
  _ pixelBuffer: CVPixelBuffer, options: CFDictionary?, imageOut: UnsafeMutablePointer<CGImage?>
) -> OSStatus { fatalError() }
