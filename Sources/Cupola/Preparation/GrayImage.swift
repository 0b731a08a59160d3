// 1. `GrayImage` holds an image's luma, exact in 32-bit float.
// 2. `halved` averages blocks of 2x2 pixels.
// 3. `ColorImage` splits an image into planes, which an area resampler reduces.

/// An image with one 32-bit float sample (0 to 255) per pixel. Rows run from top to bottom.
package struct GrayImage: Equatable, Sendable {
  package let width: Int
  package let height: Int
  /// `width * height` samples, row-major.
  package private(set) var samples: [Float]

  package init(width: Int, height: Int, samples: [Float]) {
    precondition(
      samples.count == width * height, "\(samples.count) samples, expected \(width)x\(height)")
    self.width = width
    self.height = height
    self.samples = samples
  }

  init(width: Int, height: Int) {
    self.init(
      width: width, height: height, samples: [Float](repeating: 0, count: width * height))
  }

  /// Creates the luma of an image: `(77 R + 150 G + 29 B) / 256`.
  /// With these weights, every luma value is exact in 32-bit float, so all runtimes compute the same values.
  package init(luma image: RGBImage) {
    self.init(width: image.width, height: image.height)
    read(lumaOf: image)
  }

  mutating func read(lumaOf image: RGBImage) {
    precondition(image.width == width && image.height == height, "image size mismatch")
    let pixels = image.pixels.span
    var target = samples.mutableSpan
    for pixel in 0..<target.count {
      let red = Int32(pixels[3 * pixel])
      let green = Int32(pixels[3 * pixel + 1])
      let blue = Int32(pixels[3 * pixel + 2])
      target[pixel] = Float(77 &* red &+ 150 &* green &+ 29 &* blue) * (1 / 256)
    }
  }

  mutating func read(lumaOf image: ColorImage) {
    precondition(image.width == width && image.height == height, "image size mismatch")
    let (red, green, blue) = (image.red.span, image.green.span, image.blue.span)
    var target = samples.mutableSpan
    for pixel in 0..<target.count {
      target[pixel] = (77 * red[pixel] + 150 * green[pixel] + 29 * blue[pixel]) * (1 / 256)
    }
  }

  /// Returns the means of all blocks of 2x2 pixels, exact in 32-bit float.
  package func halved() -> GrayImage {
    var half = GrayImage(width: width / 2, height: height / 2)
    half.read(halfOf: self)
    return half
  }

  mutating func read(halfOf image: GrayImage) {
    precondition(
      image.width == 2 * width && image.height == 2 * height,
      "image size mismatch")
    let (width, height) = (width, height)
    let source = image.samples.span
    var all = samples.mutableSpan
    for y in 0..<height {
      let upper = source.extracting(2 * y * image.width..<(2 * y + 1) * image.width)
      let lower = source.extracting((2 * y + 1) * image.width..<(2 * y + 2) * image.width)
      var target = all._mutatingExtracting(y * width..<(y + 1) * width)
      for x in 0..<width {
        let sum = (upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1])
        target[x] = sum * 0.25
      }
    }
  }
}

/// An image with red, green, and blue planes of 32-bit floats, 0 to 255.
struct ColorImage: Sendable {
  let width: Int
  let height: Int
  private(set) var red: [Float]
  private(set) var green: [Float]
  private(set) var blue: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    red = [Float](repeating: 0, count: width * height)
    green = red
    blue = red
  }

  mutating func read(_ image: RGBImage) {
    precondition(image.width == width && image.height == height, "image size mismatch")
    WideRows.readPlanes(of: image.pixels, red: &red, green: &green, blue: &blue)
  }

  /// Overwrites the planes with a larger image, reduced by area averaging without rounding.
  mutating func read(_ larger: ColorImage, resampledBy resampler: inout PlaneResampler) {
    resampler.resample(larger.red, into: &red)
    resampler.resample(larger.green, into: &green)
    resampler.resample(larger.blue, into: &blue)
  }
}
