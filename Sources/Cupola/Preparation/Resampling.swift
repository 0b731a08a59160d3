// Resizes pictures by exact area averaging.
//
// 1. `AxisTaps` lists, for each sample of a resized axis, the source samples that it is made of, and their weights.
// 2. `AreaResampler` resizes 8-bit pictures and camera frames in whole numbers.
// 3. `PlaneResampler` resizes planes of floats with the same weights, which `TapTable` orders for vector code.

/// Resizes by exact area averaging, specified to the last sample.
///
/// Along an axis from `m` to `n` samples, where `m >= n`, the weight of source sample `i` for output
/// `j` is the length of the overlap of `[i n, (i+1) n)` with `[j m, (j+1) m)`; the weights sum to `m`.
/// Where `m < n` the two nearest source samples are interpolated linearly between pixel centers, with
/// weights that sum to `2n`. A sample is the weighted sum over both axes divided by both totals,
/// rounded half up. All of it is integer arithmetic, so every platform gets the same picture.
package struct AreaResampler: Sendable {
  private let width: Int
  private let height: Int
  private let columns: AxisTaps
  private let rows: AxisTaps
  private let scale: Double
  /// Nearly always: then sums over both axes are, too.
  private let fitsIn32Bits: Bool
  /// Over the rows that make one row of the result, and one that counts for nothing.
  private var sums: [UInt32]

  /// From regions of `width` x `height` to pictures of `newWidth` x `newHeight` pixels.
  init(width: Int, height: Int, toWidth newWidth: Int, height newHeight: Int) {
    self.width = width
    self.height = height
    columns = AxisTaps(from: width, to: newWidth)
    rows = AxisTaps(from: height, to: newHeight)
    scale = 1 / (Double(columns.total) * Double(rows.total))
    fitsIn32Bits = 255 * rows.total * columns.total <= UInt32.max
    sums = [UInt32](repeating: 0, count: width * 3 + 1)
  }

  /// Whether it takes regions of such a size.
  func takes(_ region: Region) -> Bool { region.width == width && region.height == height }

  /// The region of the picture, resized to `width` x `height`.
  package static func resize(
    _ image: RGBImage, region: Region, width: Int, height: Int
  ) -> RGBImage {
    var result = RGBImage(width: width, height: height)
    var resampler = AreaResampler(
      width: region.width, height: region.height, toWidth: width, height: height)
    resampler.resample(image, region: region, into: &result)
    return result
  }

  /// Writes the resized region of a picture over another.
  mutating func resample(_ image: RGBImage, region: Region, into result: inout RGBImage) {
    precondition(
      region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0
        && region.x + region.width <= image.width && region.y + region.height <= image.height,
      "region \(region) outside a picture of \(image.width)x\(image.height)")
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

  /// The same of a frame.
  ///
  /// - Parameters:
  ///   - region: as it is stored.
  ///   - row: memory for 3 bytes a column of the region.
  mutating func resample(
    _ frame: borrowing CameraFrame, region: Region, row: inout [UInt8],
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
          // Neighboring rows of the result share one.
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

  private mutating func addRows(of j: Int, _ image: RGBImage, _ region: Region) {
    clearSums()
    // The weights of a row of the result sum to the number of rows: up to 16 million of them x 255 stay below 2^32.
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

  /// The same of pictures so large that sums take more bits.
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

  /// Half up, exactly: a tie is 1e-9 above its neighbors' reach, and a quotient that is no tie is at
  /// least `scale / 2` (5e-9 at 100 megapixels) away from one.
  private func rounded(_ sum: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: Int(Double(sum) * scale + 0.500000001))
  }
}

/// For each output sample along one axis, the source samples it is made of and their weights.
struct AxisTaps: Sendable {
  /// Output samples.
  let count: Int
  /// What the weights of every output sample sum to.
  let total: Int
  /// For all outputs one after the other: index of a source sample.
  private(set) var source: [Int] = []
  /// Its weight.
  private(set) var weight: [UInt32] = []
  /// Where the taps of each output start in `source` and `weight`, and where the last one's end.
  private(set) var starts: [Int] = []
  /// Source samples.
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

  /// Where the taps of output `index` stand in `source` and `weight`.
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

/// Resizes planes of floats from one size to another with the weights of ``AreaResampler``: two products with
/// constant matrices, which is how exported models do it.
struct PlaneResampler: Sendable {
  private let columns: TapTable
  private let rows: AxisTaps
  private let rowWeights: [Float]
  /// One row of sums.
  private var sums: [Float]

  init(width: Int, height: Int, toWidth newWidth: Int, height newHeight: Int) {
    columns = TapTable(AxisTaps(from: width, to: newWidth))
    rows = AxisTaps(from: height, to: newHeight)
    let rowScale = 1 / Float(rows.total)
    rowWeights = rows.weight.map { Float($0) * rowScale }
    sums = [Float](repeating: 0, count: width)
  }

  /// - Parameter target: as many samples as the new size has.
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

/// The taps of an axis as a table, for sums of many outputs at a time: first taps of all outputs, then second ones, and so
/// on; where an output has fewer, source 0 with weight 0.
struct TapTable: Sendable {
  /// Outputs.
  let count: Int
  /// The most taps of an output.
  let depth: Int
  /// Samples that an axis has at least.
  let sampled: Int
  /// `depth * count`.
  let sources: [UInt32]
  /// The same number, for each output summing to 1.
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
