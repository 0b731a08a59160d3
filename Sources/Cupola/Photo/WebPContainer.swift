#if WebP && !canImport(ImageIO)

  internal import CWebP

  /// Reads WebP with libwebp, using the C code in `CWebP`.
  struct WebPContainer: PhotoContainer {
    static let formats: Set<PhotoFormat> = [.webp]

    let width: Int
    let height: Int
    let components = 3
    let metadata: PhotoMetadata
    private let channels: Int
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError) {
      var picture = cwebp_picture()
      let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe cwebp_open($0.baseAddress, $0.count, &picture)
      }
      guard status == CWEBP_OK else { throw Self.error(status) }
      (width, height, channels) = (
        Int(picture.width), Int(picture.height), Int(picture.channels)
      )
      self.bytes = bytes
      metadata = EXIFReader.metadata(
        in: WebPChunks.first("EXIF", in: bytes).map(EXIFReader.unmarked)
      )
      .filled(from: WebPChunks.first("XMP ", in: bytes).map { XMPPacket($0).metadata })
    }

    func pixels(
      minimumWidth: Int, minimumHeight: Int, lenient: Bool
    ) throws(CupolaError) -> RGBImage {
      let capacity = width * height * channels
      var picture = cwebp_picture()
      var status = CWEBP_OK
      // Missing areas in truncated files stay gray in lenient mode.
      var samples = [UInt8](repeating: 128, count: capacity)
      unsafe samples.withUnsafeMutableBufferPointer { buffer in
        status = unsafe cwebp_decode(bytes, bytes.count, buffer.baseAddress, capacity, &picture)
      }
      guard status == CWEBP_OK || status == CWEBP_TRUNCATED && lenient else {
        throw Self.error(status)
      }
      return RGBImage(
        width: width, height: height, samples: samples, channels: channels,
        profile: WebPChunks.first("ICCP", in: bytes).flatMap { ColorProfile(icc: Array($0)) })
    }

    private static func error(_ status: cwebp_status) -> CupolaError {
      switch status {
      case CWEBP_TRUNCATED: .truncatedPhoto(.webp, "incomplete data")
      case CWEBP_ANIMATION: .damagedPhoto(.webp, "animation instead of a single image")
      case CWEBP_OUT_OF_SPACE: .damagedPhoto(.webp, "not enough memory for the image")
      default: .damagedPhoto(.webp, "libwebp found no image")
      }
    }
  }

#endif
