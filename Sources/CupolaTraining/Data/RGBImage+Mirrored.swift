internal import Cupola

extension RGBImage {
  /// The same with left and right exchanged.
  var mirrored: RGBImage {
    let source = pixels.span
    let mirrored = [UInt8](capacity: pixels.count) { output in
      for y in 0..<height {
        var start = 3 * (y + 1) * width
        for _ in 0..<width {
          start -= 3
          for channel in 0..<3 { output.append(source[start + channel]) }
        }
      }
    }
    return RGBImage(width: width, height: height, pixels: mirrored)
  }
}
