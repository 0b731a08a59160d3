#if !canImport(ImageIO)
  internal import CJPEG
#endif

// Read and write JPEG files:
// 1. `JPEGContainer` reads the markers and chooses the smallest sufficient scale, in eighths.
// 2. `JPEGCost` limits memory and time before decoding.
// 3. `JPEGCodec` decodes and encodes using libjpeg; `AppleImages.swift` contains the codec for Apple platforms.

/// A JPEG file. This type reads its markers on every platform; ``JPEGCodec`` decodes its pixels.
struct JPEGContainer: PhotoContainer {
  static let formats: Set<PhotoFormat> = [.jpeg]

  let metadata: PhotoMetadata
  private let header: JPEGHeader
  private let bytes: [UInt8]

  init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError) {
    let header = try JPEGHeader(of: bytes)
    (self.header, self.bytes) = (header, bytes)
    metadata = EXIFReader.metadata(in: header.exif).filled(from: header.xmp?.metadata)
  }

  var width: Int { header.width }
  var height: Int { header.height }
  var components: Int { header.components }

  private var cost: JPEGCost {
    JPEGCost(bytes, header, isTurned: metadata.orientation != .up)
  }

  /// The number of scans, counted up to one above the default limit.
  var scans: Int { cost.scans }

  func pixels(
    minimumWidth: Int, minimumHeight: Int, lenient: Bool
  ) throws(CupolaError) -> RGBImage {
    let enough = (1...8).first { eighths in
      let size = header.size(eighths: eighths)
      return size.width >= minimumWidth && size.height >= minimumHeight
    }
    let picture = try JPEGCodec.decode(
      bytes, header, scale: cost.scale(wanted: enough ?? 8), lenient: lenient)
    guard !JPEGCodec.appliesProfiles, header.components == 3 else { return picture }
    return header.profile.flatMap(ColorProfile.init(icc:))?.toSRGB(picture) ?? picture
  }
}

/// Limits the memory and time for decoding a JPEG file.
/// A 2 KB file can declare 100 megapixels and hundreds of scans.
struct JPEGCost {
  static let mostBytes = 192 << 20
  /// The maximum number of scans; typical files have about 10.
  static let mostScans = 200
  /// The maximum number of scans times megapixels: about 10 scans of the largest image.
  static let mostWork = 1000

  private let header: JPEGHeader
  /// Copies of the image in memory: one, plus one for rotation, plus one for CMYK conversion.
  private let copies: Int
  /// The number of scans, counted up to one above the limit; 1 for an image with one scan.
  private(set) var scans = 0
  private var isBuffered: Bool

  init(_ bytes: [UInt8], _ header: JPEGHeader, isTurned: Bool) {
    self.header = header
    copies = 1 + (isTurned ? 1 : 0) + (header.components == 4 ? 1 : 0)
    isBuffered = header.isProgressive
    var at = header.end
    while scans <= Self.mostScans, let next = JPEGMarkers.anySegment(in: bytes, from: at) {
      at = next.payload.endIndex
      guard next.marker == JPEGMarkers.startOfScan else { continue }
      scans += 1
      // A single scan with all components needs no buffer, so its data is not searched for other scans.
      isBuffered = isBuffered || next.payload.first.map { Int($0) != header.components } ?? true
      guard isBuffered else { break }
      at = JPEGMarkers.endOfData(in: bytes.span, from: at)
    }
  }

  /// Returns the largest scale in eighths, at most `wanted`, that fits in the memory limit.
  func scale(wanted: Int) throws(CupolaError) -> Int {
    if let refusal { throw .pictureTooCostly(.jpeg, refusal) }
    return (1...wanted).last { bytes(scale: $0) <= Self.mostBytes } ?? 1
  }

  private var refusal: String? {
    let pixels = header.width * header.height
    if scans > Self.mostScans { return "more than \(Self.mostScans) progressive scans" }
    if scans * pixels > Self.mostWork * 1_000_000 {
      return "\(scans) progressive scans of \(pixels / 1_000_000) megapixels"
    }
    guard bytes(scale: 1) > Self.mostBytes else { return nil }
    let kind = (header.isProgressive ? "progressive " : "") + "JPEG"
    return "\(kind) of \(header.width) x \(header.height) pixels needs "
      + "\(bytes(scale: 1) / 1_000_000) MB to decode"
  }

  private func bytes(scale: Int) -> Int {
    let (width, height) = header.size(eighths: scale)
    return coefficients + copies * 3 * width * height
  }

  /// Bytes for the coefficients: two per sample, in whole 8x8 blocks per component.
  private var coefficients: Int {
    let across = 8 * (header.sampling.map(\.horizontal).max() ?? 0)
    let down = 8 * (header.sampling.map(\.vertical).max() ?? 0)
    guard isBuffered, across > 0, down > 0 else { return 0 }
    let units = (header.width + across - 1) / across * ((header.height + down - 1) / down)
    return header.sampling.reduce(0) { $0 + 128 * units * $1.horizontal * $1.vertical }
  }
}

/// Encodes generated images, such as sample campus photos, explanations, and test data.
package enum JPEGEncoder {
  /// Encodes a baseline JPEG. `exif` is a complete APP1 payload beginning with `Exif\0\0`, or empty.
  package static func encode(
    _ image: RGBImage, quality: Int = 85, exif: [UInt8] = []
  ) throws(CupolaError) -> [UInt8] {
    precondition((1...100).contains(quality), "JPEG quality \(quality) is outside 1 to 100")
    precondition(exif.count < 65_534, "APP1 segment of \(exif.count) bytes is too long")
    return try JPEGCodec.encode(image, quality: quality, exif: exif)
  }
}

#if !canImport(ImageIO)

  enum JPEGCodec {
    /// Whether decoding converts every color profile to sRGB.
    static let appliesProfiles = false

    /// Decodes to RGB in stored orientation, scaled by `scale`/8.
    /// - Parameter lenient: Whether to ignore libjpeg warnings about missing pixels, for example of truncated files.
    static func decode(
      _ data: [UInt8], _ header: JPEGHeader, scale: Int, lenient: Bool
    ) throws(CupolaError) -> RGBImage {
      let (columns, rows) = header.size(eighths: scale)
      let capacity = columns * rows * (header.components == 4 ? 4 : 3)
      var picture = cjpeg_picture()
      var status = CJPEG_OK
      let samples = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        // The array stays empty on failure, because its memory would be uninitialized.
        status = unsafe data.withUnsafeBufferPointer {
          unsafe cjpeg_decode(
            $0.baseAddress, $0.count, Int32(scale), buffer.baseAddress, capacity, &picture)
        }
        count = status == CJPEG_OK ? capacity : 0
      }
      let (width, height) = (Int(picture.width), Int(picture.height))
      guard status == CJPEG_OK, width * height * Int(picture.components) == capacity else {
        let message = DecoderMessage.text(picture.message)
        throw header.rareKind.map { .unsupportedKind($0) } ?? .damagedPhoto(.jpeg, message)
      }
      if picture.warnings > 0, !lenient {
        throw CupolaError.truncatedPhoto(.jpeg, DecoderMessage.text(picture.message))
      }
      let pixels =
        picture.components == 4
        ? SampleConversion.rgb(cmyk: samples, inverted: picture.inverted == 1) : samples
      return RGBImage(width: width, height: height, pixels: pixels)
    }

    static func encode(
      _ image: RGBImage, quality: Int, exif: [UInt8]
    ) throws(CupolaError) -> [UInt8] {
      var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
      var status = CJPEG_OK
      // An upper bound for the size of a baseline JPEG: 8-bit samples, headers, and the APP1 segment.
      let capacity = image.pixels.count * 2 + 4096 + exif.count
      let output = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        var written = 0
        status = unsafe cjpeg_encode(
          image.pixels, Int32(image.width), Int32(image.height), Int32(quality), exif, exif.count,
          buffer.baseAddress, capacity, &written, &message)
        count = status == CJPEG_OK ? written : 0
      }
      guard status == CJPEG_OK else {
        let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw CupolaError.damagedPhoto(.jpeg, String(decoding: text, as: UTF8.self))
      }
      return output
    }
  }

  enum DecoderMessage {
    /// Returns the first line, up to the NUL, or a default text if the line is empty.
    static func text<Buffer>(_ buffer: Buffer) -> String {
      unsafe withUnsafeBytes(of: buffer) { bytes in
        let line = unsafe bytes.prefix { $0 >= 0x20 }
        return unsafe line.isEmpty ? "no reason reported" : String(decoding: line, as: UTF8.self)
      }
    }
  }

#endif
