/// From pixels to scaled pictures, luma and gradients.
extension GraphBuilder {
  /// The picture's samples as floats, laid out as everything that follows.
  mutating func picture(side: Int) -> Value {
    let floats = apply(.toFloat, [input(side: side)])
    return layout == .channelsFirst ? transpose(floats, [0, 3, 1, 2]) : floats
  }

  /// A square picture made smaller by area averaging, times `from * from`; see `PlaneResampler`.
  mutating func resized(_ picture: Value, from: Int, to side: Int) -> Value {
    precondition(side < from, "only makes smaller")
    let weights = overlaps(from: from, to: side)
    let channels = picture.shape[layout.channelAxis]
    if layout == .channelsFirst {
      return product(product(weights, picture), weights, transposeB: true)
    }
    let rows = product(weights, reshape(picture, [from, from * channels]))
    let planes = transpose(reshape(rows, [side, from, channels]), [0, 2, 1])
    let columns = product(
      reshape(planes, [side * channels, from]), weights, transposeB: true)
    let pixels = transpose(reshape(columns, [side, channels, side]), [0, 2, 1])
    return reshape(pixels, [1, side, side, channels])
  }

  /// How much of each source sample belongs to each output sample, outputs x sources, summing to
  /// `from` along each row: the weights of ``AreaResampler``.
  ///
  /// The overlap of two intervals is the least of their ends less the greatest of their starts. Whole
  /// numbers below 2^24 are exact, and four vectors take far less room in a file than the matrix.
  private mutating func overlaps(from sources: Int, to outputs: Int) -> Value {
    func multiples(_ range: Range<Int>, of number: Int) -> [Float] {
      range.map { Float($0 * number) }
    }
    let starts = apply(
      .maximum, constant(multiples(0..<sources, of: outputs), shape: [1, sources]),
      constant(multiples(0..<outputs, of: sources), shape: [outputs, 1]))
    let ends = apply(
      .minimum, constant(multiples(1..<sources + 1, of: outputs), shape: [1, sources]),
      constant(multiples(1..<outputs + 1, of: sources), shape: [outputs, 1]))
    return apply(.relu, apply(.subtract, ends, starts))
  }

  /// Weights of red, green and blue in the luma; dyadic, so that the luma of whole numbers is exact.
  static let luma: [Float] = [77.0 / 256, 150.0 / 256, 29.0 / 256]

  /// Central differences of a picture of one channel, without the half: two channels, along the row
  /// and down. At the ends of the picture the difference across them is 0.
  mutating func gradients(_ luma: Value) -> Value {
    let along = difference(luma, axis: layout.columnAxis)
    let down = difference(luma, axis: layout.rowAxis)
    return concatenate([along, down], axis: layout.channelAxis)
  }

  private mutating func difference(_ luma: Value, axis: Int) -> Value {
    let side = luma.shape[axis]
    let next = slice(luma, axes: [axis], [2..<side])
    let last = slice(luma, axes: [axis], [0..<side - 2])
    var around = [Int](repeating: 0, count: 4)
    around[axis] = 1
    return apply(
      .pad(before: around, after: around, mode: .zero), [apply(.subtract, next, last)])
  }

  /// Channels of a picture.
  mutating func channels(_ picture: Value, _ range: Range<Int>) -> Value {
    slice(picture, axes: [layout.channelAxis], [range])
  }

  /// Neighbouring cells joined to descriptors: `count` x `count` of them, every `step` cells.
  ///
  /// A descriptor has `side` x `side` cells, `spacing` cells apart; its values are ordered cell row,
  /// cell column, channel. One descriptor a row with channels last, a column with channels first.
  mutating func gathered(
    _ cells: Value, count: Int, step: Int, side: Int, spacing: Int
  ) -> Value {
    var parts: [Value] = []
    for row in 0..<side {
      for column in 0..<side {
        let ranges = [row, column].map { $0 * spacing..<$0 * spacing + step * (count - 1) + 1 }
        parts.append(
          slice(cells, axes: [layout.rowAxis, layout.columnAxis], ranges, step: step))
      }
    }
    let joined = concatenate(parts, axis: layout.channelAxis)
    let values = joined.shape[layout.channelAxis]
    return reshape(
      joined, layout == .channelsFirst ? [values, count * count] : [count * count, values])
  }

  /// Descriptors of several pictures, one a row.
  mutating func rows(_ descriptors: [Value]) -> Value {
    switch layout {
    case .channelsFirst: transpose(concatenate(descriptors, axis: 1), [1, 0])
    case .channelsLast: concatenate(descriptors, axis: 0)
    }
  }
}
