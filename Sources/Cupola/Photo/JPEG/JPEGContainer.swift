/// JPEG files: the markers are read here, on every platform alike; the pixels by ``JPEGCodec``.
struct JPEGContainer: PhotoContainer {
  static let formats: Set<PhotoFormat> = [.jpeg]

  let metadata: PhotoMetadata
  private let header: JPEGHeader
  private let bytes: [UInt8]

  init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError) {
    self.bytes = bytes
    header = try JPEGHeader(of: bytes)
    metadata = header.exif.map(EXIFReader.metadata(in:)) ?? PhotoMetadata()
  }

  var width: Int { header.width }
  var height: Int { header.height }
  var components: Int { header.components }

  func pixels(
    minimumWidth: Int, minimumHeight: Int, lenient: Bool
  ) throws(CupolaError) -> RGBImage {
    // The fewest eighths at which the picture still has so many columns and rows.
    let scale = (1...8).first { eighths in
      (width * eighths + 7) / 8 >= minimumWidth && (height * eighths + 7) / 8 >= minimumHeight
    }
    return try JPEGCodec.decode(bytes, scale: scale ?? 8, lenient: lenient)
  }
}
