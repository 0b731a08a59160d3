// Resize images by exact area averaging:
// 1. `AxisTaps` lists the source samples and weights of each output sample along one axis.
// 2. `AreaResampler` resizes 8-bit images and camera frames with integer arithmetic.
// 3. `PlaneResampler` resizes float planes with the same weights, ordered by `TapTable` for vector code.

/// Resizes images by area averaging with an exactly defined result.
/// To reduce `m` to `n` samples along an axis (`m >= n`), the weight of source sample `i` for output `j` is the overlap
/// of `[i n, (i+1) n)` and `[j m, (j+1) m)`; the weights sum to `m`. To enlarge (`m < n`), the two nearest source
/// samples are interpolated linearly between pixel centers, with weights that sum to `2n`. An output sample is the
/// weighted sum over both axes divided by both totals, rounded half up. Integer arithmetic produces the same image on
/// every platform.
package struct AreaResampler: Sendable {
  private let width: Int
  private let height: Int
  private let columns: AxisTaps
  private let rows: AxisTaps
  private let scale: Double
  /// Whether the sums over both axes fit in 32 bits, which is almost always true.
  private let fitsIn32Bits: Bool
  /// Sums over the source rows of one output row, plus one unused element.
  private var sums: [UInt32]

  /// Resizes regions of `width` x `height` to images of `newWidth` x `newHeight` pixels.
  init(width: Int, height: Int, toWidth newWidth: Int, height newHeight: Int) {
    self.width = width
    self.height = height
    columns = AxisTaps(from: width, to: newWidth)
    rows = AxisTaps(from: height, to: newHeight)
    scale = 1 / (Double(columns.total) * Double(rows.total))
    fitsIn32Bits = 255 * rows.total * columns.total <= UInt32.max
    sums = [UInt32](repeating: 0, count: width * 3 + 1)
  }

  func takes(_ region: PixelRect) -> Bool { region.width == width && region.height == height }

  /// Returns an image whose width and height are multiplied by a number.
  package static func scaled(_ image: RGBImage, by scale: Double) -> RGBImage {
    resize(
      image, region: PixelRect(x: 0, y: 0, width: image.width, height: image.height),
      width: max(1, Int(Double(image.width) * scale)),
      height: max(1, Int(Double(image.height) * scale)))
  }

  package static func resize(
    _ image: RGBImage, region: PixelRect, width: Int, height: Int
  ) -> RGBImage {
    var result = RGBImage(width: width, height: height)
    var resampler = AreaResampler(
      width: region.width, height: region.height, toWidth: width, height: height)
    resampler.resample(image, region: region, into: &result)
    return result
  }

  mutating func resample(_ image: RGBImage, region: PixelRect, into result: inout RGBImage) {
    precondition(
      region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0
        && region.x + region.width <= image.width && region.y + region.height <= image.height,
      "region \(region) is outside the \(image.width)x\(image.height) image")
    precondition(takes(region) && result.width == columns.count && result.height == rows.count)
    if region.width == result.width, region.height == result.height, image.width == result.width,
      image.height == result.height
    {
      result = image
      return
    }
    for j in 0..<rows.count {
      addRows(of: j, image, region)
      writeRow(j, into: &result.pixels)
    }
  }

  /// Writes the resized region of a frame, in stored orientation, into `result`.
  mutating func resample(
    _ frame: borrowing CameraFrame, region: PixelRect, row: inout [UInt8],
    into result: inout RGBImage
  ) {
    precondition(
      takes(region) && region.x + width <= frame.width && region.y + height <= frame.height
        && result.width == columns.count && result.height == rows.count && row.count == 3 * width)
    var read = -1
    for j in 0..<rows.count {
      clearSums()
      for tap in rows.range(of: j) {
        if read != rows.source[tap] {
          // Adjacent output rows share this source row.
          read = rows.source[tap]
          var target = row.mutableSpan
          frame.read(row: region.y + read, from: region.x, into: &target)
        }
        WideRows.add(row, in: 0..<3 * width, times: rows.weight[tap], to: &sums)
      }
      writeRow(j, into: &result.pixels)
    }
  }

  private mutating func clearSums() {
    var target = sums.mutableSpan
    for x in target.indices { target[x] = 0 }
  }

  private mutating func addRows(of j: Int, _ image: RGBImage, _ region: PixelRect) {
    clearSums()
    // The weights of an output row sum to the number of source rows, and 16 million times 255 fits in 32 bits.
    for tap in rows.range(of: j) {
      let start = ((region.y + rows.source[tap]) * image.width + region.x) * 3
      WideRows.add(
        image.pixels, in: start..<start + 3 * width, times: rows.weight[tap], to: &sums)
    }
  }

  private func writeRow(_ j: Int, into pixels: inout [UInt8]) {
    let first = j * columns.count
    if fitsIn32Bits {
      WideRows.writePixels(of: sums, taps: columns, scale: scale, from: first, into: &pixels)
    } else {
      var all = pixels.mutableSpan
      var row = all._mutatingExtracting(3 * first..<3 * (first + columns.count))
      writeWideRow(into: &row)
    }
  }

  private func writeWideRow(into output: inout MutableSpan<UInt8>) {
    let sums = sums.span
    for i in 0..<columns.count {
      var (red, green, blue): (UInt64, UInt64, UInt64) = (0, 0, 0)
      for tap in columns.range(of: i) {
        let at = 3 * columns.source[tap]
        let weight = UInt64(columns.weight[tap])
        red &+= weight &* UInt64(sums[at])
        green &+= weight &* UInt64(sums[at + 1])
        blue &+= weight &* UInt64(sums[at + 2])
      }
      output[3 * i] = rounded(red)
      output[3 * i + 1] = rounded(green)
      output[3 * i + 2] = rounded(blue)
    }
  }

  /// Rounds exactly, half up. Adding 1e-9 corrects ties that the rounding error moved down. Other quotients are at
  /// least `scale / 2` (5e-9 at 100 megapixels) away from a tie.
  private func rounded(_ sum: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: Int(Double(sum) * scale + 0.500000001))
  }
}

/// The source samples and weights of each output sample along one axis.
struct AxisTaps: Sendable {
  let count: Int
  /// The sum of the weights of each output sample.
  let total: Int
  /// Source indexes, grouped by output sample.
  private(set) var source: [Int] = []
  private(set) var weight: [UInt32] = []
  /// The start of each output sample in `source` and `weight`, followed by the total count.
  private(set) var starts: [Int] = []
  let sources: Int

  init(from m: Int, to n: Int) {
    precondition(m > 0 && n > 0, "resampling \(m) to \(n) samples")
    (count, sources) = (n, m)
    total = m >= n ? m : 2 * n
    for j in 0..<n {
      starts.append(source.count)
      if m >= n { average(j, m, n) } else { interpolate(j, m, n) }
    }
    starts.append(source.count)
  }

  func range(of index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

  private mutating func average(_ j: Int, _ m: Int, _ n: Int) {
    for i in (j * m / n)...(((j + 1) * m - 1) / n) {
      source.append(i)
      weight.append(UInt32(min((i + 1) * n, (j + 1) * m) - max(i * n, j * m)))
    }
  }

  private mutating func interpolate(_ j: Int, _ m: Int, _ n: Int) {
    let position = (2 * j + 1) * m - n
    let lower = position < 0 ? -1 : position / (2 * n)
    let fraction = position - lower * 2 * n
    for (i, share) in [(lower, 2 * n - fraction), (lower + 1, fraction)] where share > 0 {
      source.append(min(max(i, 0), m - 1))
      weight.append(UInt32(share))
    }
  }
}

/// Resizes float planes with the same weights as ``AreaResampler``.
/// Equivalent to two products with constant matrices, which exported models use.
struct PlaneResampler: Sendable {
  private let columns: TapTable
  private let rows: AxisTaps
  private let rowWeights: [Float]
  private var sums: [Float]

  init(width: Int, height: Int, toWidth newWidth: Int, height newHeight: Int) {
    columns = TapTable(AxisTaps(from: width, to: newWidth))
    rows = AxisTaps(from: height, to: newHeight)
    let rowScale = 1 / Float(rows.total)
    rowWeights = rows.weight.map { Float($0) * rowScale }
    sums = [Float](repeating: 0, count: width)
  }

  mutating func resample(_ samples: [Float], into target: inout [Float]) {
    for j in 0..<rows.count {
      addRows(of: j, samples.span)
      WideRows.writeSums(of: sums, taps: columns, into: &target, from: j * columns.count)
    }
  }

  private mutating func addRows(of j: Int, _ samples: Span<Float>) {
    let (rows, weights, width) = (rows, rowWeights, sums.count)
    var target = sums.mutableSpan
    for x in 0..<width { target[x] = 0 }
    for tap in rows.range(of: j) {
      let start = rows.source[tap] * width
      Self.add(samples.extracting(start..<start + width), times: weights[tap], to: &target)
    }
  }

  private static func add(
    _ row: Span<Float>, times weight: Float, to sums: inout MutableSpan<Float>
  ) {
    precondition(row.count == sums.count)
    for x in 0..<row.count { sums[x] += weight * row[x] }
  }
}

/// The taps of an axis as a table: the first taps of all outputs, then the second taps, and so on.
/// This order lets vector code compute many outputs at once. Missing taps have source 0 and weight 0.
struct TapTable: Sendable {
  let count: Int
  let depth: Int
  let sampled: Int
  let sources: [UInt32]
  /// `depth * count` weights; the weights of each output sum to 1.
  let weights: [Float]

  init(_ taps: AxisTaps) {
    count = taps.count
    sampled = taps.sources
    let depth = (0..<taps.count).map { taps.range(of: $0).count }.max() ?? 0
    self.depth = depth
    var sources = [UInt32](repeating: 0, count: depth * taps.count)
    var weights = [Float](repeating: 0, count: depth * taps.count)
    let scale = 1 / Float(taps.total)
    for output in 0..<taps.count {
      for (place, tap) in taps.range(of: output).enumerated() {
        sources[place * taps.count + output] = UInt32(taps.source[tap])
        weights[place * taps.count + output] = Float(taps.weight[tap]) * scale
      }
    }
    self.sources = sources
    self.weights = weights
  }
}
