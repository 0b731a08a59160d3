@testable import Cupola

extension GrayImage {
  static func random(_ width: Int, _ height: Int, seed: UInt64) -> GrayImage {
    var generator = SplitMix64(seed: seed)
    let samples = (0..<width * height).map { _ in
      Float(UInt8.random(in: 0...255, using: &generator))
    }
    return GrayImage(width: width, height: height, samples: samples)
  }

  init(_ width: Int, _ height: Int, _ level: (Int, Int) -> Float) {
    let samples = (0..<height).flatMap { y in (0..<width).map { x in level(x, y) } }
    self.init(width: width, height: height, samples: samples)
  }

  func map(_ change: (Float) -> Float) -> GrayImage {
    GrayImage(width: width, height: height, samples: samples.map(change))
  }

  subscript(x: Int, y: Int) -> Float { samples[y * width + x] }
}

extension RGBImage {
  static func random(_ width: Int, _ height: Int, seed: UInt64) -> RGBImage {
    var generator = SplitMix64(seed: seed)
    let samples = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return RGBImage(width: width, height: height, pixels: samples)
  }

  /// A gray image from a formula.
  static func gray(_ width: Int, _ height: Int, _ level: (Int, Int) -> UInt8) -> RGBImage {
    let samples = (0..<height).flatMap { y in
      (0..<width).flatMap { x in [UInt8](repeating: level(x, y), count: 3) }
    }
    return RGBImage(width: width, height: height, pixels: samples)
  }

  subscript(x: Int, y: Int) -> [UInt8] {
    let start = 3 * (y * width + x)
    return Array(pixels[start..<start + 3])
  }

  /// A part of the picture, copied pixel by pixel.
  func cropped(to region: PixelRect) -> RGBImage {
    let samples = (region.y..<region.y + region.height).flatMap { y in
      (region.x..<region.x + region.width).flatMap { x in self[x, y] }
    }
    return RGBImage(width: region.width, height: region.height, pixels: samples)
  }
}
