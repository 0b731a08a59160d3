/// Values of one shape, the last axis running fastest.
struct GraphTensor: Equatable, Sendable {
  /// The length of each axis; empty for a single value.
  let shape: [Int]
  /// As many values as the shape has room for.
  let values: [Float]

  /// Joins a shape and its values.
  init(shape: [Int], values: [Float]) {
    precondition(
      shape.reduce(1, *) == values.count, "\(values.count) values for the shape \(shape)")
    self.shape = shape
    self.values = values
  }
}
