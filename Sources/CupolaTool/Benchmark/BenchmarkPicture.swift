import Cupola

/// What is timed where nobody names a photo.
enum BenchmarkPicture {
  /// Stripes, squares and noise: something with edges in every direction.
  static func drawn(width: Int, height: Int) -> RGBImage {
    var generator = SplitMix64(seed: 1)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let stripe = (x + y) / 16 % 2 == 0 ? 60 : 0
        let square = (x / 40 + y / 40) % 2 == 0 ? 90 : 30
        for _ in 0..<3 {
          pixels.append(UInt8(stripe + square + generator.below(20)))
        }
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }
}
