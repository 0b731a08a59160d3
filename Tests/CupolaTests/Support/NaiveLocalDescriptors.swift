import Foundation

@testable import Cupola

struct NaiveLocalHOG {
  let image: GrayImage

  /// The votes of a pixel for 8 directions, by parallelogram decomposition; zero outside the image.
  private func votes(_ x: Int, _ y: Int) -> [Double] {
    guard (0..<image.width).contains(x), (0..<image.height).contains(y) else {
      return [Double](repeating: 0, count: 8)
    }
    let gradient = NaiveHOG(hog: .standard, image: image).gradient(x, y)
    func cross(_ bin: Int) -> Double {
      let angle = Double(bin) * .pi / 4
      return gradient.x * sin(angle) - gradient.y * cos(angle)
    }
    return (0..<8).map { max(0, min(cross($0 + 1), -cross($0 - 1))) / sin(.pi / 4) }
  }

  /// The votes around a pixel in a triangular window of 7x7.
  func cell(_ x: Int, _ y: Int) -> [Double] {
    var sums = [Double](repeating: 0, count: 8)
    for down in -3...3 {
      for across in -3...3 {
        let weight = (1 - Double(abs(down)) / 4) * (1 - Double(abs(across)) / 4)
        for (bin, vote) in votes(x + across, y + down).enumerated() { sums[bin] += weight * vote }
      }
    }
    return sums
  }

  /// The squared descriptor of a patch, given the center of its first cell; the values sum to 1.
  func squares(left: Int, top: Int) -> [Double] {
    var values: [Double] = []
    for j in 0..<4 { for i in 0..<4 { values += cell(left + 4 * i, top + 4 * j) } }
    let norm = values.reduce(0) { $0 + $1 * $1 }.squareRoot() + 0.01
    let clipped = values.map { min($0 / norm, 0.2) }
    let sum = clipped.reduce(0, +) + 1e-6
    return clipped.map { $0 / sum }
  }
}

struct NaiveLocalColor {
  let image: RGBImage

  private func opponents(_ x: Int, _ y: Int) -> [Double] {
    let sample = image[x, y].map { Double($0) / 255 }
    let (r, g, b) = (sample[0], sample[1], sample[2])
    return [(r + g + b) / 3, (r - g) / 2.0.squareRoot(), (r + g - 2 * b) / 6.0.squareRoot()]
  }

  /// Three means and three variances of the pixels in a block.
  func moments(_ columns: Range<Int>, _ rows: Range<Int>) -> [Double] {
    let pixels = rows.flatMap { y in columns.map { x in opponents(x, y) } }
    let means = (0..<3).map { channel in
      pixels.reduce(0) { $0 + $1[channel] } / Double(pixels.count)
    }
    let variances = (0..<3).map { channel in
      let mean = means[channel]
      return pixels.reduce(0) { $0 + ($1[channel] - mean) * ($1[channel] - mean) }
        / Double(pixels.count)
    }
    return means + variances
  }

  /// Means and variances of the cells of a patch, given the center of its first cell.
  func patch(left: Int, top: Int) -> [Double] {
    var values: [Double] = []
    for j in 0..<4 {
      for i in 0..<4 {
        let (x, y) = (left + 4 * i, top + 4 * j)
        values += moments(x - 2..<x + 2, y - 2..<y + 2)
      }
    }
    return values
  }
}
