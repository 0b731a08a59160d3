import Testing

@testable import Cupola

@Suite("Sample conversion") struct SampleConversionTests {
  @Test("Gray samples are repeated")
  func gray() {
    #expect(SampleConversion.rgb(gray: [0, 9, 255]) == [0, 0, 0, 9, 9, 9, 255, 255, 255])
  }

  @Test("The fourth sample of each pixel is left out, and a pixel that is not whole")
  func padded() {
    #expect(SampleConversion.rgb(paddedRGB: [1, 2, 3, 255, 4, 5, 6, 0, 7]) == [1, 2, 3, 4, 5, 6])
    #expect(SampleConversion.rgb(paddedRGB: []) == [])
  }

  @Test("Inks are multiplied with black and rounded to the nearest")
  func inverted() {
    for ink in 0...255 {
      let black = (ink * 89 + 31) % 256
      let samples = [UInt8(ink), 255, 0, UInt8(black)]
      let expected = (Double(ink * black) / 255).rounded()
      #expect(
        SampleConversion.rgb(cmyk: samples, inverted: true) == [UInt8(expected), UInt8(black), 0])
    }
  }

  @Test("Samples that are not inverted mean the opposite")
  func plain() {
    let samples: [UInt8] = [0, 10, 200, 0, 30, 60, 90, 120]
    let opposite = samples.map { 255 - $0 }
    #expect(
      SampleConversion.rgb(cmyk: samples, inverted: false)
        == SampleConversion.rgb(cmyk: opposite, inverted: true))
    #expect(SampleConversion.rgb(cmyk: [0, 0, 0, 0], inverted: false) == [255, 255, 255])
  }

  @Test("A file of four inks without Adobe's marker is not inverted")
  func withoutMarker() throws {
    let photo = try Fixtures.jpeg("cmyk")
    let adobe = try #require(
      photo.indices.first { photo[$0...].starts(with: [0xFF, 0xEE, 0, 14]) })
    let plain = Array(photo[..<adobe] + photo[(adobe + 16)...])
    let (one, other) = (
      try PhotoDecoder().open(photo).image(), try PhotoDecoder().open(plain).image()
    )
    // The first pixel has no black ink: its light and that of its opposite are told apart.
    #expect(one[0, 0] != other[0, 0] && one.pixels.count == other.pixels.count)
  }
}
