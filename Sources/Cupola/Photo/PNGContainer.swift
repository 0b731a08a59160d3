#if PNG && !canImport(ImageIO)

  internal import CPNG

  /// Reads PNG with libpng, using the C code in `CPNG`.
  struct PNGContainer: PhotoContainer {
    static let formats: Set<PhotoFormat> = [.png]

    let width: Int
    let height: Int
    let components = 3
    let metadata: PhotoMetadata
    private let opened: cpng_picture
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError) {
      var picture = cpng_picture()
      let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe cpng_open($0.baseAddress, $0.count, &picture)
      }
      guard status == CPNG_OK else {
        throw CupolaError.damagedPhoto(.png, DecoderMessage.text(picture.message))
      }
      (width, height) = (Int(picture.width), Int(picture.height))
      (self.bytes, opened) = (bytes, picture)
      metadata = EXIFReader.metadata(in: PNGTexts.exif(in: bytes))
        .filled(from: PNGTexts.xmp(in: bytes).map { XMPPacket($0).metadata })
    }

    func pixels(
      minimumWidth: Int, minimumHeight: Int, lenient: Bool
    ) throws(CupolaError) -> RGBImage {
      let channels = Int(opened.channels)
      let capacity = width * height * channels
      var picture = opened
      var status = CPNG_OK
      var profile = [UInt8](repeating: 0, count: opened.profile_count)
      // Missing areas in truncated files stay gray in lenient mode.
      var samples = [UInt8](repeating: 128, count: capacity)
      unsafe samples.withUnsafeMutableBufferPointer { buffer in
        status = unsafe cpng_decode(
          bytes, bytes.count, buffer.baseAddress, capacity, &profile, &picture)
      }
      if status != CPNG_OK {
        guard picture.rows > 0 else {
          throw CupolaError.damagedPhoto(.png, DecoderMessage.text(picture.message))
        }
        guard lenient else {
          throw CupolaError.truncatedPhoto(.png, DecoderMessage.text(picture.message))
        }
      }
      return RGBImage(
        width: width, height: height, samples: samples, channels: channels,
        profile: ColorProfile(icc: profile))
    }
  }

#endif
