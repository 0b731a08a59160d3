// Everything about a photo except its pixels, read without the libraries that decode its format:
// 1. `init` reads size, EXIF block, and color profile from the container.
// 2. `image(fromConverted:)` turns the output of a conversion program upright.
// 3. `add` supplies the metadata of a sidecar where the photo has none.
// 4. `exif(for:)` writes the metadata for the converted photo, and `losses(in:)` lists what is missing there.

package struct PhotoOutline: Sendable {
  /// The stored size; of the upright image for formats that rotate during decoding; `nil` if unknown.
  package private(set) var size: (width: Int, height: Int)?
  /// The file for a conversion program; it shows only the primary image.
  package private(set) var input: [UInt8]
  private let format: PhotoFormat
  private var block: [UInt8]?
  private var profile: [UInt8]?
  private var isDisplayP3 = false
  private var xmp: XMPPacket?
  /// The time and the position in the XMP packet or a sidecar.
  private var others: PhotoMetadata?
  /// Whether there is an EXIF block that cannot be read.
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
      xmp = boxes.first { $0.type == "xml " }.map { XMPPacket($0.content) }
    default: break
    }
    others = xmp?.metadata
  }

  /// Adds the time and the position of a sidecar where the photo has none.
  package mutating func add(_ sidecar: PhotoMetadata?) {
    others = others?.filled(from: sidecar) ?? sidecar
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
    block = PNGTexts.exif(in: bytes)
    let texts = ["zTXt", "tEXt", "iTXt"].flatMap { PNGChunks.all($0, in: bytes) }
    hasOtherEXIF = texts.contains { text in
      PNGTexts.profiles.contains { text.starts(with: $0.utf8) }
    }
    xmp = PNGTexts.xmp(in: bytes).map { XMPPacket($0) }
  }

  private mutating func readWebP(_ bytes: [UInt8]) {
    if let canvas = WebPChunks.first("VP8X", in: bytes), canvas.count >= 10 {
      let sides = canvas.dropFirst(4)
      size = (sides.prefix(3).littleEndian + 1, sides.dropFirst(3).prefix(3).littleEndian + 1)
    }
    block = WebPChunks.first("EXIF", in: bytes).map { EXIFReader.unmarked($0) }
    profile = WebPChunks.first("ICCP", in: bytes).map { Array($0) }
    xmp = WebPChunks.first("XMP ", in: bytes).map { XMPPacket($0) }
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

  package var metadata: PhotoMetadata { EXIFReader.metadata(in: block).filled(from: others) }

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

  /// Returns the APP1 payload with Cupola's own EXIF block; empty if the photo has no metadata.
  package func exif(for image: RGBImage) -> [UInt8] {
    let own = EXIFReader.metadata(in: block)
    var added = PhotoMetadata()
    if own.position == nil { added.position = others?.position }
    if own.captureTime == nil {
      added.captureTime = others?.captureTime
      added.captureTimeOffset = others?.captureTimeOffset
    }
    return EXIFWriter.block(from: block, adding: added, width: image.width, height: image.height)
      .map { EXIFReader.mark + $0 } ?? []
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
      if !Self.isSame(before.position, after.position) { losses.append("position") }
      if before.heading != after.heading { losses.append("heading") }
    }
    if block == nil, hasOtherEXIF { losses.append("EXIF data in an unsupported form") }
    if let xmp {
      if after.position == nil, xmp.mentions("GPSLatitude") { losses.append("position in XMP") }
      if after.captureTime == nil, xmp.mentions("DateTimeOriginal") { losses.append("time in XMP") }
    }
    if let profile, ColorProfile.isUnsupported(icc: profile) { losses.append("color profile") }
    return losses
  }

  /// Whether positions are equal within the precision of EXIF.
  private static func isSame(_ one: Position?, _ other: Position?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one.latitude - other.latitude) < 1e-6
      && abs(one.longitude - other.longitude) < 1e-6
      && one.horizontalError == other.horizontalError
  }
}
