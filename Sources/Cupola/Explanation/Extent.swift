/// A rectangle within a picture, in shares of its sides: 0, 0 is the top left corner, 1, 1 the lower
/// right.
public struct Extent: Equatable, Sendable {
  /// The left edge, 0...1.
  public let x: Double
  /// The upper edge, 0...1.
  public let y: Double
  /// From the left edge to the right.
  public let width: Double
  /// From the upper edge to the lower.
  public let height: Double

  /// A rectangle with its top left corner at `x`, `y`.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
