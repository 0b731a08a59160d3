/// Which part of a photo fills the square that the features see.
public enum Geometry: String, Codable, CaseIterable, Sendable {
  /// The whole photo, stretched to the square.
  case squash
  /// The largest centred square.
  case centreCrop

  /// The part of a `width` x `height` photo that is used.
  public func region(width: Int, height: Int) -> Region {
    switch self {
    case .squash:
      return Region(x: 0, y: 0, width: width, height: height)
    case .centreCrop:
      let side = min(width, height)
      return Region(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
    }
  }
}

/// A rectangle of whole pixels within a picture.
public struct Region: Equatable, Sendable {
  /// The leftmost column.
  public let x: Int
  /// The top row.
  public let y: Int
  /// Columns, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int

  /// A rectangle with its top left corner at column `x` and row `y`.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
