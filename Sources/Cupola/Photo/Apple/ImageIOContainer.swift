#if canImport(ImageIO)

  internal import CoreFoundation
  internal import ImageIO

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

#endif
