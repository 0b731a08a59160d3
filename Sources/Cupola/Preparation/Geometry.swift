/// Which part of a photo fills the square that the features see.
public enum Geometry: Equatable, Sendable {
  /// The whole photo, stretched to the square.
  case squash
  /// The largest centered square.
  case centerCrop
  /// A part of the photo, stretched to the square: what a step to the side or nearer would show.
  case window(Window)

  /// A part of a photo, in 1/100 of its sides.
  public struct Window: Equatable, Codable, Sendable {
    /// From the left edge, 0...99.
    public var left: Int
    /// From the top edge, 0...99.
    public var top: Int
    /// Of the photo's width, 1...100.
    public var width: Int
    /// Of the photo's height, 1...100.
    public var height: Int

    /// A part that lies within the photo.
    public init(left: Int, top: Int, width: Int, height: Int) {
      precondition(
        left >= 0 && top >= 0 && width > 0 && height > 0 && left + width <= 100
          && top + height <= 100, "a window that leaves the photo")
      self.left = left
      self.top = top
      self.width = width
      self.height = height
    }
  }

  /// Windows of `size`/100 of each side, spread evenly in `count` columns and rows.
  public static func windows(size: Int, count: Int) -> [Geometry] {
    let places = (0..<count).map { count == 1 ? (100 - size) / 2 : $0 * (100 - size) / (count - 1) }
    return places.flatMap { top in
      places.map { left in .window(Window(left: left, top: top, width: size, height: size)) }
    }
  }

  /// The part of a `width` x `height` photo that is used.
  package func region(width: Int, height: Int) -> Region {
    switch self {
    case .squash:
      return Region(x: 0, y: 0, width: width, height: height)
    case .centerCrop:
      let side = min(width, height)
      return Region(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
    case .window(let window):
      return Region(
        x: width * window.left / 100, y: height * window.top / 100,
        width: max(1, width * window.width / 100), height: max(1, height * window.height / 100))
    }
  }
}

extension Geometry: Codable {
  private enum CodingKeys: String, CodingKey { case window }

  /// Reads `"squash"`, `"centreCrop"` or `{"window": {...}}`.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .window(try container.decode(Window.self, forKey: .window))
      return
    }
    let container = try decoder.singleValueContainer()
    switch try container.decode(String.self) {
    case "squash": self = .squash
    case "centreCrop": self = .centerCrop
    default:
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown geometry")
    }
  }

  /// Writes `"squash"`, `"centreCrop"` or `{"window": {...}}`.
  public func encode(to encoder: any Encoder) throws {
    if case .window(let window) = self {
      var container = encoder.container(keyedBy: CodingKeys.self)
      return try container.encode(window, forKey: .window)
    }
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// The kind, for people.
  public var name: String {
    switch self {
    case .squash: "squash"
    case .centerCrop: "centreCrop"
    case .window: "window"
    }
  }
}

/// A rectangle of whole pixels within a picture.
package struct Region: Equatable, Sendable {
  /// The leftmost column.
  package let x: Int
  /// The top row.
  package let y: Int
  /// Columns, at least 1.
  package let width: Int
  /// Rows, at least 1.
  package let height: Int

  /// A rectangle with its top left corner at column `x` and row `y`.
  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
