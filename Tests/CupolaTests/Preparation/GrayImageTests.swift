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
    "Gray keeps its level, and colors have theirs",
    arguments: [
      ([0, 0, 0], 0), ([255, 255, 255], 255), ([90, 90, 90], 90), ([255, 0, 0], 76.699_218_75),
      ([0, 255, 0], 149.414_062_5), ([0, 0, 255], 28.886_718_75),
    ] as [([UInt8], Float)])
  func levels(pixel: [UInt8], luma: Float) {
    #expect(GrayImage(luma: RGBImage(width: 1, height: 1, pixels: pixel)).samples == [luma])
  }

  @Test("Halving takes exact means of 2x2 pixels")
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

  @Test("A picture of odd size cannot be halved")
  func odd() async {
    await #expect(processExitsWith: .failure) {
      _ = GrayImage(width: 3, height: 2, samples: [0, 0, 0, 0, 0, 0]).halved()
    }
  }
}
