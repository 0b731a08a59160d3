@testable import Cupola

/// A slow reference implementation of area averaging.
enum NaiveResampler {
  /// The weight of source sample `i` for output `j`.
  static func weight(_ i: Int, _ j: Int, from m: Int, to n: Int) -> Int {
    if m >= n { return max(0, min((i + 1) * n, (j + 1) * m) - max(i * n, j * m)) }
    // In units of 1/2n of a source sample: output center (2j+1)m, source center (2i+1)n. Beyond the outermost centers,
    // the outermost sample has all the weight.
    let reach = 2 * n
    let center = min(max((2 * j + 1) * m, n), (2 * m - 1) * n)
    return max(0, reach - abs(center - (2 * i + 1) * n))
  }

  static func total(from m: Int, to n: Int) -> Int { m >= n ? m : 2 * n }

  static func resize(_ image: RGBImage, width: Int, height: Int) -> RGBImage {
    let total =
      Self.total(from: image.width, to: width) * Self.total(from: image.height, to: height)
    var pixels: [UInt8] = []
    for j in 0..<height {
      for i in 0..<width {
        var sums = [0, 0, 0]
        for y in 0..<image.height {
          let rowWeight = weight(y, j, from: image.height, to: height)
          if rowWeight == 0 { continue }
          for x in 0..<image.width {
            let weight = rowWeight * weight(x, i, from: image.width, to: width)
            let pixel = image[x, y]
            for channel in 0..<3 { sums[channel] += weight * Int(pixel[channel]) }
          }
        }
        pixels += sums.map { UInt8((2 * $0 + total) / (2 * total)) }
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }
}
