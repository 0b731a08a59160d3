internal import CupolaSupport

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
