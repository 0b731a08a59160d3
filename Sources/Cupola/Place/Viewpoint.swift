/// A place that a training photo was taken from.
package struct Viewpoint: Equatable, Sendable {
  /// Where, to a millionth of a degree; its error is in whole meters and always known.
  let position: Position
  /// Meters within which that is right.
  var error: Double { position.placeError }

  /// Latitude and longitude in millionths of a degree, and meters.
  package var numbers: [Int] {
    [
      Int((position.latitude * 1e6).rounded()), Int((position.longitude * 1e6).rounded()),
      Int(error),
    ]
  }

  /// Rounds a position; an unknown error becomes the usual one.
  package init(_ position: Position) {
    let rounded = Position(
      latitude: (position.latitude * 1e6).rounded() / 1e6,
      longitude: (position.longitude * 1e6).rounded() / 1e6,
      horizontalError: position.placeError.rounded())
    // Rounding leaves no range whose ends are whole numbers.
    self.position = rounded ?? position
  }

  /// Fails for what is no place on Earth.
  private init?(_ latitude: Int, _ longitude: Int, _ error: Int) {
    let position = Position(
      latitude: Double(latitude) / 1e6, longitude: Double(longitude) / 1e6,
      horizontalError: Double(error))
    guard let position else { return nil }
    self.position = position
  }
}

extension Position {
  /// ``assumedError`` up to a million meters, whose square is still a number.
  var placeError: Double { min(assumedError, Position.mostPlaceError) }
  static let mostPlaceError = 1e6
}

/// As `[LATITUDE, LONGITUDE, ERROR]`, millionths of degrees and meters: whole numbers, so that files
/// are the same everywhere.
extension Viewpoint: Codable {
  /// Reads the three numbers.
  package init(from decoder: any Decoder) throws {
    let numbers = try [Int](from: decoder)
    guard numbers.count == 3, let viewpoint = Viewpoint(numbers[0], numbers[1], numbers[2]) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no viewpoint"))
    }
    self = viewpoint
  }

  /// Writes the three numbers.
  package func encode(to encoder: any Encoder) throws {
    try numbers.encode(to: encoder)
  }
}
