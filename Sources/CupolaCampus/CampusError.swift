public import CupolaSupport

/// An error in a campus map. ``message`` is a description for users. Later versions can add cases.
public enum CampusError: Error, Equatable, Sendable {
  /// Invalid JSON.
  case notJSON(JSONFault)
  /// Valid JSON that is not a GeoJSON FeatureCollection.
  case notGeoJSON(String)
  /// A table of buildings (CSV) that cannot be read.
  case badTable(line: Int, problem: String)
  /// The map has no boundary feature.
  case noBoundary
  /// A polygon without rings.
  case emptyPolygon(String)
  /// A longitude or latitude that is out of range.
  case badPosition(String, [Double])
  /// A position that would be valid if longitude and latitude were swapped.
  case swappedCoordinates(String, [Double])
  /// Coordinates in meters or feet, with the name of the reference system if the map has it.
  case projected(String?, example: [Double])
  /// A ring whose last position differs from its first.
  case unclosedRing(String, ring: Int)
  /// A ring with fewer than four positions.
  case shortRing(String, ring: Int)
  /// A ring that spans more than 360 degrees of longitude.
  case wideRing(String, ring: Int)
  /// A ring around the Earth that crosses the equator, so the enclosed pole is ambiguous.
  case poleMissing(String, ring: Int)
  /// A geometry type that RFC 7946 does not define.
  case unknownGeometry(String, type: String)
  /// The file exceeds the size limit.
  case fileTooLarge(bytes: Int, limit: Int)
  /// The map exceeds the limit on positions.
  case tooManyPositions(limit: Int)
  /// Positions of photos that are inside the fence only if latitude and longitude are swapped.
  case probablySwapped
}

extension CampusError: CustomStringConvertible {
  /// ``message`` with the prefix "not a usable map".
  public var description: String { "not a usable map: \(message)" }

  /// A one-line message that describes the problem and how to fix it.
  public var message: String {
    switch self {
    case .notJSON(let fault): "not a GeoJSON FeatureCollection: \(fault.message)"
    case .notGeoJSON(let what): "not a GeoJSON FeatureCollection: \(what)"
    case .badTable(let line, let problem): "line \(line): \(problem)"
    case .noBoundary:
      "no boundary; set the property \"role\": \"boundary\" on the campus polygon"
    case .emptyPolygon(let feature):
      "\(feature): polygon without rings; draw it again or remove it"
    case .badPosition(let feature, let numbers):
      "\(feature): \(numbers) is not a valid [longitude, latitude]; correct it"
    case .swappedCoordinates(let feature, let numbers):
      "\(feature): longitude and latitude \(numbers) look swapped; exchange them"
    case .projected(let name, let example): ReferenceSystem.problem(name, example: example)
    case .unclosedRing(let feature, let ring):
      "\(feature): ring \(ring) is not closed; repeat its first position at the end"
    case .shortRing(let feature, let ring):
      "\(feature): ring \(ring) has fewer than four positions; draw it again or remove it"
    case .wideRing(let feature, let ring):
      "\(feature): ring \(ring) spans more than 360 degrees of longitude; correct its longitudes"
    case .poleMissing(let feature, let ring):
      "\(feature): ring \(ring) goes around the Earth; extend it along 180 and -180 to the enclosed pole"
    case .unknownGeometry(let feature, let type):
      "\(feature): unknown geometry type \"\(type)\"; use Polygon, MultiPolygon or Point"
    case .fileTooLarge(let bytes, let limit):
      "\(bytes) bytes exceeds the limit of \(limit >> 20) MB; remove unneeded features and "
        + "simplify long outlines, for example with mapshaper"
    case .tooManyPositions(let limit):
      "more than \(limit) positions; simplify the outlines, for example with mapshaper"
    case .probablySwapped:
      "the photos are inside the fence only if latitude and longitude are swapped; exchange them on the map"
    }
  }
}
