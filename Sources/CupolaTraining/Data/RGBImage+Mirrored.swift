internal import Cupola

extension RGBImage {
  /// The same with left and right exchanged.
  var mirrored: RGBImage {
    var mirrored: [UInt8] = []
    mirrored.reserveCapacity(pixels.count)
    for y in 0..<height {
      for x in (0..<width).reversed() {
        let start = 3 * (y * width + x)
        mirrored += pixels[start..<start + 3]
      }
    }
    return RGBImage(width: width, height: height, pixels: mirrored)
  }
}
