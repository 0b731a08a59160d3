public import CupolaSupport

/// What is wrong with a map of the grounds; features are named as a person would find them.
///
/// The cases hold facts; the sentences for people are in ``message``. New cases may come with any
/// version.
public enum CampusError: Error, Equatable, Sendable {
  /// No JSON at all.
  case notJSON(JSONFault)
  /// Not a GeoJSON FeatureCollection.
  case notGeoJSON(String)
  /// No feature is the boundary of the grounds.
  case noBoundary
  /// A polygon without rings.
  case emptyPolygon(String)
  /// A position that is no longitude and latitude.
  case badPosition(String, [Double])
  /// A position that would be one the other way round.
  case swappedCoordinates(String, [Double])
  /// A ring whose last position is not its first.
  case unclosedRing(String, ring: Int)
  /// A ring of fewer than four positions.
  case shortRing(String, ring: Int)
  /// A ring that reaches further than once around the Earth.
  case wideRing(String, ring: Int)
  /// A ring around the Earth on both sides of the equator, which could enclose either pole.
  case poleMissing(String, ring: Int)
  /// A geometry of a type that RFC 7946 does not know.
  case unknownGeometry(String, type: String)
  /// A file larger than what is accepted.
  case fileTooLarge(bytes: Int, limit: Int)
  /// More positions than are accepted.
  case tooManyPositions(limit: Int)
  /// The photos' own positions lie inside the fence only when latitude and longitude change places.
  case probablySwapped
}
