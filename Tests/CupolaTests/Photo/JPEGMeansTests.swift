import Testing

@testable import Cupola

@Suite("Means of a progressive JPEG") struct JPEGMeansTests {
  private static func means(_ bytes: [UInt8], lenient: Bool = false) throws -> RGBImage {
    let header = try JPEGHeader(of: bytes)
    return try JPEGMeans(bytes, header, JPEGScans(of: bytes, header)).picture(lenient: lenient)
  }

  @Test("They are libjpeg's picture of an eighth, to the level where no color is subsampled")
  func exact() throws {
    let bytes = try Fixtures.jpeg("progressive-444")
    let expected = try JPEGCodec.decode(bytes, scale: 1, lenient: false)
    let found = try Self.means(bytes)
    #expect(found.width == 5 && found.height == 3)
    let most = zip(found.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(most) <= 1)
  }

  @Test("Subsampled color is coarser, and luma the same")
  func subsampled() throws {
    let bytes = try Fixtures.jpeg("progressive")
    let expected = try JPEGCodec.decode(bytes, scale: 1, lenient: false)
    let found = try Self.means(bytes)
    let lumas = [found, expected].map(Self.luma)
    let differences = zip(lumas[0], lumas[1]).map { abs($0 - $1) }
    // Samples outside 0...255 are cut after their color is added.
    #expect(differences.filter { $0 > 2 }.count <= 2)
  }

  private static func luma(_ image: RGBImage) -> [Double] {
    stride(from: 0, to: image.pixels.count, by: 3).map { at in
      let (red, green) = (Double(image.pixels[at]), Double(image.pixels[at + 1]))
      return 0.299 * red + 0.587 * green + 0.114 * Double(image.pixels[at + 2])
    }
  }

  @Test("A baseline JPEG has no scans of means")
  func baseline() throws {
    #expect {
      try Self.means(try Fixtures.jpeg("baseline-444"))
    } throws: {
      if case .pictureTooCostly(.jpeg, _) = $0 as? CupolaError { true } else { false }
    }
  }

  @Test("Every cut and every spoilt byte is an error or a picture")
  func damaged() throws {
    let bytes = try Fixtures.jpeg("progressive-444")
    for count in 0..<bytes.count { _ = try? Self.means(Array(bytes.prefix(count)), lenient: true) }
    var generator = SplitMix64(seed: 3)
    for _ in 0..<3000 {
      var spoilt = bytes
      spoilt[Int(generator.next() % UInt64(bytes.count))] = UInt8(generator.next() & 255)
      // Sizes stay small: the decoder looks at those before.
      guard let header = try? JPEGHeader(of: spoilt), header.width * header.height < 100_000 else {
        continue
      }
      _ = try? Self.means(spoilt)
    }
  }

  @Test("Data that end early are told, or are gray")
  func truncated() throws {
    let bytes = try Fixtures.jpeg("progressive-444")
    let header = try JPEGHeader(of: bytes)
    let first = try #require(JPEGScans(of: bytes, header).all.first)
    let cut = Array(bytes.prefix(first.end - 4))
    #expect(throws: CupolaError.truncatedPhoto(.jpeg, "the picture data are damaged or end early"))
    {
      try Self.means(cut)
    }
    #expect(try Self.means(cut, lenient: true).width == 5)
  }

  @Test("Data that end behind any scan are told: a later one may bring another bit of the means")
  func truncatedLater() throws {
    let bytes = try Fixtures.jpeg("progressive-444")
    let scans = JPEGScans(of: bytes, try JPEGHeader(of: bytes))
    #expect(scans.endWithPicture && scans.all.count > 3)
    for scan in scans.all {
      let cut = Array(bytes.prefix(scan.end))
      let error = CupolaError.truncatedPhoto(.jpeg, "the picture data are damaged or end early")
      #expect(throws: error) { try Self.means(cut) }
      #expect(try Self.means(cut, lenient: true).width == 5)
    }
  }

  @Test("A scan that ends early is told although whole ones follow")
  func truncatedScan() throws {
    let bytes = try Fixtures.jpeg("progressive-444")
    let header = try JPEGHeader(of: bytes)
    let first = try #require(JPEGScans(of: bytes, header).all.first)
    let scan = try #require(JPEGMarkers.anySegment(in: bytes, from: first.start))
    let cut = bytes.prefix(scan.payload.endIndex + 2) + bytes.dropFirst(first.end)
    #expect(throws: CupolaError.truncatedPhoto(.jpeg, "the picture data are damaged or end early"))
    {
      try Self.means(Array(cut))
    }
    #expect(try Self.means(Array(cut), lenient: true).width == 5)
  }
}
