/// A picture of three planes of 32-bit floats, red, green and blue in gray levels 0...255.
struct ColorImage: Sendable {
  let width: Int
  let height: Int
  /// `width * height` samples each, row-major.
  private(set) var red: [Float]
  private(set) var green: [Float]
  private(set) var blue: [Float]

  /// A black picture.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    red = [Float](repeating: 0, count: width * height)
    green = red
    blue = red
  }

  /// Becomes the samples of a picture of the same size, as floats.
  mutating func read(_ image: RGBImage) {
    precondition(image.width == width && image.height == height, "a picture of another size")
    WideRows.readPlanes(of: image.pixels, red: &red, green: &green, blue: &blue)
  }

  /// Becomes a larger picture made smaller by area averaging, unrounded.
  mutating func read(_ larger: ColorImage, resampledBy resampler: inout PlaneResampler) {
    resampler.resample(larger.red, into: &red)
    resampler.resample(larger.green, into: &green)
    resampler.resample(larger.blue, into: &blue)
  }
}
