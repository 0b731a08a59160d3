/// A photo's pixels, and how to read them upright.
struct UprightPhoto {
  let width, height: Int
  private let pixels: [UInt8]
  private let start, right, down: Int

  /// - Parameters:
  ///   - pixels: Four bytes for each pixel (red, green, blue and an unused one), rows from the top.
  ///   - size: The width and height before rotation.
  ///   - orientation: The EXIF orientation, 1 to 8.
  init(_ pixels: [UInt8], size: (width: Int, height: Int), orientation: UInt32) {
    self.pixels = pixels
    let (across, line, last) = (4, 4 * size.width, 4 * size.width * size.height - 4)
    let end = line - 4
    (start, right, down) =
      switch orientation {
      case 2: (end, -across, line)
      case 3: (last, -across, -line)
      case 4: (last - end, across, -line)
      case 5: (0, line, across)
      case 6: (last - end, -line, across)
      case 7: (last, -line, -across)
      case 8: (end, line, -across)
      default: (0, across, line)
      }
    (width, height) = orientation > 4 ? (size.height, size.width) : size
  }

  /// Resizes a part to a square exactly as Cupola does, in the same format as the pixels.
  func squared(
    _ part: (x: Int, y: Int, width: Int, height: Int), side: Int
  ) -> [UInt8] {
    let across = Self.taps(part.width, side)
    var square = [UInt8](repeating: 255, count: 4 * side * side)
    for (y, rows) in Self.taps(part.height, side).enumerated() {
      var sums = [Double](repeating: 0.500000001, count: 3 * side)
      for (row, rowShare) in rows {
        let line = start + right * part.x + down * (part.y + row)
        for (x, columns) in across.enumerated() {
          for (column, share) in columns {
            let (pixel, weight) = (line + right * column, rowShare * share)
            for channel in 0..<3 {
              sums[3 * x + channel] += weight * Double(pixels[pixel + channel])
            }
          }
        }
      }
      for x in 0..<side {
        for channel in 0..<3 { square[4 * (y * side + x) + channel] = UInt8(sums[3 * x + channel]) }
      }
    }
    return square
  }

  /// For each of `count` new samples, the old samples and their weights: area averages, or
  /// interpolation if there are fewer old samples.
  private static func taps(_ size: Int, _ count: Int) -> [[(Int, Double)]] {
    (0..<count).map { sample in
      guard size >= count else {
        let center = (Double(sample) + 0.5) * Double(size) / Double(count) - 0.5
        let place = min(max(center, 0), Double(size - 1))
        let low = Int(place)
        return [
          (low, Double(low + 1) - place), (min(low + 1, size - 1), place - Double(low)),
        ]
      }
      let (first, end) = (sample * size / count, ((sample + 1) * size + count - 1) / count)
      return (first..<end).map { old in
        let overlap = min((old + 1) * count, (sample + 1) * size) - max(old * count, sample * size)
        return (old, Double(overlap) / Double(size))
      }
    }
  }
}
