import Testing

@testable import Cupola

@Suite("What a JPEG may cost") struct JPEGCostTests {
  /// A file of one of the fixtures that claims another size.
  private static func claim(_ name: String, _ width: Int, _ height: Int) throws -> [UInt8] {
    try PhotoDecoderTests.patched(Fixtures.jpeg(name), width: width, height: height)
  }

  private static func cost(_ bytes: [UInt8], isTurned: Bool = false) throws -> JPEGCost {
    let header = try JPEGHeader(of: bytes)
    return JPEGCost(header, JPEGScans(of: bytes, header), isTurned: isTurned)
  }

  @Test("A small picture is decoded at the scale that is wanted", arguments: 1...8)
  func small(scale: Int) throws {
    #expect(try Self.cost(Fixtures.jpeg("baseline-420")).scale(wanted: scale) == scale)
  }

  @Test("A large one comes smaller than wanted where its memory would be too much")
  func large() throws {
    // 300 MB in full, 230 MB at 7/8, 169 MB at 6/8.
    let bytes = try Self.claim("baseline-444", 10_000, 10_000)
    #expect(try Self.cost(bytes).scale(wanted: 8) == 6)
    #expect(try Self.cost(bytes).scale(wanted: 1) == 1)
    // Turned, the picture is there twice.
    #expect(try Self.cost(bytes, isTurned: true).scale(wanted: 8) == 4)
  }

  @Test("Coefficients count where a picture comes in several scans")
  func coefficients() throws {
    // 3 bytes a pixel with subsampled color, 6 without.
    #expect(try Self.cost(Self.claim("progressive", 8000, 6000)).fits)
    #expect(try !Self.cost(Self.claim("progressive", 10_000, 10_000)).fits)
    #expect(try !Self.cost(Self.claim("progressive-444", 8000, 6000)).fits)
  }

  @Test("A progressive photo of 100 megapixels is seen at an eighth, whatever is wanted")
  func huge() throws {
    var decoder = PhotoDecoder()
    decoder.lenient = true
    let picture = try decoder.open(Self.claim("progressive-444", 10_000, 10_000)).image()
    #expect(picture.width == 1250 && picture.height == 1250)
  }

  @Test("Too many scans are refused with the reason, before any is decoded")
  func scans() throws {
    let bytes = try Fixtures.jpeg("progressive-444")
    let header = try JPEGHeader(of: bytes)
    let last = try #require(JPEGScans(of: bytes, header).all.last)
    func repeated(_ count: Int) -> [UInt8] {
      let scan = (0..<count).flatMap { _ in bytes[last.start..<last.end] }
      return bytes.prefix(last.end) + scan + [0xFF, 0xD9]
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
    // A bit that comes twice is a fault of its own.
    var decoder = PhotoDecoder()
    decoder.lenient = true
    #expect(throws: Never.self) { try decoder.open(repeated(20)).image() }
  }
}
