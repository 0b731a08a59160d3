extension RGBImage {
  /// A picture of decoded samples: with alpha it lies over white, and of another profile it becomes sRGB.
  ///
  /// - Parameter channels: samples a pixel: 3 RGB, 4 with alpha.
  init(width: Int, height: Int, samples: [UInt8], channels: Int, profile: ColorProfile?) {
    let pixels = channels == 4 ? SampleConversion.rgb(rgba: samples) : samples
    let image = RGBImage(width: width, height: height, pixels: pixels)
    self = profile?.toSRGB(image) ?? image
  }
}

/// Converts decoded samples of other color types to RGB.
enum SampleConversion {
  /// Repeats each gray sample three times.
  static func rgb(gray samples: [UInt8]) -> [UInt8] {
    [UInt8](capacity: samples.count * 3) { output in
      for sample in samples {
        output.append(sample)
        output.append(sample)
        output.append(sample)
      }
    }
  }

  /// Leaves out the fourth sample of each pixel.
  static func rgb(paddedRGB samples: [UInt8]) -> [UInt8] {
    [UInt8](capacity: samples.count / 4 * 3) { output in
      for at in stride(from: 0, to: samples.count / 4 * 4, by: 4) {
        output.append(samples[at])
        output.append(samples[at + 1])
        output.append(samples[at + 2])
      }
    }
  }

  /// Lays pixels with alpha over white.
  static func rgb(rgba samples: [UInt8]) -> [UInt8] {
    [UInt8](capacity: samples.count / 4 * 3) { output in
      let source = samples.span
      for at in stride(from: 0, to: samples.count / 4 * 4, by: 4) {
        let alpha = Int(source[at + 3])
        for channel in 0..<3 {
          let sum = Int(source[at + channel]) * alpha + 255 * (255 - alpha)
          output.append(UInt8((sum + 127) / 255))
        }
      }
    }
  }

  /// Multiplies each ink's light with the black ink's: `R = C * K / 255` of inverted samples.
  ///
  /// Adobe programs store 255 for "no ink" (inverted); others store 0. No ICC profile is applied.
  static func rgb(cmyk samples: [UInt8], inverted: Bool) -> [UInt8] {
    [UInt8](capacity: samples.count / 4 * 3) { output in
      let flip: UInt8 = inverted ? 0 : 255
      for pixel in 0..<samples.count / 4 {
        let black = Int(samples[4 * pixel + 3] ^ flip)
        for ink in 0..<3 {
          output.append(UInt8((Int(samples[4 * pixel + ink] ^ flip) * black + 127) / 255))
        }
      }
    }
  }
}
