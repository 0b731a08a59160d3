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
  var exif: [UInt8]? { header.exif }

  func pixels(
    minimumWidth: Int, minimumHeight: Int, lenient: Bool
  ) throws(CupolaError) -> RGBImage {
    // The fewest eighths at which the picture still has so many columns and rows.
    let enough = (1...8).first { eighths in
      (width * eighths + 7) / 8 >= minimumWidth && (height * eighths + 7) / 8 >= minimumHeight
    }
    let picture = try picture(scale: enough ?? 8, lenient: lenient)
    guard !JPEGCodec.appliesProfiles, header.components == 3 else { return picture }
    return header.profile.flatMap(ColorProfile.init(icc:))?.toSRGB(picture) ?? picture
  }

  private func picture(scale: Int, lenient: Bool) throws(CupolaError) -> RGBImage {
    let scans = JPEGScans(of: bytes, header)
    let cost = JPEGCost(header, scans, isTurned: metadata.orientation != .up)
    if let refusal = cost.refusal { throw CupolaError.pictureTooCostly(.jpeg, refusal) }
    guard cost.fits else { return try JPEGMeans(bytes, header, scans).picture(lenient: lenient) }
    let affordable = cost.scale(wanted: scale)
    if affordable == 1, let eighth = JPEGEighth(bytes, header),
      JPEGCodec.isSound(headerOf: bytes), let picture = eighth.picture()
    {
      return picture
    }
    return try JPEGCodec.decode(bytes, scale: affordable, lenient: lenient)
  }
}
