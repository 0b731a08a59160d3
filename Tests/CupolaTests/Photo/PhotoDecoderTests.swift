import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Photo decoder") struct PhotoDecoderTests {
  @Test(
    "Every color type matches another decoder exactly",
    arguments: [
      "baseline-420", "baseline-444", "progressive", "progressive-444", "grey", "rgb", "cmyk",
      "ycck",
    ])
  func colors(name: String) throws {
    let picture = try PhotoDecoder().open(Fixtures.jpeg(name)).image()
    #expect(picture == (try Fixtures.expectedPicture(name)))
  }

  @Test(
    "A photo with a damaged EXIF block is decoded upright",
    arguments: ["exif-loop", "exif-past-end", "exif-zero-denominator"])
  func damagedEXIF(name: String) throws {
    let picture = try PhotoDecoder().open(Fixtures.jpeg(name)).image()
    #expect(picture == (try Fixtures.expectedPicture("orientation-3")))
    #expect(try !PhotoDecoder().open(Fixtures.jpeg(name)).metadata.faults.isEmpty)
  }

  @Test("Fill bytes after the image data are ignored")
  func trailing() throws {
    let photo = try Fixtures.jpeg("grey")
    let padded = photo + [UInt8](repeating: 0, count: 100)
    #expect(try PhotoDecoder().open(padded).image() == PhotoDecoder().open(photo).image())
  }

  static func soft(_ exif: [UInt8] = []) throws -> [UInt8] {
    let picture = RGBImage.gray(160, 96) { x, y in UInt8(40 + x / 2 + y) }
    return try JPEGEncoder.encode(picture, quality: 95, exif: exif)
  }

  @Test(
    "The scale is the smallest multiple of 1/8 that suffices",
    arguments: [
      (1, 1, 20, 12), (20, 12, 20, 12), (21, 12, 40, 24), (20, 13, 40, 24), (64, 64, 120, 72),
      (100, 60, 100, 60), (159, 1, 160, 96), (160, 96, 160, 96), (161, 1, 160, 96),
      (Int.max, Int.max, 160, 96),
    ])
  func scaling(needed: (Int, Int, Int, Int)) throws {
    let (width, height) = (needed.0, needed.1)
    let picture = try PhotoDecoder().open(Self.soft()).image(
      minimumWidth: width, minimumHeight: height)
    #expect(picture.width == needed.2 && picture.height == needed.3)
    // A smooth image differs little from its area average.
    let whole = RGBImage.gray(160, 96) { x, y in UInt8(40 + x / 2 + y) }
    let expected = AreaResampler.resize(
      whole, region: PixelRect(x: 0, y: 0, width: 160, height: 96), width: picture.width,
      height: picture.height)
    #expect(largestDifference(picture, expected) <= 4)
  }

  @Test("Odd sizes are rounded up, as in libjpeg", arguments: 1...8)
  func oddScaling(eighths: Int) throws {
    let (width, height) = ((33 * eighths + 7) / 8, (21 * eighths + 7) / 8)
    let picture = try PhotoDecoder().open(Fixtures.jpeg("baseline-444")).image(
      minimumWidth: width, minimumHeight: height)
    #expect(picture.width == width && picture.height == height)
  }

  @Test("The required size refers to the upright photo")
  func sideways() throws {
    let exif = EXIFBuilder().payload([EXIFBuilder.Tag.orientation: .short(6)])
    let picture = try PhotoDecoder().open(Self.soft(exif)).image(
      minimumWidth: 12, minimumHeight: 20)
    #expect(picture.width == 12 && picture.height == 20)
    let larger = try PhotoDecoder().open(Self.soft(exif)).image(minimumWidth: 13, minimumHeight: 20)
    #expect(larger.width == 24 && larger.height == 40)
  }

  @Test("A file above the byte limit is rejected")
  func byteLimit() throws {
    let photo = try Fixtures.jpeg("grey")
    var decoder = PhotoDecoder()
    decoder.maximumBytes = photo.count
    _ = try decoder.open(photo).image()
    decoder.maximumBytes -= 1
    let error = CupolaError.file(.tooLarge(bytes: photo.count, limit: photo.count - 1))
    #expect(throws: error) { try decoder.open(photo) }
  }

  @Test("A photo above the pixel limit is rejected")
  func pixelLimit() throws {
    let photo = try Fixtures.jpeg("grey")
    var decoder = PhotoDecoder()
    decoder.maximumPixels = 33 * 21
    _ = try decoder.open(photo).image()
    decoder.maximumPixels -= 1
    #expect(throws: CupolaError.pictureTooLarge(width: 33, height: 21, limit: 33 * 21 - 1)) {
      try decoder.open(photo)
    }
  }

  @Test(
    "A header that claims a huge size is rejected before allocation",
    arguments: ["baseline-420", "progressive", "cmyk"])
  func hugeClaim(name: String) throws {
    let photo = try Self.patched(Fixtures.jpeg(name), width: 65_500, height: 65_500)
    let error = CupolaError.pictureTooLarge(width: 65_500, height: 65_500, limit: 100_000_000)
    #expect(throws: error) { try PhotoDecoder().open(photo) }
  }

  @Test("A photo without columns or rows is damaged", arguments: [(0, 21), (33, 0), (0, 0)])
  func emptyClaim(width: Int, height: Int) throws {
    let photo = try Self.patched(Fixtures.jpeg("grey"), width: width, height: height)
    #expect { try PhotoDecoder().open(photo).image() } throws: {
      ($0 as? CupolaError).isDamagedJPEG
    }
  }

  static func patched(_ photo: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    let frame = try #require(
      photo.indices.first { at in
        photo[at] == 0xFF && at + 8 < photo.count && [0xC0, 0xC2].contains(photo[at + 1])
          && Array(photo[at + 5..<at + 9]) == [0, 21, 0, 33]
      })
    var photo = photo
    photo[frame + 5] = UInt8(height >> 8)
    photo[frame + 6] = UInt8(height & 255)
    photo[frame + 7] = UInt8(width >> 8)
    photo[frame + 8] = UInt8(width & 255)
    return photo
  }

  @Test(
    "An unsupported format is named",
    arguments: [
      ("picture.png", PhotoFormat.png), ("picture.webp", .webp), ("picture.gif", .gif),
      ("header.heic", .heic),
    ])
  func otherFormats(file: String, format: PhotoFormat) throws {
    let bytes = try Fixtures.bytes("jpeg/\(file)")
    #expect(throws: CupolaError.unsupportedFormat(format)) { try PhotoDecoder().open(bytes) }
  }

  @Test("An empty file is rejected as empty")
  func empty() {
    #expect(throws: CupolaError.unsupportedFormat(.empty)) { try PhotoDecoder().open([]) }
  }
}

extension CupolaError? {
  /// Whether the error reports a damaged photo.
  var isDamagedJPEG: Bool { if case .damagedPhoto = self { true } else { false } }

  /// Whether the error reports a truncated photo.
  var isTruncatedJPEG: Bool { if case .truncatedPhoto = self { true } else { false } }
}

@Suite("Damaged photos") struct DamagedPhotoTests {
  static let strict = decoder(lenient: false)
  static let lenient = decoder(lenient: true)

  private static func decoder(lenient: Bool) -> PhotoDecoder {
    var decoder = PhotoDecoder()
    decoder.maximumPixels = 100_000
    decoder.lenient = lenient
    return decoder
  }

  static func checkCut(_ photo: ArraySlice<UInt8>) {
    let photo = Array(photo)
    #expect(throws: CupolaError.self, "\(photo.count) bytes") { try strict.open(photo).image() }
    if let picture = try? lenient.open(photo).image() {
      #expect(picture.pixels.count == 33 * 21 * 3, "\(photo.count) bytes")
    }
  }

  @Test("A photo truncated at any byte is rejected, or complete if lenient")
  func everyLength() throws {
    let photo = try Fixtures.jpeg("grey")
    for length in photo.indices { Self.checkCut(photo[..<length]) }
  }

  @Test(
    "Every kind of truncated photo is rejected at twenty lengths", arguments: Fixtures.jpegNames)
  func twentyLengths(name: String) throws {
    let photo = try Fixtures.jpeg(name)
    for step in 0..<20 { Self.checkCut(photo[..<(photo.count * step / 20)]) }
  }

  @Test("A truncated photo differs from a photo that cannot be decoded")
  func kinds() throws {
    let photo = try Fixtures.jpeg("baseline-444")
    let short = Array(photo.dropLast(200))
    #expect { try Self.strict.open(short).image() } throws: { ($0 as? CupolaError).isTruncatedJPEG }
    let picture = try Self.lenient.open(short).image()
    // The rows above the cut are unchanged.
    let whole = try Self.strict.open(photo).image()
    #expect(picture[0, 0] == whole[0, 0] && picture != whole)
    let header = Array(photo.prefix(60))
    #expect { try Self.lenient.open(header).image() } throws: { ($0 as? CupolaError).isDamagedJPEG }
  }

  @Test("Changed bytes never crash the decoder", arguments: Fixtures.jpegNames)
  func corruption(name: String) throws {
    let photo = try Fixtures.jpeg(name)
    var generator = SplitMix64(seed: UInt64(photo.count))
    for variant in 0..<20 {
      var damaged = photo
      for _ in 0...variant % 8 {
        let place = Int.random(in: 2..<photo.count, using: &generator)
        damaged[place] = UInt8.random(in: 0...255, using: &generator)
      }
      for decoder in [Self.strict, Self.lenient] {
        guard let picture = try? decoder.open(damaged).image() else { continue }
        let header = try JPEGHeader(of: damaged)
        #expect(picture.pixels.count == header.width * header.height * 3)
      }
    }
  }

  @Test("Random bytes after the JPEG marker never crash the decoder")
  func noise() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let count = Int.random(in: 0...300, using: &generator)
      let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(throws: CupolaError.self) {
        try Self.lenient.open([0xFF, 0xD8, 0xFF] + noise).image()
      }
    }
  }
}
