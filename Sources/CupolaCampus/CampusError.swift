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

extension CampusError: CustomStringConvertible {
  /// The same as ``message``, after what it is about.
  public var description: String { "not a usable map: \(message)" }

  /// What is wrong and what to do, in one line.
  public var message: String {
    switch self {
    case .notJSON(let fault): "not a GeoJSON FeatureCollection: \(fault.message)"
    case .notGeoJSON(let what): "not a GeoJSON FeatureCollection: \(what)"
    case .noBoundary:
      "no boundary; give the polygon of the grounds the property \"role\": \"boundary\""
    case .emptyPolygon(let feature):
      "\(feature): a polygon without rings; draw it again or remove it"
    case .badPosition(let feature, let numbers):
      "\(feature): \(numbers) is no [longitude, latitude]; correct it"
    case .swappedCoordinates(let feature, let numbers):
      "\(feature): \(numbers) looks like [latitude, longitude]; GeoJSON puts longitude first"
    case .unclosedRing(let feature, let ring):
      "\(feature): ring \(ring) is not closed; repeat its first position at its end"
    case .shortRing(let feature, let ring):
      "\(feature): ring \(ring) has fewer than four positions; draw it again or remove it"
    case .wideRing(let feature, let ring):
      "\(feature): ring \(ring) reaches more than once around the Earth; correct its longitudes"
    case .poleMissing(let feature, let ring):
      "\(feature): ring \(ring) goes round the Earth; lead it along 180 and -180 to the pole inside"
    case .unknownGeometry(let feature, let type):
      "\(feature): no geometry is called \"\(type)\"; write Polygon, MultiPolygon or Point"
    case .fileTooLarge(let bytes, let limit):
      "\(bytes) bytes, more than the \(limit >> 20) MB accepted; keep what the campus needs, and "
        + "simplify long outlines, for example with mapshaper"
    case .tooManyPositions(let limit):
      "more than \(limit) positions; simplify the outlines, for example with mapshaper"
    case .probablySwapped:
      "the photos were taken where latitude and longitude of the fence change places; "
        + "GeoJSON puts longitude first"
    }
  }
}
