// Everything about a photo except its pixels, read without the libraries that decode its format:
// 1. `init` reads size, EXIF block, and color profile from the container.
// 2. `image(fromConverted:)` turns the output of a conversion program upright.
// 3. `exif(for:)` writes the metadata for the converted photo, and `losses(in:)` lists what is missing there.

package struct PhotoOutline: Sendable {
  /// The stored size; of the upright image for formats that rotate during decoding; `nil` if unknown.
  package private(set) var size: (width: Int, height: Int)?
  /// The file for a conversion program; it shows only the primary image.
  package private(set) var input: [UInt8]
  private let format: PhotoFormat
  private var block: [UInt8]?
  private var profile: [UInt8]?
  private var isDisplayP3 = false
  /// Metadata that is only searched, to report what a converted copy lacks.
  private var xmp: ArraySlice<UInt8>?
  private var hasOtherEXIF = false

  private enum TIFFTag {
    static let (width, height, profile): (UInt16, UInt16, UInt16) = (256, 257, 34675)
  }

  package init(of bytes: [UInt8], _ format: PhotoFormat) {
    (input, self.format) = (bytes, format)
    switch format {
    case .heic, .avif: readHEIF(bytes)
    case .png: readPNG(bytes)
    case .webp: readWebP(bytes)
    case .tiff: readTIFF(bytes)
    case .jpegXL:
      let boxes = MediaBox.all(in: bytes[...])
      block = boxes.first { $0.type == "Exif" }.flatMap { MediaBox.tiff($0.content) }
      hasOtherEXIF = boxes.contains {
        $0.type == "brob" && $0.content.starts(with: "Exif".utf8)
      }
      xmp = boxes.first { $0.type == "xml " }?.content
    default: break
    }
  }

  private mutating func readHEIF(_ bytes: [UInt8]) {
    let boxes = HEIFBoxes(bytes)
    (size, block, profile) = (boxes.size, boxes.exif, boxes.profile)
    (isDisplayP3, input) = (boxes.isDisplayP3, boxes.showingOnlyPrimary)
  }

  private mutating func readPNG(_ bytes: [UInt8]) {
    if let header = PNGChunks.first("IHDR", in: bytes), header.count >= 8 {
      size = (header.prefix(4).bigEndian, header.dropFirst(4).prefix(4).bigEndian)
    }
    block = PNGChunks.first("eXIf", in: bytes).map { EXIFReader.unmarked($0) }
    let texts = ["zTXt", "tEXt"].flatMap { PNGChunks.all($0, in: bytes) }
    hasOtherEXIF = texts.contains {
      $0.starts(with: "Raw profile type exif".utf8) || $0.starts(with: "Raw profile type APP1".utf8)
    }
    xmp = PNGChunks.all("iTXt", in: bytes).first { $0.starts(with: "XML:com.adobe.xmp".utf8) }
  }

  private mutating func readWebP(_ bytes: [UInt8]) {
    if let canvas = WebPChunks.first("VP8X", in: bytes), canvas.count >= 10 {
      let sides = canvas.dropFirst(4)
      size = (sides.prefix(3).littleEndian + 1, sides.dropFirst(3).prefix(3).littleEndian + 1)
    }
    block = WebPChunks.first("EXIF", in: bytes).map { EXIFReader.unmarked($0) }
    profile = WebPChunks.first("ICCP", in: bytes).map { Array($0) }
    xmp = WebPChunks.first("XMP ", in: bytes)
  }

  private mutating func readTIFF(_ bytes: [UInt8]) {
    guard let pages = TIFFPages(bytes) else { return }
    func number(_ tag: UInt16) -> Int? { pages.first[tag].flatMap { pages.block.integer($0) } }
    if let width = number(TIFFTag.width), let height = number(TIFFTag.height) {
      size = (width, height)
    }
    block = bytes
    profile = pages.first[TIFFTag.profile].flatMap { pages.block.value($0) }.map { Array($0) }
  }

  /// Whether conversion would return a reduced copy of the photo.
  package var startsReduced: Bool {
    format == .tiff && TIFFPages(input)?.startsReduced ?? false
  }

  /// HEIC, AVIF, and JPEG XL have their own rotation, which every decoder applies; EXIF repeats it.
  private var orientation: Orientation {
    [.heic, .avif, .jpegXL].contains(format) ? .up : metadata.orientation
  }

  private var metadata: PhotoMetadata { EXIFReader.metadata(in: block) }

  /// Returns the upright sRGB image from the JPEG of a conversion program. Ignores the EXIF block of the JPEG, because
  /// programs that rotate pixels may keep the orientation.
  /// - Throws: ``CupolaError`` if the JPEG is damaged or has another size than the photo.
  package func image(fromConverted photo: Photo) throws(CupolaError) -> RGBImage {
    guard photo.format == .jpeg else { throw CupolaError.unsupportedFormat(photo.format) }
    let header = try JPEGHeader(of: photo.bytes)
    let expected = size ?? (header.width, header.height)
    guard (header.width, header.height) == expected else {
      throw CupolaError.damagedPhoto(
        format,
        "converted to \(header.width)x\(header.height) pixels instead of "
          + "\(expected.width)x\(expected.height)")
    }
    var image = try JPEGCodec.decode(photo.bytes, header, scale: 8, lenient: false)
    // The profile of the JPEG describes its samples, even if the program has converted them.
    let own = isDisplayP3 ? ColorProfile.displayP3 : profile.flatMap(ColorProfile.init(icc:))
    if let embedded = header.profile {
      let isApplied = JPEGCodec.appliesProfiles || header.components != 3
      if !isApplied { image = ColorProfile(icc: embedded)?.toSRGB(image) ?? image }
    } else if header.components == 3 {
      image = own?.toSRGB(image) ?? image
    }
    return image.upright(from: orientation)
  }

  /// Returns the APP1 payload with Cupola's own EXIF block; empty if the photo has no EXIF block.
  package func exif(for image: RGBImage) -> [UInt8] {
    let own = block.flatMap {
      EXIFWriter.block(from: $0, width: image.width, height: image.height)
    }
    return own.map { EXIFReader.mark + $0 } ?? []
  }

  /// Describes what the photo contains but a converted copy with this APP1 payload does not; empty if nothing is lost.
  package func losses(in payload: [UInt8]) -> [String] {
    let before = metadata
    let after = EXIFReader.metadata(
      in: payload.isEmpty ? nil : EXIFReader.unmarked(payload[...]))
    var losses: [String] = []
    if before.faults.contains(where: { !after.faults.contains($0) }) {
      losses.append("damaged EXIF data")
    } else {
      if before.captureTime != nil, before.captureTime != after.captureTime {
        losses.append("time")
      }
      if before.position != after.position { losses.append("position") }
      if before.heading != after.heading { losses.append("heading") }
    }
    if block == nil, hasOtherEXIF { losses.append("EXIF data in an unsupported form") }
    if let xmp {
      let text = String(decoding: xmp, as: UTF8.self)
      if after.position == nil, text.contains("GPSLatitude") { losses.append("position in XMP") }
      if after.captureTime == nil, text.contains("DateTimeOriginal") {
        losses.append("time in XMP")
      }
    }
    if let profile, ColorProfile.isUnsupported(icc: profile) { losses.append("color profile") }
    return losses
  }
}
