#if canImport(CoreGraphics)

  public import CoreGraphics
  public import ImageIO

  extension RGBImage {
    /// The upright picture of a `CGImage`, in sRGB, over white where it is transparent.
    ///
    /// Fails when there is no memory for it.
    public init?(_ image: CGImage, orientation: Orientation = .up) {
      let (width, height) = (image.width, image.height)
      guard width > 0, height > 0, let space = CGColorSpace(name: CGColorSpace.sRGB) else {
        return nil
      }
      var samples = [UInt8](repeating: 255, count: width * height * 4)
      let isDrawn = unsafe samples.withUnsafeMutableBytes { buffer -> Bool in
        let context = unsafe CGContext(
          data: buffer.baseAddress, width: width, height: height, bitsPerComponent: 8,
          bytesPerRow: width * 4, space: space,
          bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
        // Over the white samples that are there.
        context?.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
        return context != nil
      }
      guard isDrawn else { return nil }
      let pixels = SampleConversion.rgb(paddedRGB: samples)
      self = RGBImage(width: width, height: height, pixels: pixels).upright(from: orientation)
    }
  }

  extension Orientation {
    /// The same orientation by ImageIO's name.
    public init(_ orientation: CGImagePropertyOrientation) {
      self = Orientation(rawValue: Int(orientation.rawValue)) ?? .up
    }
  }

#endif
