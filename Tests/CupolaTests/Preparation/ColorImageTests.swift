import Testing

@testable import Cupola

@Suite("Color image") struct ColorImageTests {
  @Test(
    "Resized planes are those of the area resampler before it rounds",
    arguments: [(20, 14), (32, 16), (17, 9), (9, 17), (33, 33), (1, 8), (8, 1), (100, 30)])
  func resampler(from: Int, to: Int) {
    let (height, newHeight) = (from + 3, max(1, to - 1))
    let picture = RGBImage.random(from, height, seed: UInt64(from))
    let whole = Region(x: 0, y: 0, width: from, height: height)
    let rounded = AreaResampler.resize(picture, region: whole, width: to, height: newHeight)
    let planes = ColorImage(picture).resized(width: to, height: newHeight)
    #expect(planes.width == to && planes.height == newHeight)
    for (channel, plane) in [planes.red, planes.green, planes.blue].enumerated() {
      let expected = stride(from: channel, to: rounded.pixels.count, by: 3).map {
        Double(rounded.pixels[$0])
      }
      #expect(largestDifference(plane, expected) <= 0.5 + 1e-4)
    }
  }

  @Test("In its own size a picture stays to the last bit")
  func same() {
    let picture = ColorImage(.random(15, 12, seed: 2))
    let again = picture.resized(width: 15, height: 12)
    #expect(again.red == picture.red && again.green == picture.green && again.blue == picture.blue)
  }

  @Test("One color stays so", arguments: [(40, 28), (28, 40)])
  func constant(from: Int, to: Int) {
    let picture = ColorImage(.gray(from, from) { _, _ in 201 }).resized(width: to, height: to)
    let expected = [Double](repeating: 201, count: to * to)
    for plane in [picture.red, picture.green, picture.blue] {
      #expect(largestDifference(plane, expected) < 1e-3)
    }
  }

  @Test("Luma is that of the gray picture, exactly")
  func luma() {
    let picture = RGBImage.random(31, 17, seed: 5)
    #expect(ColorImage(picture).luma == GrayImage(luma: picture))
  }
}
