#if canImport(VideoToolbox)

  internal import CoreGraphics
  public import CoreVideo
  internal import VideoToolbox

  extension RGBImage {
    /// The upright picture of a camera frame of any pixel format that VideoToolbox knows, in sRGB.
    ///
    /// Fails when that cannot convert it.
    /// - Parameter orientation: how the frame must be turned: a phone held upright gives frames to be
    ///   turned `.right`.
    public init?(_ frame: CVPixelBuffer, orientation: Orientation) {
      var image: CGImage?
      guard unsafe VTCreateCGImageFromCVPixelBuffer(frame, options: nil, imageOut: &image) == 0,
        let image
      else { return nil }
      self.init(image, orientation: orientation)
    }
  }

#endif
