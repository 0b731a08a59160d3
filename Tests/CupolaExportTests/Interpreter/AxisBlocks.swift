@testable import CupolaExport

/// An array seen as `outer` x `side` x `inner` values, where `side` is the length of one axis.
struct AxisBlocks {
  let outer: Int
  let side: Int
  let inner: Int

  init(_ shape: [Int], _ axis: Int) {
    outer = shape[..<axis].reduce(1, *)
    side = shape[axis]
    inner = shape[(axis + 1)...].reduce(1, *)
  }

  /// Sums along the axis.
  func sums(of values: [Float]) -> [Float] {
    let source = values.span
    return [Float](capacity: outer * inner) { output in
      var sums = [Double](repeating: 0, count: inner)
      for block in 0..<outer {
        for index in 0..<inner { sums[index] = 0 }
        for row in 0..<side {
          let start = (block * side + row) * inner
          for index in 0..<inner { sums[index] += Double(source[start + index]) }
        }
        for sum in sums { output.append(Float(sum)) }
      }
    }
  }

  /// The largest values along the axis.
  func largest(of values: [Float]) -> [Float] {
    (0..<outer * inner).map { place in
      let first = place / inner * side * inner + place % inner
      return (1..<side).reduce(values[first]) { max($0, values[first + $1 * inner]) }
    }
  }

  /// Arrays one after the other along the axis.
  static func concatenated(_ parts: [(values: [Float], blocks: AxisBlocks)]) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(parts.reduce(0) { $0 + $1.values.count })
    for block in 0..<(parts.first?.blocks.outer ?? 0) {
      for (values, blocks) in parts {
        let length = blocks.side * blocks.inner
        result += values[block * length..<(block + 1) * length]
      }
    }
    return result
  }

  /// Rows of zeros or of mirrored values around every axis.
  static func padded(
    _ values: [Float], _ shape: [Int], _ before: [Int], _ after: [Int],
    _ mode: GraphOperation.Padding
  ) -> [Float] {
    var (values, shape) = (values, shape)
    for axis in shape.indices where before[axis] + after[axis] > 0 {
      let blocks = AxisBlocks(shape, axis)
      shape[axis] += before[axis] + after[axis]
      var padded: [Float] = []
      padded.reserveCapacity(shape.reduce(1, *))
      for block in 0..<blocks.outer {
        for row in -before[axis]..<blocks.side + after[axis] {
          // The end's own row is not repeated.
          let mirrored = row < 0 ? -row : row < blocks.side ? row : 2 * (blocks.side - 1) - row
          if mode == .zero, mirrored != row {
            padded += [Float](repeating: 0, count: blocks.inner)
          } else {
            let start = (block * blocks.side + mirrored) * blocks.inner
            padded += values[start..<start + blocks.inner]
          }
        }
      }
      values = padded
    }
    return values
  }
}
