/// Values of one shape, the last axis running fastest.
public struct GraphTensor: Equatable, Sendable {
  /// The length of each axis; empty for a single value.
  public let shape: [Int]
  /// As many values as the shape has room for.
  public let values: [Float]

  /// Joins a shape and its values.
  public init(shape: [Int], values: [Float]) {
    precondition(
      shape.reduce(1, *) == values.count, "\(values.count) values for the shape \(shape)")
    self.shape = shape
    self.values = values
  }
}
