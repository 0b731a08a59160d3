extension GraphOperation {
  /// The shape of the value made from inputs of some shapes; `nil` when they do not fit the operation.
  ///
  /// The shape of `input` is not known from the operation: `nil`.
  func shape(of inputs: [[Int]]) -> [Int]? {
    guard inputs.count == inputCount ?? max(1, inputs.count) else { return nil }
    guard let first = inputs.first else {
      if case .constant(let tensor, _) = self { return tensor.shape }
      return nil
    }
    switch self {
    case .input, .constant: return nil
    case .toFloat, .unary, .power, .softmax: return first
    case .reshape(let shape): return shape.reduce(1, *) == first.reduce(1, *) ? shape : nil
    case .transpose(let permutation):
      guard permutation.sorted() == Array(first.indices) else { return nil }
      return permutation.map { first[$0] }
    case .slice(let starts, let ends, let steps):
      return Self.slice(first, starts: starts, ends: ends, steps: steps)
    case .concatenate(let axis): return Self.concatenate(inputs, axis)
    case .pad(let before, let after, let mode):
      return Self.pad(first, before: before, after: after, mode: mode)
    case .elementwise: return Self.broadcast(first, inputs[1])
    case .reduce(_, let axis):
      guard first.indices.contains(axis) else { return nil }
      var shape = first
      shape[axis] = 1
      return shape
    case .product(let transposeA, let transposeB):
      return Self.product(
        first, inputs[1], transposeA: transposeA, transposeB: transposeB)
    case .convolution(let layout): return Self.convolve(first, inputs[1], layout)
    case .averagePool(let layout, let side, let stride):
      return Self.pool(first, layout: layout, side: side, stride: stride)
    }
  }

  /// How many inputs the operation takes; `nil` for one or more.
  var inputCount: Int? {
    switch self {
    case .input, .constant: 0
    case .concatenate: nil
    case .elementwise, .product, .convolution: 2
    default: 1
    }
  }

  /// The common shape of two inputs of an elementwise operation.
  static func broadcast(_ a: [Int], _ b: [Int]) -> [Int]? {
    let rank = max(a.count, b.count)
    let pairs = zip(
      [Int](repeating: 1, count: rank - a.count) + a,
      [Int](repeating: 1, count: rank - b.count) + b)
    guard pairs.allSatisfy({ $0 == $1 || $0 == 1 || $1 == 1 }) else { return nil }
    return pairs.map { max($0, $1) }
  }

  private static func slice(
    _ shape: [Int], starts: [Int], ends: [Int], steps: [Int]
  ) -> [Int]? {
    guard [starts.count, ends.count, steps.count].allSatisfy({ $0 == shape.count }) else {
      return nil
    }
    var sides: [Int] = []
    for axis in shape.indices {
      let (start, end, step) = (starts[axis], ends[axis], steps[axis])
      guard start >= 0, start < end, end <= shape[axis], step > 0 else { return nil }
      sides.append((end - start - 1) / step + 1)
    }
    return sides
  }

  private static func concatenate(_ shapes: [[Int]], _ axis: Int) -> [Int]? {
    var joined = shapes[0]
    guard joined.indices.contains(axis) else { return nil }
    for shape in shapes.dropFirst() {
      guard shape.count == joined.count,
        joined.indices.allSatisfy({ $0 == axis || shape[$0] == joined[$0] })
      else { return nil }
      joined[axis] += shape[axis]
    }
    return joined
  }

  private static func pad(
    _ shape: [Int], before: [Int], after: [Int], mode: Padding
  ) -> [Int]? {
    guard before.count == shape.count, after.count == shape.count else { return nil }
    // The ends' own rows are not repeated.
    let isPossible = shape.indices.allSatisfy {
      mode == .zero || max(before[$0], after[$0]) < shape[$0]
    }
    guard isPossible else { return nil }
    return shape.indices.map { before[$0] + shape[$0] + after[$0] }
  }

  private static func product(
    _ a: [Int], _ b: [Int], transposeA: Bool, transposeB: Bool
  ) -> [Int]? {
    guard a.count >= 2, b.count >= 2, !(transposeA && transposeB),
      let batch = broadcast(a.dropLast(2), b.dropLast(2))
    else { return nil }
    let (m, k) = transposeA ? (a[a.count - 1], a[a.count - 2]) : (a[a.count - 2], a[a.count - 1])
    let (l, n) = transposeB ? (b[b.count - 1], b[b.count - 2]) : (b[b.count - 2], b[b.count - 1])
    return k == l ? batch + [m, n] : nil
  }

  private static func broadcast(_ a: ArraySlice<Int>, _ b: ArraySlice<Int>) -> [Int]? {
    broadcast(Array(a), Array(b))
  }

  private static func convolve(
    _ picture: [Int], _ kernel: [Int], _ layout: GraphLayout
  ) -> [Int]? {
    guard picture.count == 4, kernel.count == 4, picture[0] == 1,
      kernel[layout.channelAxis] == picture[layout.channelAxis]
    else { return nil }
    let rows = picture[layout.rowAxis] - kernel[layout.rowAxis]
    let columns = picture[layout.columnAxis] - kernel[layout.columnAxis]
    guard rows >= 0, columns >= 0 else { return nil }
    return layout.shape(channels: kernel[0], height: rows + 1, width: columns + 1)
  }

  private static func pool(
    _ picture: [Int], layout: GraphLayout, side: Int, stride: Int
  ) -> [Int]? {
    guard picture.count == 4, picture[0] == 1, side > 0, stride > 0 else { return nil }
    let rows = picture[layout.rowAxis] - side
    let columns = picture[layout.columnAxis] - side
    guard rows >= 0, columns >= 0 else { return nil }
    return layout.shape(
      channels: picture[layout.channelAxis], height: rows / stride + 1,
      width: columns / stride + 1)
  }
}
