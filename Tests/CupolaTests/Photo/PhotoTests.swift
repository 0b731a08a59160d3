import Testing

@testable import Cupola

@Suite("Photo") struct PhotoTests {
  @Test("A photo that was decoded ahead gives the same pictures, of these sides and of others")
  func ahead() throws {
    let photo = try PhotoDecoder().open(PhotoDecoderTests.soft())
    let ahead = try photo.decoded(forSide: 24)
    for (width, height) in [(24, 24), (24, 48), (48, 24), (160, 96), (.max, .max)] {
      #expect(
        try ahead.image(minimumWidth: width, minimumHeight: height)
          == photo.image(minimumWidth: width, minimumHeight: height))
    }
    #expect(photo.timing[.decode] == nil && ahead.timing[.decode] != nil)
    #expect(ahead.metadata == photo.metadata && ahead.bytes == photo.bytes)
  }

  @Test("Ahead or not, a damaged picture is an error")
  func damaged() throws {
    let whole = try PhotoDecoderTests.soft()
    let photo = try PhotoDecoder().open(whole.prefix(whole.count * 3 / 4))
    #expect(throws: CupolaError.self) { try photo.decoded(forSide: 24) }
  }
}
