import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("JPEG header") struct JPEGHeaderTests {
  static let start: [UInt8] = [0xFF, 0xD8]
  static let frame = segment(0xC0, [8, 0, 3, 3, 2, 1, 1, 0x11, 0])

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
  }

  static func exif(_ bytes: [UInt8]) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + bytes) }

  static func header(_ parts: [UInt8]...) throws -> JPEGHeader {
    try JPEGHeader(of: start + parts.flatMap { $0 })
  }

  static func expectDamaged(_ parts: [UInt8]...) {
    #expect { try JPEGHeader(of: start + parts.flatMap { $0 }) } throws: {
      ($0 as? CupolaError).isDamagedJPEG
    }
  }

  @Test(
    "Every kind of frame header has the size",
    arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF])
  func frames(marker: UInt8) throws {
    let header = try Self.header([0xFF, marker] + Self.frame.dropFirst(2))
    #expect(header.width == 770 && header.height == 3 && header.exif == [])
  }

  @Test(
    "Tables and extensions are not frame headers", arguments: [0xC4, 0xC8, 0xCC])
  func noFrames(marker: UInt8) throws {
    let header = try Self.header(Self.segment(marker, [8, 0, 9, 0, 9, 1, 1, 0x11, 0]), Self.frame)
    #expect(header.width == 770)
  }

  @Test("The EXIF block is found after other segments")
  func exifBlock() throws {
    let name = Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    let header = try Self.header(
      Self.segment(0xE0, [1, 2]), name, Self.exif([7, 8, 9]), Self.segment(0xFE, []), Self.frame)
    #expect(header.exif == [[7, 8, 9]])
  }

  @Test("All EXIF blocks are found, and blocks without a TIFF header continue the one before")
  func severalBlocks() throws {
    let (first, second) = (EXIFBuilder().block([:]), EXIFBuilder(bigEndian: true).block([:]))
    let header = try Self.header(
      Self.exif(first), Self.exif([1, 2]), Self.exif(second), Self.frame)
    #expect(header.exif == [first + [1, 2], second])
  }

  @Test(
    "Rare kinds of JPEG are named",
    arguments: [
      (0xC0, 8, nil), (0xC1, 12, "12-bit JPEG"), (0xC2, 8, nil), (0xC3, 8, "lossless JPEG"),
      (0xC3, 16, "lossless JPEG"), (0xC5, 8, "hierarchical JPEG"), (0xF7, 8, "JPEG-LS"),
    ] as [(UInt8, UInt8, String?)])
  func rareKinds(marker: UInt8, bits: UInt8, kind: String?) throws {
    let header = try Self.header([0xFF, marker, 0, 11, bits] + Self.frame.dropFirst(5))
    #expect(header.rareKind == kind && header.width == 770)
  }

  @Test("An EXIF block may be empty, but needs its complete name")
  func shortBlocks() throws {
    #expect(try Self.header(Self.exif([]), Self.frame).exif == [[]])
    #expect(try Self.header(Self.segment(0xE1, Array("Exif\0".utf8)), Self.frame).exif == [])
    #expect(try Self.header(Self.segment(0xE1, []), Self.frame).exif == [])
  }

  @Test("Fill bytes and markers without a length may be between segments")
  func filling() throws {
    let header = try Self.header(
      [0xFF, 0xFF, 0xFF], Self.exif([5]), [0x00, 0x12], [0xFF, 0x01], [0xFF, 0xD3], [0xFF, 0x00],
      Self.frame)
    #expect(header.width == 770 && header.exif == [[5]])
  }

  @Test("A truncated frame header is damaged", arguments: 0...5)
  func shortFrame(length: Int) {
    Self.expectDamaged(
      Self.segment(0xC0, Array(Self.frame.dropFirst(4).prefix(length))), [0, 0, 0])
  }

  @Test("A file truncated in its headers is damaged")
  func everyLength() {
    let parts = Self.exif([1, 2, 3]) + Self.frame
    for length in parts.indices { Self.expectDamaged(Array(parts[..<length])) }
  }

  @Test("Image data or the end before the frame header is damage", arguments: [0xDA, 0xD9])
  func noFrame(marker: UInt8) { Self.expectDamaged(Self.segment(marker, [1, 2]), Self.frame) }

  @Test("A segment shorter than its own length field is damaged", arguments: [0, 1])
  func impossibleLength(length: UInt8) {
    Self.expectDamaged([0xFF, 0xE5, 0, length], Self.frame)
  }

  @Test("The sizes of real JPEGs are read", arguments: ["baseline-420", "progressive", "ycck"])
  func fixtures(name: String) throws {
    let header = try JPEGHeader(of: Fixtures.jpeg(name))
    #expect(header.width == 33 && header.height == 21)
  }
}

@Suite("JPEG decoder") struct JPEGDecoderTests {
  @Test(
    "Decoding at 1/8 scale matches another decoder exactly",
    arguments: [
      "eighth-420", "eighth-422", "eighth-444", "eighth-restarts-420", "eighth-restarts-422",
    ])
  func eighths(name: String) throws {
    let expected = try Fixtures.tensors("jpeg/eighths.safetensors").picture(name)
    let photo = try PhotoDecoder().open(Fixtures.jpeg(name))
    #expect(try photo.image(minimumWidth: 10, minimumHeight: 10) == expected)
  }

  @Test(
    "Every color type is decoded at 1/8 scale",
    arguments: ["progressive", "progressive-444", "grey", "rgb", "cmyk", "ycck"])
  func kinds(name: String) throws {
    let photo = try PhotoDecoder().open(Fixtures.jpeg(name))
    let eighth = try photo.image(minimumWidth: 4, minimumHeight: 2)
    let whole = try AreaResampler.resize(
      photo.image(), region: PixelRect(x: 0, y: 0, width: 32, height: 16), width: 4, height: 2)
    #expect(eighth.width == 5 && eighth.height == 3)
    for (x, y) in [(0, 0), (3, 0), (0, 1), (3, 1)] {
      for (found, expected) in zip(eighth[x, y], whole[x, y]) {
        #expect(abs(Int(found) - Int(expected)) <= 2, "\(x) \(y)")
      }
    }
  }

  @Test("Truncated data throw at every scale, or are gray if lenient", arguments: [1, 20, 160])
  func truncated(width: Int) throws {
    let bytes = try Fixtures.jpeg("eighth-420")
    let whole = try PhotoDecoder().open(bytes).image(minimumWidth: width, minimumHeight: 1)
    let cut = bytes.prefix(bytes.count / 2)
    #expect {
      try PhotoDecoder().open(cut).image(minimumWidth: width, minimumHeight: 1)
    } throws: {
      ($0 as? CupolaError).isTruncatedJPEG
    }
    var lenient = PhotoDecoder()
    lenient.lenient = true
    let picture = try lenient.open(cut).image(minimumWidth: width, minimumHeight: 1)
    #expect(picture.width == whole.width && picture.height == whole.height)
    #expect(picture[0, 0] == whole[0, 0] && picture != whole)
  }

  @Test(
    "Extra bytes before a marker are harmless",
    arguments: [
      ("eighth-420", 0xD9), ("eighth-420", 0xDB), ("eighth-420", 0xC4), ("progressive", 0xD9),
      ("progressive", 0xDA), ("eighth-restarts-420", 0xD1), ("eighth-restarts-420", 0xD9),
    ] as [(String, UInt8)], [1, 2, 5, 600])
  func extraBytes(place: (name: String, marker: UInt8), count: Int) throws {
    let bytes = try Fixtures.jpeg(place.name)
    let at = try #require(
      bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == place.marker })
    let padded = bytes[..<at] + [UInt8](repeating: 0x11, count: count) + bytes[at...]
    #expect(try PhotoDecoder().open(padded).image() == PhotoDecoder().open(bytes).image())
    let cut = bytes[..<(bytes.count - 20)] + [UInt8](repeating: 0x11, count: count)
    #expect { try PhotoDecoder().open(cut).image() } throws: {
      ($0 as? CupolaError).isTruncatedJPEG
    }
  }

  #if !canImport(ImageIO)
    @Test(
      "A photo of a rare kind is named as such",
      arguments: [(4, 12, "12-bit JPEG"), (1, 0xC3, "lossless JPEG")] as [(Int, UInt8, String)])
    func rareKinds(offset: Int, value: UInt8, kind: String) throws {
      var bytes = try Fixtures.jpeg("baseline-420")
      let frame = try #require(
        bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
      bytes[frame + offset] = value
      #expect(throws: CupolaError.unsupportedKind(kind)) { try PhotoDecoder().open(bytes).image() }
      #expect(CupolaError.unsupportedKind(kind).message.contains("export it"))
    }
  #endif

  @Test("A progressive file that ends after any scan is truncated")
  func truncatedScans() throws {
    let bytes = try Fixtures.jpeg("progressive-444")
    let scans = try Self.scans(of: bytes)
    #expect(scans.count > 3)
    for scan in scans {
      #expect {
        try PhotoDecoder().open(bytes.prefix(scan.upperBound)).image(
          minimumWidth: 4, minimumHeight: 2)
      } throws: {
        ($0 as? CupolaError).isTruncatedJPEG
      }
    }
  }

  private static func claim(_ name: String, _ width: Int, _ height: Int) throws -> [UInt8] {
    try PhotoDecoderTests.patched(Fixtures.jpeg(name), width: width, height: height)
  }

  private static func cost(_ bytes: [UInt8], isTurned: Bool = false) throws -> JPEGCost {
    JPEGCost(bytes, try JPEGHeader(of: bytes), isTurned: isTurned)
  }

  /// The byte ranges of scans, each including the preceding non-scan segments.
  private static func scans(of bytes: [UInt8]) throws -> [Range<Int>] {
    var scans: [Range<Int>] = []
    var at = try JPEGHeader(of: bytes).end
    while let next = JPEGMarkers.anySegment(in: bytes, from: at) {
      let start = at
      at = next.payload.endIndex
      guard next.marker == JPEGMarkers.startOfScan else { continue }
      at = JPEGMarkers.endOfData(in: bytes.span, from: at)
      scans.append(start..<at)
    }
    return scans
  }

  @Test("A small photo is decoded at the requested scale", arguments: 1...8)
  func small(scale: Int) throws {
    #expect(try Self.cost(Fixtures.jpeg("baseline-420")).scale(wanted: scale) == scale)
  }

  @Test("A large photo is decoded smaller to limit memory")
  func large() throws {
    // 300 MB in full, 230 MB at 7/8, 169 MB at 6/8.
    let bytes = try Self.claim("baseline-444", 10_000, 10_000)
    #expect(try Self.cost(bytes).scale(wanted: 8) == 6)
    #expect(try Self.cost(bytes).scale(wanted: 1) == 1)
    // Rotation needs a second copy of the pixels.
    #expect(try Self.cost(bytes, isTurned: true).scale(wanted: 8) == 4)
  }

  @Test("A progressive photo that needs too much memory is rejected")
  func coefficients() throws {
    // 3 bytes per pixel with subsampled color, 6 without.
    #expect(try Self.cost(Self.claim("progressive", 8000, 6000)).scale(wanted: 1) == 1)
    let refused = try Self.claim("progressive-444", 8000, 6000)
    var decoder = PhotoDecoder()
    decoder.lenient = true
    let error = CupolaError.pictureTooCostly(
      .jpeg, "progressive JPEG of 8000 x 6000 pixels needs 290 MB to decode")
    #expect(throws: error) {
      try decoder.open(refused).image(minimumWidth: 1, minimumHeight: 1)
    }
    #expect(error.message.hasSuffix("; save it as a baseline JPEG or resize it"))
    #expect(throws: CupolaError.self) {
      try Self.cost(Self.claim("progressive", 10_000, 10_000)).scale(wanted: 1)
    }
  }

  @Test("Too many scans are rejected before decoding")
  func scans() throws {
    let bytes = try Fixtures.jpeg("progressive-444")
    let last = try #require(try Self.scans(of: bytes).last)
    func repeated(_ count: Int) -> [UInt8] {
      let scan = (0..<count).flatMap { _ in bytes[last] }
      return bytes.prefix(last.upperBound) + scan + [0xFF, 0xD9]
    }
    #expect(throws: CupolaError.pictureTooCostly(.jpeg, "more than 200 progressive scans")) {
      try PhotoDecoder().open(repeated(300)).image()
    }
    let wide = try PhotoDecoderTests.patched(repeated(90), width: 4000, height: 3000)
    #expect {
      try PhotoDecoder().open(wide).image()
    } throws: {
      guard case .pictureTooCostly(.jpeg, let reason) = $0 as? CupolaError else { return false }
      return reason.hasSuffix("progressive scans of 12 megapixels")
    }
    var strict = PhotoDecoder()
    strict.maximumScans = 16
    #expect(throws: CupolaError.pictureTooCostly(.jpeg, "more than 16 progressive scans")) {
      try strict.open(repeated(16))
    }
    #expect(throws: Never.self) { try strict.open(bytes) }
    // Repeated bits are a separate fault.
    var decoder = PhotoDecoder()
    decoder.lenient = true
    #expect(throws: Never.self) { try decoder.open(repeated(20)).image() }
  }
}

@Suite("JPEG encoder") struct JPEGEncoderTests {
  @Test("A uniform image survives a round trip", arguments: [(1, 1), (8, 8), (17, 3)])
  func flat(width: Int, height: Int) throws {
    let picture = RGBImage.gray(width, height) { _, _ in 93 }
    let decoded = try PhotoDecoder().open(JPEGEncoder.encode(picture)).image()
    #expect(largestDifference(decoded, picture) <= 1)
  }

  @Test("Higher quality is more accurate and takes more bytes")
  func quality() throws {
    let picture = RGBImage.gray(48, 40) { x, y in UInt8((x * 5 + y * y) % 200) }
    let files = try [10, 60, 100].map { try JPEGEncoder.encode(picture, quality: $0) }
    #expect(files[0].count < files[1].count && files[1].count < files[2].count)
    #expect(largestDifference(try PhotoDecoder().open(files[2]).image(), picture) <= 4)
  }

  @Test("Noise at the best quality fits the buffer", arguments: [1, 7, 64])
  func noise(side: Int) throws {
    let picture = RGBImage.random(side, side, seed: 1)
    let decoded = try PhotoDecoder().open(JPEGEncoder.encode(picture, quality: 100)).image()
    #expect(decoded.width == side && decoded.height == side)
  }

  @Test("A written EXIF block is found again")
  func exif() throws {
    let payload = EXIFBuilder().payload([EXIFBuilder.Tag.gps: .directory(EXIFBuilder.place)])
    let photo = try JPEGEncoder.encode(.gray(8, 8) { _, _ in 1 }, exif: payload)
    let position = try #require(try PhotoDecoder().open(photo).metadata.position)
    #expect(position.latitude == -12.5 && position.longitude == -77.01)
  }

  @Test("Equal images yield equal files")
  func repeatable() throws {
    let picture = RGBImage.random(20, 30, seed: 3)
    #expect(try JPEGEncoder.encode(picture) == JPEGEncoder.encode(picture))
  }
}
