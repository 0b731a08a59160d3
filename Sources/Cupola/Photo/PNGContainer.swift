#if PNG && !canImport(ImageIO)

  internal import CPNG

  /// Reads PNG with libpng, using the C code in `CPNG`.
  struct PNGContainer: PhotoContainer {
    static let formats: Set<PhotoFormat> = [.png]

    let width: Int
    let height: Int
    let components = 3
    let metadata: PhotoMetadata
    let exif: [UInt8]?
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
      exif = Self.exif(in: bytes)
      metadata = EXIFReader.metadata(in: exif)
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

    /// Returns the TIFF block in the `eXIf` chunk, which can come before or after the image (ISO/IEC 15948, 5.3).
    private static func exif(in bytes: [UInt8]) -> [UInt8]? {
      var at = 8
      while at + 12 <= bytes.count {
        let size = bytes[at..<at + 4].bigEndian
        guard size <= bytes.count - at - 12 else { return nil }
        if bytes[at + 4..<at + 8].elementsEqual("eXIf".utf8) {
          return Array(bytes[at + 8..<at + 8 + size])
        }
        at += 12 + size
      }
      return nil
    }
  }

#endif
