@testable import CupolaExport

/// A strided view of an array.
struct StridedView {
  let shape: [Int]
  let start: Int
  let steps: [Int]

  /// A row-major view of all values.
  init(_ shape: [Int]) {
    var steps = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      steps[axis] = steps[axis + 1] * shape[axis + 1]
    }
    self.init(shape: shape, start: 0, steps: steps)
  }

  private init(shape: [Int], start: Int, steps: [Int]) {
    self.shape = shape
    self.start = start
    self.steps = steps
  }

  /// Permutes the axes.
  func permuted(_ permutation: [Int]) -> StridedView {
    StridedView(
      shape: permutation.map { shape[$0] }, start: start, steps: permutation.map { steps[$0] })
  }

  /// Selects every n-th value from some starts.
  func part(of sides: [Int], _ starts: [Int], _ every: [Int]) -> StridedView {
    let first = shape.indices.reduce(start) { $0 + starts[$1] * steps[$1] }
    return StridedView(
      shape: sides, start: first, steps: shape.indices.map { steps[$0] * every[$0] })
  }

  /// Repeats axes of length 1 and missing leading axes.
  func broadcast(to target: [Int]) -> StridedView {
    let missing = target.count - shape.count
    let steps = target.indices.map { axis in
      axis < missing || shape[axis - missing] == 1 ? 0 : self.steps[axis - missing]
    }
    return StridedView(shape: target, start: start, steps: steps)
  }

  /// The values of the view.
  func values(of source: [Float]) -> [Float] {
    let count = shape.reduce(1, *)
    guard let columns = shape.last, let step = steps.last else { return source }
    let isWhole = start == 0 && count == source.count && steps == StridedView(shape).steps
    guard !isWhole, columns > 0 else { return source }
    let all = source.span
    return [Float](capacity: count) { output in
      var place = [Int](repeating: 0, count: shape.count - 1)
      var at = start
      for _ in 0..<count / columns {
        for column in 0..<columns { output.append(all[at + column * step]) }
        for axis in place.indices.reversed() {
          place[axis] += 1
          at += steps[axis]
          if place[axis] < shape[axis] { break }
          at -= shape[axis] * steps[axis]
          place[axis] = 0
        }
      }
    }
  }
}

/// An array as `outer` x `side` x `inner` values, where `side` is the length of one axis.
struct AxisBlocks {
  let outer: Int
  let side: Int
  let inner: Int

  init(_ shape: [Int], _ axis: Int) {
    outer = shape[..<axis].reduce(1, *)
    side = shape[axis]
    inner = shape[(axis + 1)...].reduce(1, *)
  }

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

  func largest(of values: [Float]) -> [Float] {
    (0..<outer * inner).map { place in
      let first = place / inner * side * inner + place % inner
      return (1..<side).reduce(values[first]) { max($0, values[first + $1 * inner]) }
    }
  }

  /// Joins arrays along the axis.
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

  /// Pads every axis with zeros or mirrored values.
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
          // The border row is not repeated.
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
