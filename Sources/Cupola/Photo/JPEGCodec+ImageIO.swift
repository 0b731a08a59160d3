#if canImport(ImageIO)

  import CoreGraphics
  import Foundation
  import ImageIO
  import UniformTypeIdentifiers

  /// Apple's decoder behind the same name as on Linux; it also reads HEIC.
  enum JPEGCodec {
    static func decode(_ data: [UInt8], scale: Int, lenient: Bool) throws(CupolaError) -> RGBImage {
      guard let source = CGImageSourceCreateWithData(Data(data) as CFData, nil) else {
        throw CupolaError.damagedJPEG("ImageIO cannot open it")
      }
      let complete = CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete
      guard complete || lenient else { throw CupolaError.truncatedJPEG("picture data end early") }
      let options = [kCGImageSourceSubsampleFactor: max(1, 8 / scale)] as CFDictionary
      guard let image = CGImageSourceCreateImageAtIndex(source, 0, options) else {
        throw CupolaError.damagedJPEG("ImageIO cannot decode it")
      }
      return try rgb(of: image)
    }

    static func encode(
      _ image: RGBImage, quality: Int, exif: [UInt8]
    ) throws(CupolaError) -> [UInt8] {
      let space = CGColorSpaceCreateDeviceRGB()
      let output = NSMutableData()
      guard
        let provider = CGDataProvider(data: Data(image.pixels) as CFData),
        let picture = CGImage(
          width: image.width, height: image.height, bitsPerComponent: 8, bitsPerPixel: 24,
          bytesPerRow: image.width * 3, space: space, bitmapInfo: CGBitmapInfo(rawValue: 0),
          provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent),
        let target = CGImageDestinationCreateWithData(
          output, UTType.jpeg.identifier as CFString, 1, nil)
      else { throw CupolaError.damagedJPEG("ImageIO cannot encode") }
      let options = [kCGImageDestinationLossyCompressionQuality: Double(quality) / 100]
      CGImageDestinationAddImage(target, picture, options as CFDictionary)
      guard CGImageDestinationFinalize(target) else {
        throw CupolaError.damagedJPEG("ImageIO cannot encode")
      }
      return [UInt8](output as Data)
    }

    private static func rgb(of image: CGImage) throws(CupolaError) -> RGBImage {
      let (width, height) = (image.width, image.height)
      var samples = [UInt8](repeating: 0, count: width * height * 4)
      let drawn = unsafe samples.withUnsafeMutableBytes { buffer -> Bool in
        let context = unsafe CGContext(
          data: buffer.baseAddress, width: width, height: height, bitsPerComponent: 8,
          bytesPerRow: width * 4, space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
        context?.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
        return context != nil
      }
      guard drawn else { throw CupolaError.damagedJPEG("ImageIO cannot draw it") }
      var pixels: [UInt8] = []
      pixels.reserveCapacity(width * height * 3)
      for at in stride(from: 0, to: samples.count, by: 4) { pixels += samples[at..<at + 3] }
      return RGBImage(width: width, height: height, pixels: pixels)
    }
  }

#endif
