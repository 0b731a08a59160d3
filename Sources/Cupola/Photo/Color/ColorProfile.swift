/// What the RGB samples of a picture mean, where that is not sRGB: curves and a matrix (ICC.1:2022, 8.3.3).
///
/// Phones that write Display P3 give their photos such a profile; taken for sRGB they would look pale.
/// Profiles of other kinds (tables, gray, CMYK) are left aside.
struct ColorProfile: Sendable {
  /// The light of each of 256 samples, 0...1; one a channel.
  private let curves: [[Float]]
  /// From light in the profile's colors to light in sRGB's, row by row.
  private let matrix: [Float]

  /// Samples that differ by no more than this are the same color.
  private static let leastDifference = 2

  /// `nil` when the profile is none of curves and a matrix, is damaged, or is that of sRGB.
  init?(icc bytes: [UInt8]) {
    guard let tags = ICCTags(bytes) else { return nil }
    var curves: [[Float]] = []
    var colorants: [Double] = []
    for channel in ["r", "g", "b"] {
      guard let curve = tags.curve(channel + "TRC"), let color = tags.xyz(channel + "XYZ") else {
        return nil
      }
      let light = (0...255).map { curve.light(Double($0) / 255) }
      guard light.allSatisfy(\.isFinite) else { return nil }
      curves.append(light.map { Float(min(max($0, 0), 1)) })
      colorants += color
    }
    self.init(curves: curves, colorants: colorants)
    if isSRGB { return nil }
  }

  private init(curves: [[Float]], colorants: [Double]) {
    self.curves = curves
    matrix = (0..<9).map { index in
      let (row, column) = (index / 3, index % 3)
      return Float(
        (0..<3).reduce(0) { $0 + Self.fromXYZ[3 * row + $1] * colorants[3 * column + $1] })
    }
  }

  /// Display P3 with sRGB's curve, which HEIF files may name by a number (ISO/IEC 23091-2: 12).
  static let displayP3 = ColorProfile(
    curves: [[Float]](
      repeating: (0...255).map { Float(ToneCurve.sRGB.light(Double($0) / 255)) }, count: 3),
    colorants: [0.51512, 0.24120, -0.00105, 0.29198, 0.69225, 0.04189, 0.15710, 0.06657, 0.78407])

  /// Light of sRGB from colors under D50, as profiles give them (the inverse of sRGB's colorants, Bradford).
  private static let fromXYZ = [
    3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.0334540, 0.0719453, -0.2289914,
    1.4052427,
  ]

  /// The sRGB samples of so many parts of light; fine enough where the curve is steepest.
  private static let samples: [UInt8] = (0...16_384).map { index in
    UInt8((255 * ToneCurve.sRGBSample(Double(index) / 16_384)).rounded())
  }

  private var isSRGB: Bool {
    let levels = stride(from: 0, through: 255, by: 51).map { UInt8($0) }
    let pixels = levels.flatMap { r in levels.flatMap { g in levels.flatMap { [r, g, $0] } } }
    return zip(pixels, converted(pixels)).allSatisfy {
      abs(Int($0) - Int($1)) <= Self.leastDifference
    }
  }

  /// The picture in sRGB; colors outside of it become the nearest on each channel.
  func toSRGB(_ image: RGBImage) -> RGBImage {
    RGBImage(width: image.width, height: image.height, pixels: converted(image.pixels))
  }

  private func converted(_ pixels: [UInt8]) -> [UInt8] {
    let samples = Self.samples
    let last = Float(samples.count - 1)
    return [UInt8](capacity: pixels.count) { output in
      let source = pixels.span
      for at in stride(from: 0, to: pixels.count / 3 * 3, by: 3) {
        let red = curves[0][Int(source[at])]
        let green = curves[1][Int(source[at + 1])]
        let blue = curves[2][Int(source[at + 2])]
        for row in 0..<3 {
          let light =
            matrix[3 * row] * red + matrix[3 * row + 1] * green + matrix[3 * row + 2] * blue
          output.append(samples[Int(min(max(light, 0), 1) * last + 0.5)])
        }
      }
    }
  }
}
