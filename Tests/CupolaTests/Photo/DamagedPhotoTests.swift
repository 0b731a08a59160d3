import Testing

@testable import Cupola

@Suite("Damaged photos") struct DamagedPhotoTests {
  static let strict = decoder(lenient: false)
  static let lenient = decoder(lenient: true)

  /// A decoder that refuses the large pictures that damage may claim: they would only take time.
  private static func decoder(lenient: Bool) -> PhotoDecoder {
    var decoder = PhotoDecoder()
    decoder.limits.pixels = 100_000
    decoder.lenient = lenient
    return decoder
  }

  /// Checks a photo that was cut short: never accepted, or else with all its rows.
  static func checkCut(_ photo: ArraySlice<UInt8>) {
    let photo = Array(photo)
    #expect(throws: CupolaError.self, "\(photo.count) bytes") { try strict.open(photo).image() }
    if let picture = try? lenient.open(photo).image() {
      #expect(picture.pixels.count == 33 * 21 * 3, "\(photo.count) bytes")
    }
  }

  @Test("A photo cut at any byte is refused, or shown whole when that is accepted")
  func everyLength() throws {
    let photo = try Fixtures.jpeg("grey")
    for length in photo.indices { Self.checkCut(photo[..<length]) }
  }

  @Test("So is every kind of photo, at twenty lengths", arguments: Fixtures.jpegNames)
  func twentyLengths(name: String) throws {
    let photo = try Fixtures.jpeg(name)
    for step in 0..<20 { Self.checkCut(photo[..<(photo.count * step / 20)]) }
  }

  @Test("A photo that ends early is told from one that cannot be decoded")
  func kinds() throws {
    let photo = try Fixtures.jpeg("baseline-444")
    let short = Array(photo.dropLast(200))
    #expect { try Self.strict.open(short).image() } throws: { ($0 as? CupolaError).isTruncatedJPEG }
    let picture = try Self.lenient.open(short).image()
    // The rows above the cut are as they were.
    let whole = try Self.strict.open(photo).image()
    #expect(picture[0, 0] == whole[0, 0] && picture != whole)
    let header = Array(photo.prefix(60))
    #expect { try Self.lenient.open(header).image() } throws: { ($0 as? CupolaError).isDamagedJPEG }
  }

  @Test("Flipped bytes never crash the decoder", arguments: Fixtures.jpegNames)
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
