#if canImport(ImageIO)

  internal import CoreFoundation
  public import CoreGraphics
  public import CoreVideo
  internal import Foundation
  internal import ImageIO
  internal import UniformTypeIdentifiers
  internal import VideoToolbox

  // Read photos and camera frames on Apple platforms:
  // 1. `ImageIOContainer` opens all formats except JPEG. `JPEGCodec` decodes and encodes JPEG.
  // 2. `ImageSource` decodes an image file with ImageIO.
  // 3. `RGBImage` is created from a `CGImage` or `CVPixelBuffer`.

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
      else { throw CupolaError.damagedPhoto(format, "ImageIO found no image") }
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
    /// Reads EXIF properties from ImageIO, and the rotation of HEIC files.
    fileprivate init(_ properties: [CFString: Any]) {
      self.init()
      let turn = properties[kCGImagePropertyOrientation] as? Int
      orientation = turn.flatMap(Orientation.init(rawValue:)) ?? .up
      let exif = properties[kCGImagePropertyExifDictionary] as? [CFString: Any] ?? [:]
      let tiff = properties[kCGImagePropertyTIFFDictionary] as? [CFString: Any] ?? [:]
      let gps = properties[kCGImagePropertyGPSDictionary] as? [CFString: Any] ?? [:]
      let length = exif[kCGImagePropertyExifFocalLenIn35mmFilm] as? Double
      focalLength = length.flatMap { $0 > 0 ? $0 : nil }
      readTime(exif, tiff, gps)
      readPlace(gps)
    }

    private mutating func readTime(
      _ exif: [CFString: Any], _ tiff: [CFString: Any], _ gps: [CFString: Any]
    ) {
      let times = [
        (exif[kCGImagePropertyExifDateTimeOriginal], exif[kCGImagePropertyExifOffsetTimeOriginal]),
        (
          exif[kCGImagePropertyExifDateTimeDigitized], exif[kCGImagePropertyExifOffsetTimeDigitized]
        ),
        (tiff[kCGImagePropertyTIFFDateTime], exif[kCGImagePropertyExifOffsetTime]),
      ]
      // The time of the last change does not replace a capture time that the camera wrote as unknown.
      let isUnknown = times.dropLast().contains {
        ($0.0 as? String).map(EXIFTime.isUnknown) ?? false
      }
      for (time, offset) in isUnknown ? times.dropLast() : times[...] where captureTime == nil {
        setTime(time as? String, offset: offset as? String)
      }
      guard captureTime == nil, let date = gps[kCGImagePropertyGPSDateStamp] as? String else {
        return
      }
      let clock = (gps[kCGImagePropertyGPSTimeStamp] as? String)?.split(separator: ":")
      setTime(gpsDate: date, clock: clock?.map { Double($0) ?? .nan })
    }

    private mutating func readPlace(_ gps: [CFString: Any]) {
      func coordinate(
        _ key: CFString, _ reference: CFString, _ axis: EXIFMeaning.Axis
      ) -> Double? {
        guard let degrees = gps[key] as? Double else { return nil }
        return EXIFMeaning.coordinate([degrees], gps[reference] as? String, axis)
      }
      if let latitude = coordinate(
        kCGImagePropertyGPSLatitude, kCGImagePropertyGPSLatitudeRef, .latitude),
        let longitude = coordinate(
          kCGImagePropertyGPSLongitude, kCGImagePropertyGPSLongitudeRef, .longitude),
        !EXIFMeaning.isUnknown(latitude, longitude)
      {
        let error = gps[kCGImagePropertyGPSHPositioningError] as? Double ?? .nan
        position = Position(latitude: latitude, longitude: longitude)
        position =
          (EXIFMeaning.isUnknown(error: error) ? nil : position?.with(horizontalError: error))
          ?? position
      }
      if let degrees = gps[kCGImagePropertyGPSImgDirection] as? Double {
        heading = EXIFMeaning.heading(degrees, gps[kCGImagePropertyGPSImgDirectionRef] as? String)
      }
    }
  }

  /// The primary image in a file that ImageIO reads.
  struct ImageSource {
    private let source: CGImageSource
    private let index: Int
    private let format: PhotoFormat

    init(_ bytes: [UInt8], _ format: PhotoFormat) throws(CupolaError) {
      guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else {
        throw CupolaError.damagedPhoto(format, "ImageIO cannot open the file")
      }
      (self.source, self.format) = (source, format)
      index = CGImageSourceGetPrimaryImageIndex(source)
    }

    var properties: [CFString: Any] {
      CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any] ?? [:]
    }

    /// Decodes the image in its stored orientation.
    /// - Parameter subsampling: The maximum factor, 1, 2, 4, or 8, by which decoding may reduce both sides if the
    ///   format supports it. Other values are rounded down to one of these.
    func picture(subsampling: Int, lenient: Bool) throws(CupolaError) -> RGBImage {
      let complete = CGImageSourceGetStatusAtIndex(source, index) == .statusComplete
      guard complete || lenient else {
        throw CupolaError.truncatedPhoto(format, "incomplete image data")
      }
      let factor = [8, 4, 2].first { $0 <= subsampling } ?? 1
      let options = [kCGImageSourceSubsampleFactor: factor] as CFDictionary
      guard let image = CGImageSourceCreateImageAtIndex(source, index, options),
        let picture = RGBImage(image)
      else { throw CupolaError.damagedPhoto(format, "ImageIO cannot decode the image") }
      return picture
    }
  }

  /// The JPEG codec for Apple platforms, with the same interface as the libjpeg codec.
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
      let failure = CupolaError.damagedPhoto(.jpeg, "ImageIO cannot encode the image")
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
      // Insert the segment after the start marker. Its length includes the length field.
      let length = exif.count + 2
      return file.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
        + file.dropFirst(2)
    }
  }

  extension RGBImage {
    /// Creates an upright sRGB image from a `CGImage`, composited over white.
    ///
    /// Fails if memory is insufficient.
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
        // The samples already contain a white background.
        context?.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
        return context != nil
      }
      guard isDrawn else { return nil }
      let pixels = SampleConversion.rgb(paddedRGB: samples)
      self = RGBImage(width: width, height: height, pixels: pixels).upright(from: orientation)
    }
  }

  extension RGBImage {
    /// Creates an upright sRGB image from a camera frame of any pixel format that VideoToolbox supports.
    ///
    /// Fails if VideoToolbox cannot convert the frame.
    /// - Parameter orientation: The rotation of the frame; `.right` for a phone held upright.
    public init?(_ frame: CVPixelBuffer, orientation: Orientation) {
      var image: CGImage?
      guard unsafe VTCreateCGImageFromCVPixelBuffer(frame, options: nil, imageOut: &image) == 0,
        let image
      else { return nil }
      self.init(image, orientation: orientation)
    }
  }

#endif
