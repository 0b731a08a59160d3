/// A picture of one 32-bit float sample a pixel, in gray levels 0...255, rows from the top.
package struct GrayImage: Equatable, Sendable {
  /// Columns.
  package let width: Int
  /// Rows.
  package let height: Int
  /// `width * height` samples, row-major.
  package let samples: [Float]

  /// Wraps samples that are already in memory.
  package init(width: Int, height: Int, samples: [Float]) {
    precondition(
      samples.count == width * height, "\(samples.count) samples given, \(width)x\(height) needed")
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// The luma of a picture: `(77 R + 150 G + 29 B) / 256`.
  ///
  /// These dyadic weights make every luma an exact 32-bit float, so every runtime finds the same.
  package init(luma image: RGBImage) {
    width = image.width
    height = image.height
    let pixels = image.pixels.span
    let count = width * height
    samples = [Float](capacity: count) { output in
      for pixel in 0..<count {
        let red = Int32(pixels[3 * pixel])
        let green = Int32(pixels[3 * pixel + 1])
        let blue = Int32(pixels[3 * pixel + 2])
        output.append(Float(77 &* red &+ 150 &* green &+ 29 &* blue) * (1 / 256))
      }
    }
  }

  /// The mean of every 2x2 pixels: half the width and height, exact in 32-bit float.
  package func halved() -> GrayImage {
    precondition(width.isMultiple(of: 2) && height.isMultiple(of: 2), "odd size \(width)x\(height)")
    let half = width / 2
    let means = [Float](capacity: half * (height / 2)) { output in
      for y in 0..<height / 2 {
        let upper = samples.span.extracting(2 * y * width..<(2 * y + 1) * width)
        let lower = samples.span.extracting((2 * y + 1) * width..<(2 * y + 2) * width)
        for x in 0..<half {
          let sum = (upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1])
          output.append(sum * 0.25)
        }
      }
    }
    return GrayImage(width: half, height: height / 2, samples: means)
  }
}
