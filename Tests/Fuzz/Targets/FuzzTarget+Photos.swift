@testable import Cupola

/// Targets for images and their metadata.
extension FuzzTarget {
  static let photos: [FuzzTarget] = [
    FuzzTarget("photo-header") { bytes in
      let outline = PhotoOutline(of: bytes, PhotoFormat(of: bytes))
      let exif = outline.exif(for: RGBImage(width: 1, height: 1))
      try FuzzFailure.unless(exif.count < 65_534, "the EXIF block does not fit into a segment")
      _ = (outline.losses(in: exif), RawPhoto.format(of: bytes))
      guard let photo = try? decoder.open(bytes) else { return }
      _ = (photo.width, photo.height, photo.metadata.position, photo.metadata.heading)
    },
    FuzzTarget("jpeg") { try decode($0, formats: [.jpeg]) },
    FuzzTarget("heif") { try decode($0, formats: [.heic, .avif]) },
    FuzzTarget("png") { try decode($0, formats: [.png]) },
    FuzzTarget("webp") { try decode($0, formats: [.webp]) },
    FuzzTarget("exif") { bytes in
      _ = (EXIFReader.metadata(in: bytes), XMPPacket(bytes).metadata)
      guard let block = EXIFWriter.block(from: bytes, width: 4, height: 4) else { return }
      let orientation = EXIFReader.metadata(in: block).orientation
      try FuzzFailure.unless(orientation == .up, "the new block is not upright")
    },
    FuzzTarget("color-profile") { bytes in
      guard let profile = ColorProfile(icc: bytes) else { return }
      let ramp = (0..<27).map { UInt8($0 * 9) }
      _ = profile.toSRGB(RGBImage(width: 9, height: 1, pixels: ramp))
    },
    FuzzTarget("motion-jpeg") { bytes in
      let whole = pictures(in: bytes, pieces: bytes.count)
      try FuzzFailure.unless(
        whole == pictures(in: bytes, pieces: 7), "frames depend on the size of the pieces")
    },
  ]

  /// Limits photos to a small size; large ones are bounded but slow.
  private static let decoder = {
    var decoder = PhotoDecoder()
    decoder.maximumPixels = 1 << 18
    return decoder
  }()

  private static func decode(
    _ bytes: [UInt8], formats: Set<PhotoFormat>
  ) throws(FuzzFailure) {
    guard formats.contains(PhotoFormat(of: bytes)), let photo = try? decoder.open(bytes) else {
      return
    }
    var lenient = decoder
    lenient.lenient = true
    let strict = try? photo.image()
    let whole = try? lenient.open(bytes).image()
    _ = try? lenient.open(bytes).image(minimumWidth: 16, minimumHeight: 16)
    for picture in [strict, whole].compactMap(\.self) {
      try FuzzFailure.unless(
        picture.width == photo.width && picture.height == photo.height,
        "\(picture.width)x\(picture.height) decoded of \(photo.width)x\(photo.height)")
    }
    // libde265 leaves pixels of damaged data uninitialized and reports success.
    guard let strict, PhotoFormat(of: bytes) != .heic else { return }
    try FuzzFailure.unless(strict == whole, "lenient decoding gives different pixels")
  }

  private static func pictures(in bytes: [UInt8], pieces: Int) -> [[UInt8]] {
    var stream = MotionJPEG()
    var pictures: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      stream.append(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      while let picture = stream.next() { pictures.append(picture) }
    }
    return pictures
  }
}
