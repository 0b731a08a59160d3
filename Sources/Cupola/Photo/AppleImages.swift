#if canImport(ImageIO)

  internal import CoreFoundation
  public import CoreGraphics
  public import CoreVideo
  internal import Foundation
  public import ImageIO
  internal import UniformTypeIdentifiers
  internal import VideoToolbox

  // Photos and camera frames on Apple platforms.
  //
  // 1. `ImageIOContainer` opens all formats but JPEG; `JPEGCodec` decodes and encodes that.
  // 2. `ImageSource` is the picture of a file as ImageIO decodes it.
  // 3. `RGBImage` is made of a `CGImage` or a `CVPixelBuffer`.

  /// What ImageIO reads beside JPEG.
  struct ImageIOContainer: PhotoContainer {
    static let formats: Set<PhotoFormat> = [.heic, .avif, .png, .webp, .tiff, .bmp, .gif]

    let width: Int
    let height: Int
    let components: Int
    let metadata: PhotoMetadata
    private let bytes: [UInt8]
    private let format: PhotoFormat

    init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError) {
      let properties = try ImageSource(bytes, format).properties
      guard let width = properties[kCGImagePropertyPixelWidth] as? Int,
        let height = properties[kCGImagePropertyPixelHeight] as? Int
      else { throw CupolaError.damagedPhoto(format, "ImageIO finds no picture in it") }
      (self.width, self.height, self.bytes, self.format) = (width, height, bytes, format)
      let model = properties[kCGImagePropertyColorModel] as? String
      components =
        model == kCGImagePropertyColorModelGray as String
        ? 1 : model == kCGImagePropertyColorModelCMYK as String ? 4 : 3
      metadata = PhotoMetadata(properties)
    }

    func pixels(
      minimumWidth: Int, minimumHeight: Int, lenient: Bool
    ) throws(CupolaError) -> RGBImage {
      let factor = [8, 4, 2].first { width / $0 >= minimumWidth && height / $0 >= minimumHeight }
      return try ImageSource(bytes, format).picture(subsampling: factor ?? 1, lenient: lenient)
    }
  }

  extension PhotoMetadata {
    /// What ImageIO says of a picture: EXIF, and for HEIC the file's own rotation.
    fileprivate init(_ properties: [CFString: Any]) {
      self.init()
      let turn = properties[kCGImagePropertyOrientation] as? Int
      orientation = turn.flatMap(Orientation.init(rawValue:)) ?? .up
      if let exif = properties[kCGImagePropertyExifDictionary] as? [CFString: Any] {
        captureTime = exif[kCGImagePropertyExifDateTimeOriginal] as? String
        captureTimeOffset = exif[kCGImagePropertyExifOffsetTimeOriginal] as? String
        let length = exif[kCGImagePropertyExifFocalLenIn35mmFilm] as? Double
        focalLength = length.flatMap { $0 > 0 ? $0 : nil }
      }
      guard let gps = properties[kCGImagePropertyGPSDictionary] as? [CFString: Any] else { return }
      if let latitude = gps[kCGImagePropertyGPSLatitude] as? Double,
        let longitude = gps[kCGImagePropertyGPSLongitude] as? Double,
        latitude != 0 || longitude != 0
      {
        let isSouth = gps[kCGImagePropertyGPSLatitudeRef] as? String == "S"
        let isWest = gps[kCGImagePropertyGPSLongitudeRef] as? String == "W"
        position = Position(
          latitude: isSouth ? -latitude : latitude, longitude: isWest ? -longitude : longitude,
          horizontalError: gps[kCGImagePropertyGPSHPositioningError] as? Double)
      }
      if let degrees = gps[kCGImagePropertyGPSImgDirection] as? Double,
        (0...360).contains(degrees)
      {
        let isMagnetic = gps[kCGImagePropertyGPSImgDirectionRef] as? String == "M"
        heading = Heading(
          degrees: degrees, reference: isMagnetic ? .magneticNorth : .trueNorth)
      }
    }
  }

  /// The main picture of a file that ImageIO reads.
  struct ImageSource {
    private let source: CGImageSource
    private let index: Int
    private let format: PhotoFormat

    init(_ bytes: [UInt8], _ format: PhotoFormat) throws(CupolaError) {
      guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else {
        throw CupolaError.damagedPhoto(format, "ImageIO cannot open it")
      }
      (self.source, self.format) = (source, format)
      index = CGImageSourceGetPrimaryImageIndex(source)
    }

    /// What the file says of the picture, by ImageIO's names; empty where it says nothing.
    var properties: [CFString: Any] {
      CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any] ?? [:]
    }

    /// The picture as stored.
    ///
    /// - Parameter subsampling: by how much both sides may be made smaller while decoding, where the format
    ///   allows it: 1, 2, 4 or 8; another number counts as the next smaller of these.
    func picture(subsampling: Int, lenient: Bool) throws(CupolaError) -> RGBImage {
      let complete = CGImageSourceGetStatusAtIndex(source, index) == .statusComplete
      guard complete || lenient else {
        throw CupolaError.truncatedPhoto(format, "picture data end early")
      }
      let factor = [8, 4, 2].first { $0 <= subsampling } ?? 1
      let options = [kCGImageSourceSubsampleFactor: factor] as CFDictionary
      guard let image = CGImageSourceCreateImageAtIndex(source, index, options),
        let picture = RGBImage(image)
      else { throw CupolaError.damagedPhoto(format, "ImageIO cannot decode it") }
      return picture
    }
  }

  /// Apple's encoder and decoder behind the same name as libjpeg on Linux.
  enum JPEGCodec {
    static let appliesProfiles = true

    static func decode(
      _ data: [UInt8], _ header: JPEGHeader, scale: Int, lenient: Bool
    ) throws(CupolaError) -> RGBImage {
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
