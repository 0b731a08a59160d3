/// A picture of three planes of 32-bit floats, red, green and blue in gray levels 0...255.
struct ColorImage {
  let width: Int
  let height: Int
  /// `width * height` samples each, row-major.
  let red: [Float]
  let green: [Float]
  let blue: [Float]

  init(width: Int, height: Int, red: [Float], green: [Float], blue: [Float]) {
    self.width = width
    self.height = height
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The samples of a picture as floats.
  init(_ image: RGBImage) {
    func plane(_ offset: Int) -> [Float] {
      let pixels = image.pixels.span
      let count = image.width * image.height
      return [Float](capacity: count) { output in
        for pixel in 0..<count { output.append(Float(pixels[3 * pixel + offset])) }
      }
    }
    self.init(
      width: image.width, height: image.height, red: plane(0), green: plane(1), blue: plane(2))
  }

  /// The luma: `(77 R + 150 G + 29 B) / 256`.
  var luma: GrayImage {
    let (r, g, b) = (red.span, green.span, blue.span)
    let samples = [Float](capacity: r.count) { output in
      for pixel in 0..<r.count {
        output.append((77 * r[pixel] + 150 * g[pixel] + 29 * b[pixel]) * (1 / 256))
      }
    }
    return GrayImage(width: width, height: height, samples: samples)
  }

  /// The picture made smaller by area averaging, unrounded.
  func resized(width newWidth: Int, height newHeight: Int) -> ColorImage {
    let columns = AxisTaps(from: width, to: newWidth)
    let rows = AxisTaps(from: height, to: newHeight)
    func plane(_ samples: [Float]) -> [Float] {
      PlaneResampler.resize(samples, width: width, columns: columns, rows: rows)
    }
    return ColorImage(
      width: newWidth, height: newHeight, red: plane(red), green: plane(green), blue: plane(blue))
  }
}

/// Resizes a plane of floats with the weights of ``AreaResampler``: two products with constant
/// matrices, which is how exported models do it.
enum PlaneResampler {
  static func resize(
    _ samples: [Float], width: Int, columns: AxisTaps, rows: AxisTaps
  ) -> [Float] {
    let columnScale = 1 / Float(columns.total)
    let columnWeights = columns.weight.map { Float($0) * columnScale }
    let rowScale = 1 / Float(rows.total)
    let source = samples.span
    return [Float](capacity: columns.count * rows.count) { output in
      var sums = [Float](repeating: 0, count: width)
      for j in 0..<rows.count {
        var target = sums.mutableSpan
        for x in 0..<target.count { target[x] = 0 }
        for tap in rows.range(of: j) {
          let start = rows.source[tap] * width
          add(
            source.extracting(start..<start + width), times: Float(rows.weight[tap]) * rowScale,
            to: &target)
        }
        for i in 0..<columns.count {
          var sum: Float = 0
          for tap in columns.range(of: i) { sum += sums[columns.source[tap]] * columnWeights[tap] }
          output.append(sum)
        }
      }
    }
  }

  private static func add(
    _ row: Span<Float>, times weight: Float, to sums: inout MutableSpan<Float>
  ) {
    precondition(row.count == sums.count)
    for x in 0..<row.count { sums[x] += weight * row[x] }
  }
}
