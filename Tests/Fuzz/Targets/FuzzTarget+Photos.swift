@testable import Cupola

/// Images, and what stands in them beside the picture.
extension FuzzTarget {
  static let photos: [FuzzTarget] = [
    FuzzTarget("photo-header") { bytes in
      guard let photo = try? decoder.open(bytes) else { return }
      _ = (photo.width, photo.height, photo.metadata.position, photo.metadata.heading)
    },
    FuzzTarget("jpeg") { try decode($0, formats: [.jpeg]) },
    FuzzTarget("heif") { try decode($0, formats: [.heic, .avif]) },
    FuzzTarget("png") { try decode($0, formats: [.png]) },
    FuzzTarget("webp") { try decode($0, formats: [.webp]) },
    FuzzTarget("exif") { bytes in
      _ = EXIFReader.metadata(in: bytes)
      let upright = EXIFReader.upright(bytes)
      try FuzzFailure.unless(upright.count == bytes.count, "an upright block has another size")
      // A block that was changed says so.
      try FuzzFailure.unless(
        upright == bytes || EXIFReader.metadata(in: upright).orientation == .up,
        "an upright block is not upright")
    },
    FuzzTarget("color-profile") { bytes in
      guard let profile = ColorProfile(icc: bytes) else { return }
      let ramp = (0..<27).map { UInt8($0 * 9) }
      _ = profile.toSRGB(RGBImage(width: 9, height: 1, pixels: ramp))
    },
    FuzzTarget("motion-jpeg") { bytes in
      let whole = pictures(in: bytes, pieces: bytes.count)
      // However the stream is cut, the same pictures are in it.
      try FuzzFailure.unless(whole == pictures(in: bytes, pieces: 7), "pieces make other pictures")
    },
  ]

  /// Takes small pictures only: what large ones cost is bounded, but slow.
  private static let decoder = {
    var decoder = PhotoDecoder()
    decoder.limits.pixels = 1 << 18
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
    // Where data are damaged libde265 leaves pixels as the memory was, and calls that a success.
    guard let strict, PhotoFormat(of: bytes) != .heic else { return }
    try FuzzFailure.unless(strict == whole, "lenient decodes another picture")
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
