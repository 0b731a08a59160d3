import Testing

@testable import Cupola

@Suite("Gray image") struct GrayImageTests {
  @Test("Luma is exactly (77 R + 150 G + 29 B) / 256")
  func luma() {
    let picture = RGBImage.random(31, 17, seed: 2)
    let gray = GrayImage(luma: picture)
    for y in 0..<17 {
      for x in 0..<31 {
        let sample = picture[x, y].map(Double.init)
        let luma = (77 * sample[0] + 150 * sample[1] + 29 * sample[2]) / 256
        #expect(Double(gray[x, y]) == luma)
      }
    }
  }

  @Test(
    "Luma of grays and primary colors matches known values",
    arguments: [
      ([0, 0, 0], 0), ([255, 255, 255], 255), ([90, 90, 90], 90), ([255, 0, 0], 76.699_218_75),
      ([0, 255, 0], 149.414_062_5), ([0, 0, 255], 28.886_718_75),
    ] as [([UInt8], Float)])
  func levels(pixel: [UInt8], luma: Float) {
    #expect(GrayImage(luma: RGBImage(width: 1, height: 1, pixels: pixel)).samples == [luma])
  }

  @Test("Halving computes exact means of 2x2 pixels")
  func halved() {
    let gray = GrayImage(luma: .random(14, 10, seed: 3))
    let half = gray.halved()
    #expect(half.width == 7 && half.height == 5)
    for y in 0..<5 {
      for x in 0..<7 {
        let places = [
          (2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1),
        ]
        let mean = places.reduce(0) { $0 + Double(gray[$1.0, $1.1]) } / 4
        #expect(Double(half[x, y]) == mean)
      }
    }
  }

  @Test("Halving an odd size traps")
  func odd() async {
    await #expect(processExitsWith: .failure) {
      _ = GrayImage(width: 3, height: 2, samples: [0, 0, 0, 0, 0, 0]).halved()
    }
  }
}

@Suite("Color image") struct ColorImageTests {
  @Test(
    "Resized planes match the area resampler before rounding",
    arguments: [(20, 14), (32, 16), (17, 9), (9, 17), (33, 33), (1, 8), (8, 1), (100, 30)])
  func resampler(from: Int, to: Int) {
    let (height, newHeight) = (from + 3, max(1, to - 1))
    let picture = RGBImage.random(from, height, seed: UInt64(from))
    let whole = PixelRect(x: 0, y: 0, width: from, height: height)
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

  @Test("An image at its own size is unchanged")
  func same() {
    let picture = ColorImage(.random(15, 12, seed: 2))
    let again = picture.resized(width: 15, height: 12)
    #expect(again.red == picture.red && again.green == picture.green && again.blue == picture.blue)
  }

  @Test("A uniform color stays uniform", arguments: [(40, 28), (28, 40)])
  func constant(from: Int, to: Int) {
    let picture = ColorImage(.gray(from, from) { _, _ in 201 }).resized(width: to, height: to)
    let expected = [Double](repeating: 201, count: to * to)
    for plane in [picture.red, picture.green, picture.blue] {
      #expect(largestDifference(plane, expected) < 1e-3)
    }
  }

  @Test("Luma equals that of the gray image exactly")
  func luma() {
    let picture = RGBImage.random(31, 17, seed: 5)
    #expect(ColorImage(picture).luma == GrayImage(luma: picture))
  }
}
