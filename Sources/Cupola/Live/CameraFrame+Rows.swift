extension CameraFrame {
  /// Writes pixels of a stored row as red, green and blue.
  ///
  /// - Parameters:
  ///   - left: the first column.
  ///   - row: 3 bytes a pixel, as many pixels as are asked for.
  func read(row number: Int, from left: Int, into row: inout MutableSpan<UInt8>) {
    let count = row.count / 3
    switch format {
    case .rgb:
      let source = first.row(number, count: 3 * (left + count)).extracting(
        3 * left..<3 * (left + count))
      for index in 0..<3 * count { row[index] = source[index] }
    case .rgba:
      Self.copy(first.row(number, count: 4 * (left + count)), left, red: 0, blue: 2, &row)
    case .bgra:
      Self.copy(first.row(number, count: 4 * (left + count)), left, red: 2, blue: 0, &row)
    case .nv12(let encoding):
      let chroma = second.row(number / 2, count: 2 * ((left + count + 1) / 2))
      Self.convert(
        first.row(number, count: left + count), from: left,
        Chroma(cb: chroma, cr: chroma, step: 2, crOffset: 1), by: encoding, into: &row)
    case .i420(let encoding):
      let half = (left + count + 1) / 2
      Self.convert(
        first.row(number, count: left + count), from: left,
        Chroma(
          cb: second.row(number / 2, count: half), cr: third.row(number / 2, count: half), step: 1,
          crOffset: 0), by: encoding, into: &row)
    }
  }

  private static func copy(
    _ source: Span<UInt8>, _ left: Int, red: Int, blue: Int, _ row: inout MutableSpan<UInt8>
  ) {
    let source = source.extracting(4 * left..<source.count)
    for pixel in 0..<row.count / 3 {
      row[3 * pixel] = source[4 * pixel + red]
      row[3 * pixel + 1] = source[4 * pixel + 1]
      row[3 * pixel + 2] = source[4 * pixel + blue]
    }
  }

  /// A row of color differences, one for every second pixel.
  private struct Chroma: ~Escapable {
    let cb: Span<UInt8>
    let cr: Span<UInt8>
    let step: Int
    let crOffset: Int

    @_lifetime(copy cb, copy cr)
    init(cb: Span<UInt8>, cr: Span<UInt8>, step: Int, crOffset: Int) {
      (self.cb, self.cr, self.step, self.crOffset) = (cb, cr, step, crOffset)
    }
  }

  private static func convert(
    _ luma: Span<UInt8>, from left: Int, _ chroma: borrowing Chroma, by encoding: YCbCr,
    into row: inout MutableSpan<UInt8>
  ) {
    let (factors, black) = (encoding.factors, encoding.black)
    for pixel in 0..<row.count / 3 {
      let at = (left + pixel) / 2 * chroma.step
      let light = (Int32(luma[left + pixel]) - black) &* factors.luma &+ 32_768
      let (blue, red) = (Int32(chroma.cb[at]) - 128, Int32(chroma.cr[at + chroma.crOffset]) - 128)
      row[3 * pixel] = sample(light &+ red &* factors.redOfCr)
      row[3 * pixel + 1] = sample(
        light &+ blue &* factors.greenOfCb &+ red &* factors.greenOfCr)
      row[3 * pixel + 2] = sample(light &+ blue &* factors.blueOfCb)
    }
  }

  private static func sample(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value >> 16, 0), 255))
  }
}
