#if HEIF && !canImport(ImageIO)

  internal import CHEIF

  /// Reads HEIC and AVIF with libheif, using the C code in `CHEIF`.
  /// Decoding applies the file's rotation. The EXIF orientation is ignored because it repeats that rotation (ISO/IEC
  /// 23008-12, 6.5.10).
  struct HEIFContainer: PhotoContainer {
    static let formats: Set<PhotoFormat> = [.heic, .avif]

    let width: Int
    let height: Int
    let components = 3
    let metadata: PhotoMetadata
    private let profile: ColorProfile?
    private let channels: Int
    private let bytes: [UInt8]
    private let format: PhotoFormat

    private static let displayP3 = 12
    private static let mostMetadata = 8 << 20

    init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError) {
      var picture = cheif_picture()
      let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe cheif_open($0.baseAddress, $0.count, &picture)
      }
      guard status == CHEIF_OK else {
        throw CupolaError.damagedPhoto(format, DecoderMessage.text(picture.message))
      }
      (width, height, channels) = (
        Int(picture.width), Int(picture.height), Int(picture.channels)
      )
      (self.bytes, self.format) = (bytes, format)
      let (item, icc) = Self.blocks(bytes, picture)
      var metadata = EXIFReader.metadata(in: MediaBox.tiff(item[...]))
      metadata.orientation = .up
      self.metadata = metadata
      profile =
        icc.isEmpty
        ? (Int(picture.primaries) == Self.displayP3 ? .displayP3 : nil) : ColorProfile(icc: icc)
    }

    func pixels(
      minimumWidth: Int, minimumHeight: Int, lenient: Bool
    ) throws(CupolaError) -> RGBImage {
      var picture = cheif_picture()
      let capacity = width * height * channels
      var status = CHEIF_OK
      let samples = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        status = unsafe bytes.withUnsafeBufferPointer {
          unsafe cheif_decode($0.baseAddress, $0.count, buffer.baseAddress, capacity, &picture)
        }
        count = status == CHEIF_OK ? capacity : 0
      }
      guard status == CHEIF_OK else {
        throw CupolaError.damagedPhoto(format, DecoderMessage.text(picture.message))
      }
      return RGBImage(
        width: width, height: height, samples: samples, channels: channels, profile: profile)
    }

    /// Returns the EXIF item and the ICC profile; empty if missing or unreadable.
    private static func blocks(_ bytes: [UInt8], _ picture: cheif_picture) -> ([UInt8], [UInt8]) {
      guard picture.exif_count <= mostMetadata, picture.profile_count <= mostMetadata else {
        return ([], [])
      }
      var exif = [UInt8](repeating: 0, count: picture.exif_count)
      var profile = [UInt8](repeating: 0, count: picture.profile_count)
      var picture = picture
      let status = unsafe cheif_read(bytes, bytes.count, &exif, &profile, &picture)
      return status == CHEIF_OK ? (exif, profile) : ([], [])
    }
  }

#endif
