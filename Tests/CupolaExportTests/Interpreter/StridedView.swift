/// Some values of an array, by the step that each axis takes in it.
struct StridedView {
  let shape: [Int]
  let start: Int
  let steps: [Int]

  /// All values of a shape, the last axis running fastest.
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

  /// The axes in another order.
  func permuted(_ permutation: [Int]) -> StridedView {
    StridedView(
      shape: permutation.map { shape[$0] }, start: start, steps: permutation.map { steps[$0] })
  }

  /// Every so many-th value from some starts.
  func part(of sides: [Int], _ starts: [Int], _ every: [Int]) -> StridedView {
    let first = shape.indices.reduce(start) { $0 + starts[$1] * steps[$1] }
    return StridedView(
      shape: sides, start: first, steps: shape.indices.map { steps[$0] * every[$0] })
  }

  /// Axes of length 1, and axes that are missing in front, repeated.
  func broadcast(to target: [Int]) -> StridedView {
    let missing = target.count - shape.count
    let steps = target.indices.map { axis in
      axis < missing || shape[axis - missing] == 1 ? 0 : self.steps[axis - missing]
    }
    return StridedView(shape: target, start: start, steps: steps)
  }

  /// The values that are seen.
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
