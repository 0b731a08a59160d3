/// The 16 points of the compass; each names the directions up to 11.25 degrees from it.
public enum CompassPoint: String, CaseIterable, Codable, Sendable {
  case north = "N"
  case northNorthEast = "NNE"
  case northEast = "NE"
  case eastNorthEast = "ENE"
  case east = "E"
  case eastSouthEast = "ESE"
  case southEast = "SE"
  case southSouthEast = "SSE"
  case south = "S"
  case southSouthWest = "SSW"
  case southWest = "SW"
  case westSouthWest = "WSW"
  case west = "W"
  case westNorthWest = "WNW"
  case northWest = "NW"
  case northNorthWest = "NNW"

  /// The nearest point; half way between two, the one further clockwise.
  ///
  /// - Parameter bearing: degrees clockwise from north, any finite number.
  public init(bearing: Double) {
    precondition(bearing.isFinite, "a bearing of \(bearing) degrees")
    let turn = Heading(degrees: bearing)?.degrees ?? 0
    self = CompassPoint.allCases[Int((turn / 22.5 + 0.5).rounded(.down)) % 16]
  }
}
