#if canImport(ImageIO)

  internal import CoreGraphics
  internal import Foundation
  internal import ImageIO
  internal import UniformTypeIdentifiers

  /// Apple's encoder and decoder behind the same name as libjpeg on Linux.
  enum JPEGCodec {
    static let appliesProfiles = true

    /// Whether a picture may come from another decoder: ImageIO has samples of its own.
    static func isSound(headerOf data: [UInt8]) -> Bool { false }

    static func decode(_ data: [UInt8], scale: Int, lenient: Bool) throws(CupolaError) -> RGBImage {
      try ImageSource(data, .jpeg).picture(subsampling: 8 / scale, lenient: lenient)
    }

    static func encode(
      _ image: RGBImage, quality: Int, exif: [UInt8]
    ) throws(CupolaError) -> [UInt8] {
      let failure = CupolaError.damagedPhoto(.jpeg, "ImageIO cannot encode it")
      let output = NSMutableData()
      guard
        let provider = CGDataProvider(data: Data(image.pixels) as CFData),
        let space = CGColorSpace(name: CGColorSpace.sRGB),
        let picture = unsafe CGImage(
          width: image.width, height: image.height, bitsPerComponent: 8, bitsPerPixel: 24,
          bytesPerRow: image.width * 3, space: space,
          bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), provider: provider,
          decode: nil, shouldInterpolate: false, intent: .defaultIntent),
        let target = CGImageDestinationCreateWithData(
          output as CFMutableData, UTType.jpeg.identifier as CFString, 1, nil)
      else { throw failure }
      let options = [kCGImageDestinationLossyCompressionQuality: Double(quality) / 100]
      CGImageDestinationAddImage(target, picture, options as CFDictionary)
      guard CGImageDestinationFinalize(target) else { throw failure }
      let file = [UInt8](Data(referencing: output))
      guard !exif.isEmpty else { return file }
      // A segment goes behind the marker that begins the file; its length counts itself.
      let length = exif.count + 2
      return file.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
        + file.dropFirst(2)
    }
  }

#endif
